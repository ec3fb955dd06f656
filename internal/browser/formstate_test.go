package browser_test

import (
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The form's fields besides those of the card. A payer's field is found by its path.
const (
	amountField  = `#amount`
	payeeField   = `#payee_card`
	termsBox     = `#terms`
	savedCard    = `input[name="saved"][value="1"]`
	anotherCard  = `input[name="saved"][value="0"]`
	countryList  = `select[autocomplete="country"]`
	stateList    = `select[data-path$=".US"]`
	addressField = `[data-path="billing_address.address"]`
	zipField     = `[data-path="billing_address.zip"]`
	cityField    = `[data-path="billing_address.city"]`
)

// formStates are the forms of other settings and operations.
func formStates() []state {
	return []state{
		{"payer fields", false, "form", countryList, prepared((*site).checksAddress, nil)},
		{"payer fields, states", false, "form", stateList, then(prepared((*site).checksAddress, nil), func(p *tab) { p.choose(countryList, "US") })},
		{"payer fields, faults", true, "form", zipField + `[aria-invalid="true"]`, then(prepared((*site).checksAddress, nil), sendsNothing)},
		{"payer fields, known country", false, "form", stateList, prepared((*site).checksAddress, american)},
		{"saved cards", false, "form", savedCard + `:checked`, prepared(nil, (*site).withSavedCards)},
		{"saved cards, another", false, "form", anotherCard, then(prepared(nil, (*site).withSavedCards), func(p *tab) { p.press(anotherCard) })},
		{"payout", false, "form", numberField, prepared(nil, payout)},
		{"transfer, open amount", false, "form", amountField, prepared(nil, transfer("-1"))},
		{"transfer, faults", true, "form", payeeField + `[aria-invalid="true"]`, then(prepared(nil, transfer("-1")), sendsNothing)},
		{"transfer", false, "form", payeeField, prepared(nil, transfer("10.00"))},
		{"terms", false, "form", termsBox, prepared((*site).hasTerms, nil)},
		{"terms, fault", true, "form", termsBox + `[aria-invalid="true"]`, then(prepared((*site).hasTerms, nil), sendsNothing)},
		{"by telephone", false, "form", codeField + `:not([required])`, prepared((*site).takesCalls, byTelephone)},
		{"crypto, open amount", false, "form", payButton, prepared(nil, coins)},
		{"subscription", false, "form", `#subscription dl`, prepared(nil, subscribing)},
		{"subscription of nothing today", false, "form", `#subscription dl`, prepared((*site).takesNothing, subscribingForNothing)},
		{"later payments", false, "form", `#subscription p`, prepared(nil, func(_ *site, r *gateway.SessionRequest) { r.Extra.RecurringInit = true })},
		{"crypto, address", false, "show", `#show dl`, opens(func(r *gateway.SessionRequest) { coins(nil, r) }, submits(methods.Card{}))},
	}
}

// turned changes a session request, with what a site provides.
type turned func(s *site, r *gateway.SessionRequest)

// prepared opens the page of a site with other settings.
func prepared(settings func(*site), c turned) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) {
		if settings != nil {
			settings(s)
		}
		p.open(s.ready(language, func(r *gateway.SessionRequest) {
			if c != nil {
				c(s, r)
			}
		}, nil))
	}
}

// then does something on the open page.
func then(reach func(s *site, p *tab, language string), do func(p *tab)) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) {
		reach(s, p, language)
		do(p)
	}
}

func sendsNothing(p *tab) { p.leave(func() { p.press(payButton) }) }

// choose picks an entry of a list by its value. The list is the system's own, so a test cannot click it.
func (p *tab) choose(selector, value string) {
	p.t.Helper()
	chosen := read[string](p, `(function () {
		var list = document.querySelector(`+quote(selector)+`);
		list.focus();
		list.value = `+quote(value)+`;
		["input", "change"].forEach(function (name) { list.dispatchEvent(new Event(name, {bubbles: true})); });
		return list.value;
	})()`)
	require.Equal(p.t, value, chosen, "no such entry in %s", selector)
}

// account changes the MID of test payments.
func (s *site) account(change func(*store.MID)) {
	s.t.Helper()
	mid := store.MID{ID: "test", MerchantID: gatewaytest.MerchantID, Name: "Test", Connector: "vcard", Test: true}
	change(&mid)
	require.NoError(s.t, s.SaveMID(s.t.Context(), mid))
}

func (s *site) checksAddress() { s.account(func(m *store.MID) { m.AVS = true }) }

func (s *site) takesCalls() { s.account(func(m *store.MID) { m.MOTO = true }) }

func (s *site) hasTerms() {
	s.t.Helper()
	require.NoError(s.t, s.SaveMapping(s.t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, TermsURL: s.shop + "/terms"}))
}

// withSavedCards names two cards that have paid before.
func (s *site) withSavedCards(r *gateway.SessionRequest) {
	s.t.Helper()
	for _, card := range []struct{ order, number string }{{"OLD-1", testNumber}, {"OLD-2", "5555555555554444"}} {
		used := gatewaytest.Settles
		var err error
		used.PAN, err = store.ParsePAN(card.number)
		require.NoError(s.t, err)
		result, err := s.Merchant(gatewaytest.TestKey).Charge(s.t.Context(), gateway.ChargeRequest{
			Kind: store.Purchase, Card: &used, ReqToken: true,
			Order: store.Order{Number: card.order, Amount: "1.00", Currency: "USD", Description: "An order of last month"},
			Payer: store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "203.0.113.7"},
		})
		require.NoError(s.t, err)
		require.NotEmpty(s.t, result.Payment.CardToken)
		r.Extra.CardTokens = append(r.Extra.CardTokens, result.Payment.CardToken)
	}
}

func american(_ *site, r *gateway.SessionRequest) { r.Billing.Country = "US" }

func payout(_ *site, r *gateway.SessionRequest) {
	r.Operation, r.Extra.Payee = "credit", &store.Payer{Name: "Jane Roe"}
}

func transfer(amount string) turned {
	return func(_ *site, r *gateway.SessionRequest) {
		r.Operation, r.Order.Amount, r.Extra.Payee = "transfer", amount, &store.Payer{Name: "Jane Roe"}
	}
}

func byTelephone(_ *site, r *gateway.SessionRequest) { r.Extra.MOTOType = "phone_moto" }

// coins lets the payer choose the amount.
func coins(_ *site, r *gateway.SessionRequest) {
	r.Methods, r.Order.Amount, r.Order.Currency = []string{"helio"}, "", "USDT"
}
