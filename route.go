package gateway

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// router knows which MID can take a payment, and what each needs of it.
type router struct {
	connectors map[string]methods.Connector
	catalogue  *methods.Catalogue
	currencies *methods.Currencies
}

// brandOf is what the router asks of a card; empty for none.
func brandOf(card *methods.Card) store.Brand {
	if card == nil || card.PAN.IsZero() {
		return ""
	}
	return cmp.Or(card.PAN.Brand(), route.OtherBrand)
}

// brandsOf are the brands that a payer can use, in the order of store.Brands; nil for all of them.
func brandsOf(method methods.Method, candidates []route.Candidate) (list []store.Brand) {
	if method.Kind != methods.KindCard {
		return nil
	}
	for _, one := range candidates {
		if len(one.Brands) == 0 {
			return nil
		}
	}
	for _, brand := range store.Brands() {
		if slices.ContainsFunc(candidates, func(one route.Candidate) bool { return slices.Contains(one.Brands, brand) }) {
			list = append(list, brand)
		}
	}
	return list
}

func isName(f PayerField) bool { return f.Path == pathName }

// codesOf are the codes to choose from: those asked for, those of the first rule of pre-routing that fits,
// or cards and what the MIDs list.
func codesOf(asked []string, order store.Order, country string, p *merchant.Profile) []string {
	if len(asked) > 0 {
		return distinct(asked)
	}
	for _, rule := range p.Mapping(store.Checkout).PreRouting {
		if fits(&rule, order, country) {
			return distinct(rule.Methods)
		}
	}
	codes := []string{"card"}
	for _, account := range p.Accounts {
		for _, code := range account.Methods {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// distinct is the list with each code once, in its order.
func distinct(list []string) (once []string) {
	for _, code := range list {
		if !slices.Contains(once, code) {
			once = append(once, code)
		}
	}
	return once
}

// fits reports whether every condition of a rule of pre-routing holds. An amount that is not known yet is
// within no bounds.
func fits(rule *store.PreRoute, order store.Order, country string) bool {
	listed := func(list []string, item string) bool { return len(list) == 0 || slices.Contains(list, item) }
	if !listed(rule.Currencies, order.Currency) || !listed(rule.Countries, country) {
		return false
	}
	amount, err := store.ParseAmount(order.Amount)
	if err != nil {
		return rule.Min == "" && rule.Max == ""
	}
	least, _ := store.ParseAmount(rule.Min) // checked when it was saved; none is 0
	most, err := store.ParseAmount(rule.Max)
	return amount.Cmp(least) >= 0 && (err != nil || amount.Cmp(most) <= 0)
}

// routeRequest is what a session asks of the router.
func (ro *router) routeRequest(s *store.Session, method string) route.Request {
	amount, err := store.ParseAmount(s.Order.Amount)
	return route.Request{
		Kind: s.Kind, Hold: s.Hold, Test: s.Test, Method: method, Currency: s.Order.Currency,
		ChannelID: s.ChannelID, MOTO: store.IsMOTO(s.Extra.MOTOType), Zero: err == nil && amount.IsZero(),
	}
}

// route asks the router, and the catalogue what the method itself can do: which operations it serves, in which
// currencies.
func (ro *router) route(protocol store.Protocol, r route.Request,
	p *merchant.Profile) ([]route.Candidate, route.Refusal) {
	r.Barred = ro.barred(protocol, &r)
	return route.Choose(r, p.Accounts)
}

// barred is why the method itself cannot take a payment, by the catalogue (decision bo).
func (ro *router) barred(protocol store.Protocol, r *route.Request) route.Refusal {
	method, known := ro.catalogue.Lookup(r.Method)
	if protocol == store.S2SCard && method.Kind == methods.KindWallet {
		protocol = store.S2SAPM // S2S CARD has no brand, and names a wallet by digital_wallet
	}
	currency, _ := ro.currencies.Lookup(r.Currency)
	switch {
	case !known:
		return route.MethodNotFound
	case !method.ServesProtocol(protocol):
		return route.NoMethod
	case !method.Serves(route.Charge(r.Kind)):
		return route.NoAction
	case len(method.Currencies) > 0 && !slices.Contains(method.Currencies, r.Currency):
		return route.NoCurrency
	case currency.Crypto && method.Kind == methods.KindCard:
		return route.NoCurrency // no card is in a crypto currency
	}
	return route.None
}

// routing is what the wire says when no MID can take a payment.
var routing = map[route.Refusal]*refusal.Error{
	route.NoMID:          refusal.ErrNoMID,
	route.UseTestKey:     refusal.ErrUseTestKey,
	route.NoChannel:      refusal.ErrChannelRoute,
	route.MethodNotFound: refusal.ErrMethodAbsent,
	route.NoMethod:       refusal.ErrMethodRoute,
	route.ActionNotFound: refusal.ErrActionAbsent,
	route.NoAction:       refusal.ErrAction,
	route.NoCurrency:     refusal.ErrCurrencyRoute,
	route.BrandNotFound:  refusal.ErrBrandAbsent,
	route.NoBrand:        refusal.ErrBrandRoute,
	route.TypeNotFound:   refusal.ErrTypeAbsent,
	route.NoType:         refusal.ErrTypeRoute,
	route.NoMOTO:         refusal.ErrMOTORoute,
	route.NoZeroValue:    refusal.ErrZeroRoute,
}

// routeError is the catalogue error of a refusal. S2S APM calls a method a brand.
func routeError(p store.Protocol, why route.Refusal) error {
	switch {
	case p == store.S2SAPM && why == route.NoMethod:
		return refusal.ErrBrandRoute
	case p == store.S2SAPM && why == route.MethodNotFound:
		return refusal.ErrBrandAbsent
	}
	if err, ok := routing[why]; ok {
		return err
	}
	return refusal.ErrNoMID
}

// cardCodes are the methods among codes whose card the fields collect.
func (ro *router) cardCodes(codes []string) []string {
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		method, known := ro.catalogue.Lookup(code)
		return !known || method.Kind != methods.KindCard
	})
}

// withoutCode are the candidates that take a charge without its security code.
func (ro *router) withoutCode(candidates []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return !methods.CapabilitiesOf(ro.connectors[one.Connector]).ResendWithoutCode
	})
}

// takeDecrypted keeps the MIDs that take a decrypted card.
func (ro *router) takeDecrypted(list []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(one route.Candidate) bool {
		return ro.walletSupport(one) != methods.WalletDecrypted
	})
}

func (ro *router) walletSupport(one route.Candidate) methods.WalletSupport {
	return methods.CapabilitiesOf(ro.connectors[one.Connector]).Wallet
}

// isWallet reports a method that is paid by a wallet's token.
func (ro *router) isWallet(method string) bool {
	known, _ := ro.catalogue.Lookup(method)
	return known.Kind == methods.KindWallet
}
