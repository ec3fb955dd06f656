package kerneltest_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

var pageEntries = []entry{
	{name: "GET /auth/{token}", asked: asked{Views: 2, Revision: 1},
		make: over(toPage(http.MethodGet, "", http.StatusOK))},
	{name: "POST /auth/{token}", asked: asked{Views: 6, Updates: 2, Revision: 1},
		make: over(pagePayment)},
	{name: "POST /auth/{token}, refused", asked: asked{Views: 2, Revision: 1},
		make: over(toPage(http.MethodPost, "", http.StatusUnprocessableEntity))},
	{name: "GET /auth/{token}/qr.png", asked: asked{Views: 2, Revision: 1},
		make: over(pageCode)},
	{name: "GET /auth/{token}/answer", asked: asked{},
		make: over(toPage(http.MethodGet, "/answer", http.StatusSeeOther))},
	{name: "POST /auth/{token}/answer", asked: asked{Views: 6, Updates: 2, Revision: 1},
		make: scripted(asksForCode, pageAnswer)},
	{name: "GET /auth/{token}/cancel", asked: asked{},
		make: over(toPage(http.MethodGet, "/cancel", http.StatusSeeOther))},
	{name: "POST /auth/{token}/cancel", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: over(toPage(http.MethodPost, "/cancel", http.StatusSeeOther))},
	{name: "POST /auth/{token}/wallet", asked: asked{Views: 2, Revision: 1},
		make: pageWallet},
	{name: "GET /return/{token}", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: scripted(sendsAway, pageReturn(http.MethodGet))},
	{name: "POST /return/{token}", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: scripted(sendsAway, pageReturn(http.MethodPost))},
	{name: "POST /return/{token}, torn", asked: asked{Views: 3, Revision: 1},
		make: scripted(sendsAway, tornReturn)},
	{name: "POST /return/{token}, failing", asked: asked{Views: 5, Updates: 1, Revision: 1}, make: failingReturn},
	{name: "GET /notify/{token}", asked: asked{Views: 2, Revision: 1},
		make: notice(http.MethodGet)},
	{name: "POST /notify/{token}", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: notice(http.MethodPost)},
	{name: "GET /page/assets/{file}", asked: asked{},
		make: over(get("/page/assets/none.css", http.StatusNotFound))},
}

// toPage is a request to the page of a new session.
func toPage(method, below string, status int) func(testing.TB, *countedShop) request {
	return func(t testing.TB, s *countedShop) request {
		t.Helper()
		r := asForm("/auth/"+s.Session(t, "ORD-1", "10.00")+below, status, "", url.Values{"attempt": {"0"}})
		r.method = method
		return r
	}
}

func pagePayment(t testing.TB, s *countedShop) request {
	t.Helper()
	return asForm("/auth/"+s.Session(t, "ORD-1", "10.00"), http.StatusSeeOther, "", url.Values{
		"attempt": {"0"}, "card_number": {pan}, "expiry": {"01/2038"}, "cvv": {"123"}, "name": {"John Doe"},
	})
}

func pageCode(t testing.TB, s *countedShop) request {
	t.Helper()
	token := kerneltest.ByMethod(s.Kit, t.(*testing.T), "ips", "EUR")
	require.Equal(t, gateway.ActionDisplay, kerneltest.Submit(s.Kit, t.(*testing.T), token, gateway.Submission{}).Kind)
	return request{method: http.MethodGet, path: "/auth/" + token + "/qr.png", status: http.StatusOK}
}

// prompted is the page of a payer who is asked for a code.
func prompted(t testing.TB, s *countedShop) string {
	t.Helper()
	token := s.SessionOf(t, kerneltest.CodeSession("ORD-1"))
	require.Equal(t, gateway.ActionPrompt, kerneltest.Submit(s.Kit, t.(*testing.T), token, gateway.Submission{}).Kind)
	return token
}

func pageAnswer(t testing.TB, s *countedShop) request {
	t.Helper()
	return asForm("/auth/"+prompted(t, s)+"/answer", http.StatusSeeOther, "", url.Values{"answer.otp": {"123456"}})
}

// offersApplePay opens the shop with the two wallets; it returns the token of a session that offers one.
func offersApplePay(t testing.TB, s *countedShop) string {
	t.Helper()
	kit := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true), s.count)
	s.serve(t, kit.Kit)
	return s.SessionOf(t, kerneltest.Offering("ORD-1", "10.00", "USD", "card", wallet.ApplePay))
}

// pageWallet asks for a merchant session at an address that is none of the wallet's.
func pageWallet(t testing.TB, s *countedShop) func() {
	token := offersApplePay(t, s)
	r := asForm("/auth/"+token+"/wallet", http.StatusBadRequest, "",
		url.Values{"validation_url": {"https://a.example/"}})
	r.header = []string{"Sec-Fetch-Site", "same-origin"}
	return func() { s.sends(t, r) }
}

// sendsAway sends every payer to a bank, and believes each that comes back.
func sendsAway() *kerneltest.ScriptedConnector {
	return &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToBank,
		OnComplete: func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }}
}

// away is the return link of a payer at a bank.
func away(t testing.TB, s *countedShop) string {
	t.Helper()
	kerneltest.SendAway(t, s.Kit, gatewaytest.Settles)
	return kerneltest.ReturnToken(t, s.script.Operation(0))
}

// scripted makes a request ready at a shop with a connector of its own.
func scripted(connector func() *kerneltest.ScriptedConnector, ready func(testing.TB, *countedShop) request) making {
	return func(t testing.TB, s *countedShop) func() {
		s.script = connector()
		return over(ready, s.script.Option)(t, s)
	}
}

func asksForCode() *kerneltest.ScriptedConnector { return kerneltest.AsksForCode(kerneltest.Approves) }

func pageReturn(method string) func(testing.TB, *countedShop) request {
	return func(t testing.TB, s *countedShop) request {
		t.Helper()
		r := asForm("/return/"+away(t, s), http.StatusSeeOther, "", url.Values{})
		r.method = method
		return r
	}
}

// tornReturn comes back with a form that cannot be read.
func tornReturn(t testing.TB, s *countedShop) request {
	t.Helper()
	r := asForm("/return/"+away(t, s), http.StatusBadRequest, "", nil)
	r.body = []byte("%zz")
	return r
}

// failingReturn is a return that the store does not take. The page shows the payer where they are.
func failingReturn(t testing.TB, s *countedShop) func() {
	late := &lateChange{}
	s.script = sendsAway()
	s.open(t, s.script.Option, late.option)
	r := asForm("/return/"+away(t, s), http.StatusInternalServerError, "", url.Values{})
	return func() {
		late.change = func(store.Tx) error { return errors.New("no space left") }
		s.sends(t, r)
	}
}

// noticed is the notification of an acquirer about a payment in doubt, and the token of its link.
func noticed(t testing.TB, s *countedShop) (string, methods.Note) {
	t.Helper()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, 0), true, s.count)
	s.serve(t, kit)
	s.Vcard.Next(vcard.UnknownAfter())
	r := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles)
	op := spy.Sends(r.Transaction.ID)[0]
	note, err := s.Vcard.Notify(t.Context(), op.Key)
	require.NoError(t, err)
	return kerneltest.NotifyToken(t, op), note
}

func notice(method string) making {
	return func(t testing.TB, s *countedShop) func() {
		token, note := noticed(t, s)
		r := request{method: method, path: "/notify/" + token + "?" + url.Values(note.Query).Encode(), body: note.Body,
			status: http.StatusOK}
		for name, values := range note.Header {
			r.header = append(r.header, name, values[0])
		}
		return func() { s.sends(t, r) }
	}
}
