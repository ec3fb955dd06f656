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

// offers computes what a payer may choose from, and what the page asks for and shows.
type offers struct {
	router *charge.Router
	form   *form
	now    func() time.Time
}

// choices returns the methods that a session can be paid with now: those it is limited to, or those that pre-routing
// leaves, or the card and then all that its merchant's MIDs list (SPEC1, methods). A method stays only if a MID can
// take it.
func (o *offers) choices(s *store.Session, p *merchant.Profile) (list []MethodChoice) {
	sent, _ := fields.SentParameters(s.Parameters)
	for _, code := range charge.Codes(s, p) {
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
			fields = slices.DeleteFunc(fields, isName) // the name on the card is asked for instead
		}
		list = append(list, MethodChoice{Code: code, Name: method.Name, Kind: method.Kind, Prompts: method.Missing(tree),
			Fields: fields, Brands: charge.BrandsOf(method, candidates), Wallet: o.walletRequest(s, p, code)})
	}
	return list
}

func isName(f PayerField) bool { return f.Path == pathName }

// fieldsOf returns the payer's fields that a method still needs at a MID: the address where the MID checks it, what the
// method's own sets need, and a state where the country has states. A method that needs a phone also needs its country
// code, even if the phone is known (decision bh).
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

// fillIn stores what the payer filled in and returns what is missing or breaks the rules of a session's fields.
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

// walletRequest returns what the page passes to the wallet of a method; nil for every other method.
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

// googleRequest returns what the page passes to the Google wallet. The country is where the payment is processed. Only
// the settings of the other wallet name it.
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

// walletAmount returns the amount of the order with exactly the decimals of its currency.
func (o *offers) walletAmount(s *store.Session) string {
	currency, _ := o.router.Currencies.Lookup(s.Order.Currency)
	amount, err := store.ParseAmount(s.Order.Amount)
	if err != nil {
		return ""
	}
	return methods.FormatAmount(methods.S2S, currency, amount)
}

// choose returns the choice with the code of a submission, or the first choice if the code is empty.
func choose(choices []MethodChoice, code string) (MethodChoice, error) {
	for _, choice := range choices {
		if code == "" || choice.Code == code {
			return choice, nil
		}
	}
	return MethodChoice{}, refusal.ErrInvalid.Fields(refusal.Fault{Path: "method", Text: fields.TextChoice})
}

// answered returns the parameters of the method with the payer's answers.
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
	return fields.Parameters(tree)
}
