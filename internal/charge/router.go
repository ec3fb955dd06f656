package charge

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Router finds the MIDs that can take a payment, and what each needs of it.
type Router struct {
	Connectors map[string]methods.Connector
	Catalogue  *methods.Catalogue
	Currencies *methods.Currencies
}

// brandOf returns the card's brand for the router; empty for none.
func brandOf(card *methods.Card) store.Brand {
	if card == nil || card.PAN.IsZero() {
		return ""
	}
	return cmp.Or(card.PAN.Brand(), route.OtherBrand)
}

// RouteRequest returns a session's request to the router.
func (ro *Router) RouteRequest(s *store.Session, method string) route.Request {
	return route.Request{
		Kind: s.Kind, Hold: s.Hold, Test: s.Test, Method: method, Currency: s.Order.Currency,
		ChannelID: s.ChannelID, MOTO: store.IsMOTO(s.Extra.MOTOType), Zero: fields.IsZero(s.Order.Amount),
	}
}

// Route asks the router, and the catalogue for the method's own limits: the operations and currencies that it
// supports.
func (ro *Router) Route(protocol store.Protocol, r route.Request,
	p *merchant.Profile) ([]route.Candidate, route.Refusal) {
	r.Barred = ro.barred(protocol, &r)
	return route.Choose(r, p.Accounts)
}

// barred returns why the method itself cannot take a payment, by the catalogue (decision bo).
func (ro *Router) barred(protocol store.Protocol, r *route.Request) route.Refusal {
	method, known := ro.Catalogue.Lookup(r.Method)
	if protocol == store.S2SCard && method.Kind == methods.KindWallet {
		protocol = store.S2SAPM // S2S CARD has no brand, and names a wallet by digital_wallet
	}
	currency, _ := ro.Currencies.Lookup(r.Currency)
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
		return route.NoCurrency // no card is in a cryptocurrency
	}
	return route.None
}

// routing holds the public error for each refusal of the router.
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

// RouteError returns the catalogue error of a refusal. S2S APM calls a method a brand.
func RouteError(p store.Protocol, why route.Refusal) error {
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

// CardCodes returns the methods among codes whose card the fields collect.
func (ro *Router) CardCodes(codes []string) []string {
	return slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
		method, known := ro.Catalogue.Lookup(code)
		return !known || method.Kind != methods.KindCard
	})
}

// withoutCode returns the candidates that accept a charge without its security code.
func (ro *Router) withoutCode(candidates []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return !methods.CapabilitiesOf(ro.Connectors[one.Connector]).ResendWithoutCode
	})
}

// takeDecrypted keeps the MIDs that accept a decrypted card.
func (ro *Router) takeDecrypted(list []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(one route.Candidate) bool {
		return ro.walletSupport(one) != methods.WalletDecrypted
	})
}

func (ro *Router) walletSupport(one route.Candidate) methods.WalletSupport {
	return methods.CapabilitiesOf(ro.Connectors[one.Connector]).Wallet
}

// IsWallet reports whether a method is paid by a wallet's token.
func (ro *Router) IsWallet(method string) bool {
	known, _ := ro.Catalogue.Lookup(method)
	return known.Kind == methods.KindWallet
}
