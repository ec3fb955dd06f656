package browser_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// state is a page as a payer may find it.
type state struct {
	name     string
	noScript bool   // needed if the page would continue by itself
	turn     string // which page it is
	has      string // what distinguishes it from others of the same page
	reach    func(s *site, p *tab, language string)
}

// states are the pages with the default settings of a merchant.
func states() []state {
	return []state{
		{"form", false, "form", numberField, opens(nil, nil)},
		{"form, name", false, "form", `[autocomplete="cc-name"]`, opens(nameless, named)},
		{"form, declined", false, "form", `[role="alert"]`, opens(nil, submits(gatewaytest.Declines))},
		{"form, faults", true, "form", `[aria-invalid="true"]`, faults(``)},
		{"form, faults by script", false, "form", `[aria-invalid="true"]`, faults(numberField)},
		{"choice", false, "form", `input[type="radio"]`, opens(choice, nil)},
		{"choice, another method", false, "form", `input[type="radio"]:not([value="card"]):checked`, chooses("bank-transfer-cuil")},
		{"issuer", true, "forward", `form#forward`, opens(nil, submits(gatewaytest.ThreeDSPasses))},
		{"bank", true, "forward", `a#forward`, opens(nil, submits(gatewaytest.BankPasses))},
		{"code", false, "show", `img.code`, opens(by("ips", "EUR"), submits(methods.Card{}))},
		{"details", false, "show", `#show dl`, opens(by("sepa", "EUR"), submits(methods.Card{}))},
		{"code, over", false, "show", `#show img.sign`, opens(by("ips", "EUR"), codeOver)},
		{"ask", false, "ask", `#pay input[type="text"]`, opens(collection, submits(methods.Card{}))},
		{"ask, wrong", false, "ask", `[role="alert"]`, opens(collection, answersWrong)},
		{"wait", false, "wait", `#wait`, opens(nil, submits(gatewaytest.Card(7, 2038)))},
		{"leave", true, "leave", `a#leave`, opens(framed, submits(gatewaytest.Settles))},
		{"paid", false, "result", `[data-status="paid"]`, opensBare(submits(gatewaytest.Settles))},
		{"declined", false, "result", `[data-status="declined"]`, opensBare(declinedTooOften)},
		{"cancelled", false, "result", `[data-status="cancelled"]`, opensBare(quits)},
		{"expired", false, "result", `[data-status="expired"]`, opensBare(expires)},
		{"undefined", false, "result", `[data-status="undefined"]`, opensBare(unknown)},
		{"problem", false, "problem", `#problem`, func(s *site, p *tab, _ string) { p.open(s.base + "/auth/nothing") }},
	}
}

// change changes a session request; deed is what happens before the page is checked.
type (
	change func(r *gateway.SessionRequest)
	deed   func(s *site, link string)
)

// opens opens the page after a deed.
func opens(c change, d deed) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) { p.open(s.ready(language, c, d)) }
}

// opensBare is opens for a gateway without the merchant's URLs.
func opensBare(d deed) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) {
		p.open(s.base + "/bare/auth/" + s.token(s.ready(language, nil, d)))
	}
}

func (s *site) ready(language string, c change, d deed) (link string) {
	s.t.Helper()
	r := s.request()
	r.Language = language
	if c != nil {
		c(&r)
	}
	link = s.session(r)
	if d != nil {
		d(s, link)
	}
	return link
}

// token is the secret of a link.
func (s *site) token(link string) string { return link[len(s.base+"/auth/"):] }

// submits sends the form as the page does.
func submits(card methods.Card) deed {
	return func(s *site, link string) {
		s.t.Helper()
		next, err := s.NextAction(s.t.Context(), s.token(link))
		require.NoError(s.t, err)
		_, err = s.PaySession(s.t.Context(), s.token(link),
			gateway.Submission{Attempt: next.Attempt, Card: card, IP: "203.0.113.7"})
		require.NoError(s.t, err)
	}
}

func choice(r *gateway.SessionRequest) {
	r.Methods, r.Order.Currency = []string{"card", "paypal", "ips", "bank-transfer-cuil"}, "EUR"
}

func by(code, currency string) change {
	return func(r *gateway.SessionRequest) { r.Methods, r.Order.Currency = []string{code}, currency }
}

func collection(r *gateway.SessionRequest) {
	r.Methods = []string{"mobile-collection"}
	r.Parameters = []byte(`{"mobile-collection":{"accountId":"a-1","market":"GH","type":"PULL","currency":"USD"}}`)
}

// framed makes the merchant's page open in the whole window, which a redirect cannot do.
func framed(r *gateway.SessionRequest) { r.URLTarget = "_top" }

// faults sends an empty form, or one that a script would not send.
func faults(field string) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) {
		p.open(s.ready(language, nil, nil))
		if field == "" {
			p.leave(func() { p.press(payButton) })
			return
		}
		p.enter(field, "4111 1111 1111 1112")
		p.press(payButton)
		p.until(`document.querySelectorAll("[aria-invalid]").length > 1`)
	}
}

func chooses(code string) func(s *site, p *tab, language string) {
	return func(s *site, p *tab, language string) {
		p.open(s.ready(language, choice, nil))
		p.press(`input[type="radio"][value="` + code + `"]`)
	}
}

func named(s *site, _ string) {
	s.t.Helper()
	require.NoError(s.t, s.SaveMapping(s.t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, RequireName: true}))
}

func codeOver(s *site, link string) {
	submits(methods.Card{})(s, link)
	s.clock.forward(time.Minute + time.Second)
}

func answersWrong(s *site, link string) {
	s.t.Helper()
	submits(methods.Card{})(s, link)
	for _, answers := range []map[string]string{
		{"bankDetails.phoneNumber": "233201234567"}, {"bankDetails.otp": "000000"},
	} {
		_, err := s.AnswerSession(s.t.Context(), s.token(link), answers)
		require.NoError(s.t, err)
	}
}

func declinedTooOften(s *site, link string) {
	for range store.DefaultMaxDeclines {
		submits(gatewaytest.Declines)(s, link)
	}
}

func quits(s *site, link string) {
	s.t.Helper()
	_, err := s.LeaveSession(s.t.Context(), s.token(link))
	require.NoError(s.t, err)
}

func expires(s *site, _ string) { s.clock.forward(2 * time.Hour) }

func unknown(s *site, link string) { submits(gatewaytest.Card(9, 2038))(s, link) }

func nameless(r *gateway.SessionRequest) { r.Customer.Name = "" }
