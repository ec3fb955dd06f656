package gateway

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// offers is what a payer may choose from, and what they are asked and shown.
type offers struct {
	router *charge.Router
	form   *form
	now    func() time.Time
}

// choices are the methods a session can be paid with, as things stand: those it is limited to, those that
// pre-routing leaves, or all that its merchant's MIDs list, as far as one of them can take it (SPEC1,
// methods). The card comes first.
func (o *offers) choices(s *store.Session, p *merchant.Profile) (list []MethodChoice) {
	sent, _ := fields.SentParameters(s.Parameters)
	for _, code := range codesOf(s.Methods, s.Order, s.Payer.Address.Country, p) {
		candidates, why := o.router.Route(store.Checkout, o.router.RouteRequest(s, code), p)
		if why != route.None || !p.Offers(code, s.Kind) {
			continue
		}
		method, _ := o.router.Catalogue.Lookup(code)
		tree, _ := sent[code].(map[string]any)
		if !o.router.Completable(s, code, tree, candidates) {
			continue // the merchant has not sent what the page cannot ask for
		}
		fields := o.fieldsOf(s, method, tree, candidates[0])
		if method.Kind == methods.KindCard && p.Mapping(store.Checkout).RequireName {
			fields = slices.DeleteFunc(fields, isName) // the name on the card is asked for, and stands for it
		}
		list = append(list, MethodChoice{Code: code, Name: method.Name, Kind: method.Kind, Prompts: method.Missing(tree),
			Fields: fields, Brands: brandsOf(method, candidates), Wallet: o.walletRequest(s, p, code)})
	}
	return list
}

// fieldsOf are the payer's fields that a method still needs at a MID: the address where the MID checks it,
// what the method's own sets want of the request, the country code of a phone that the method needs, whether the
// phone is asked for or known (decision bh), and a state where the country has states.
func (o *offers) fieldsOf(s *store.Session, method methods.Method, tree map[string]any,
	candidate route.Candidate) (list []PayerField) {
	needed := o.router.NeededBy(s, method, tree, candidate)
	phoneless := *s
	phoneless.Payer.Address.Phone = ""
	if slices.Contains(o.router.NeededBy(&phoneless, method, tree, candidate), "billing_address.phone") {
		needed = append(needed, "billing_address.phone_country_code")
	}
	for _, field := range payerFields {
		if *field.place(&s.Payer) != "" {
			continue
		}
		switch {
		case slices.Contains(needed, field.path):
			list = append(list, PayerField{field.path, true})
		case field.path == "billing_address.state" && asksState(s, needed):
			list = append(list, PayerField{field.path, false})
		}
	}
	return list
}

// fillIn takes what the payer filled in, by the rules of a session's fields, and names what is
// wrong or missing.
func (o *offers) fillIn(payer *store.Payer, mapping *store.Mapping, asked []PayerField,
	told map[string]string) (faults []refusal.Fault) {
	for _, field := range payerFields {
		i := slices.IndexFunc(asked, func(f PayerField) bool { return f.Path == field.path })
		if i < 0 {
			continue
		}
		value := strings.TrimSpace(told[field.path])
		if value == "" && asked[i].Required {
			faults = append(faults, refusal.Fault{Path: field.path, Text: fields.TextBlank})
		}
		*field.place(payer) = value
	}
	r := &SessionRequest{
		Operation: string(store.Purchase), Billing: payer.Address, anyName: mapping.AnyName,
		Customer: Customer{Name: payer.Name, Email: payer.Email, BirthDate: payer.BirthDate},
	}
	for _, field := range asked {
		faults = append(faults, o.form.faultsAt(field.Path, field.Path, r)...)
	}
	payer.Address.State = fields.StateOf(payer.Address)
	return faults
}

// walletRequest is what the page asks the wallet of a method with; nil for every other method.
func (o *offers) walletRequest(s *store.Session, p *merchant.Profile, method string) *WalletRequest {
	switch method {
	case wallet.ApplePay:
		return &WalletRequest{Apple: o.appleRequest(s, p)}
	case wallet.GooglePay:
		return &WalletRequest{Google: o.googleRequest(s, p)}
	}
	return nil
}

func (o *offers) appleRequest(s *store.Session, p *merchant.Profile) *AppleRequest {
	a := p.Wallets.Apple
	return &AppleRequest{
		CountryCode: a.Country, CurrencyCode: s.Order.Currency, Amount: o.walletAmount(s),
		MerchantCapabilities: merchant.OrDefault(a.Capabilities, merchant.DefaultCapabilities),
		SupportedNetworks:    merchant.OrDefault(a.Networks, merchant.DefaultAppleNetworks),
		Label:                cmp.Or(a.ShopName, p.Record().Name),
	}
}

// googleRequest: the country is where the payment is processed, which only the settings of the other wallet
// name.
func (o *offers) googleRequest(s *store.Session, p *merchant.Profile) *GoogleRequest {
	g := p.Wallets.Google
	r := &GoogleRequest{
		Environment: merchant.WorldOf(g.Environment), MerchantName: p.Record().Name, Gateway: g.Gateway,
		GatewayMerchantID: p.Record().Key,
		AuthMethods:       merchant.OrDefault(g.AuthMethods, merchant.DefaultAuthMethods),
		Networks:          merchant.OrDefault(g.Networks, merchant.DefaultGoogleNetworks),
		CurrencyCode:      s.Order.Currency, Amount: o.walletAmount(s),
	}
	if r.Environment == store.WalletProduction {
		r.MerchantID = g.MerchantID
	}
	if s.Test {
		r.GatewayMerchantID = cmp.Or(p.Record().TestKey, p.Record().Key)
	}
	if p.Wallets.Apple != nil {
		r.CountryCode = p.Wallets.Apple.Country
	}
	return r
}

// walletAmount is the amount of the order with exactly the decimals of its currency.
func (o *offers) walletAmount(s *store.Session) string {
	currency, _ := o.router.Currencies.Lookup(s.Order.Currency)
	amount, err := store.ParseAmount(s.Order.Amount)
	if err != nil {
		return ""
	}
	return methods.FormatAmount(methods.S2S, currency, amount)
}

// choose finds the method of a submission among the choices.
func choose(choices []MethodChoice, code string) (MethodChoice, error) {
	for _, choice := range choices {
		if code == "" || choice.Code == code {
			return choice, nil
		}
	}
	return MethodChoice{}, refusal.ErrInvalid.Fields(refusal.Fault{Path: "method", Text: fields.TextChoice})
}

// answered puts what the payer filled in into the parameters of the method.
func answered(s *store.Session, choice MethodChoice, answers map[string]string) (json.RawMessage, error) {
	sent, _ := fields.SentParameters(s.Parameters)
	tree, _ := sent[choice.Code].(map[string]any)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range choice.Prompts {
		if value := answers[ask.Name]; value != "" && len(value) <= 1024 {
			fields.PutParameter(tree, strings.Split(ask.Name, "."), value)
		}
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}
