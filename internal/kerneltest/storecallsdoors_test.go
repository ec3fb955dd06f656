package kerneltest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// countedShop is every protocol and the page of a gateway, over a store that counts its calls.
type countedShop struct {
	*gatewaytest.Kit
	mux    *http.ServeMux
	store  *kerneltest.CountedStore
	script *kerneltest.ScriptedConnector // the acquirer, where it is one
	fields string                        // id of the session of Hosted Payment Fields, where there is one
}

// open opens the shop, with a gateway that has cached the merchant.
func (s *countedShop) open(t testing.TB, options ...gatewaytest.Option) {
	t.Helper()
	s.serve(t, gatewaytest.New(t, append(options, takesCoins, s.count)...))
}

func takesCoins(c *gateway.Config) { c.Crypto = []methods.Currency{{Code: "USDT", Exponent: 2}} }

// count is the last option: it counts the calls of the store that the others leave.
func (s *countedShop) count(c *gateway.Config) {
	s.store = &kerneltest.CountedStore{Store: c.Store}
	c.Store = s.store
}

func (s *countedShop) serve(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	s.Kit, s.mux = kit, kerneltest.EveryDoor(kit)
	page.Register(s.mux, s.Gateway, page.Options{})
	_, err := s.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-0", "10.00"))
	require.NoError(t, err)
}

// request is a prepared request and its expected answer.
type request struct {
	method, path, contentType string
	body                      []byte
	header                    []string // name and value
	status                    int
	says                      string // part of the answer
}

func (s *countedShop) sends(t testing.TB, r request) string {
	t.Helper()
	sent := httptest.NewRequestWithContext(t.Context(), r.method, r.path, bytes.NewReader(r.body))
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	for i := 0; i+1 < len(r.header); i += 2 {
		sent.Header.Set(r.header[i], r.header[i+1])
	}
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, sent)
	require.Equal(t, r.status, w.Code, w.Body.String())
	require.Contains(t, w.Body.String(), r.says)
	return w.Body.String()
}

// over makes a request ready that goes over HTTP.
func over(ready func(testing.TB, *countedShop) request, options ...gatewaytest.Option) making {
	return func(t testing.TB, s *countedShop) func() {
		s.open(t, options...)
		r := ready(t, s)
		return func() { s.sends(t, r) }
	}
}

func asJSON(t testing.TB, path, says string, body map[string]any) request {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	return request{method: http.MethodPost, path: path, contentType: "application/json", body: text,
		status: http.StatusOK, says: says}
}

func asForm(path string, status int, says string, form url.Values) request {
	return request{method: http.MethodPost, path: path, contentType: "application/x-www-form-urlencoded",
		body: []byte(form.Encode()), status: status, says: says}
}

func signed(f signature.Formula, in signature.Inputs) string {
	return signature.Sign(f, signature.MD5, in, gatewaytest.Password)
}

const (
	pan   = "4111111111111111"
	email = "doe@example.com"
)

// atDoor is a request that is signed over its order.
func atDoor(name string) making {
	return func(t testing.TB, s *countedShop) func() {
		s.open(t)
		shop := &kerneltest.SignedShop{Kit: s.Kit, Handler: s.mux}
		d := kerneltest.DoorNamed(t, name)
		if name == "recurring" {
			shop.Chain = kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		}
		return func() { shop.Takes(t, d, d.Of("ORD-2", "10.00")) }
	}
}

// firstOfInstance is a session at an instance whose cache is empty.
func firstOfInstance(t testing.TB, s *countedShop) func() {
	s.open(t)
	shop := &kerneltest.SignedShop{Kit: s.Kit, Handler: kerneltest.EveryDoor(s.Twin(t))}
	d := kerneltest.DoorNamed(t, "session purchase")
	return func() { shop.Takes(t, d, d.Of("ORD-2", "10.00")) }
}

var checkoutEntries = []entry{
	{name: "POST /api/v1/session", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: atDoor("session purchase")},
	{name: "POST /api/v1/session, first of an instance",
		asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1, Profile: 6},
		make:  firstOfInstance},
	{name: "POST /api/v1/payment/recurring", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("recurring")},
	{name: "POST /api/v1/payment/card/credit", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("card credit")},
	{name: "POST /api/v1/payment/status", asked: asked{Views: 3, Key: 1, Revision: 1},
		make: over(ofPayment("status", "", "settled", paid))},
	{name: "POST /api/v1/payment/capture", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: over(ofPayment("capture", "10.00", "SUCCESS", held))},
	{name: "POST /api/v1/payment/refund", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: over(ofPayment("refund", "10.00", "accepted", paid))},
	{name: "POST /api/v1/payment/void", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: over(ofPayment("void", "", "SUCCESS", paid))},
	{name: "POST /api/v1/payment/retry", asked: asked{Views: 6, Updates: 2, Key: 1, Revision: 1},
		make: over(ofPayment("retry", "", "accepted", declinedLater))},
}

// ofPayment is a request of Checkout about a payment.
func ofPayment(verb, amount, says string,
	payment func(testing.TB, *countedShop) string) func(testing.TB, *countedShop) request {
	return func(t testing.TB, s *countedShop) request {
		t.Helper()
		in := signature.Inputs{PaymentID: payment(t, s), Amount: amount}
		body, formula := map[string]any{"merchant_key": gatewaytest.MerchantKey, "payment_id": in.PaymentID},
			signature.CheckoutPayment
		if amount != "" {
			body["amount"], formula = amount, signature.CheckoutAmount
		}
		body["hash"] = signed(formula, in)
		return asJSON(t, "/api/v1/payment/"+verb, says, body)
	}
}

func paid(t testing.TB, s *countedShop) string {
	t.Helper()
	return kerneltest.Pay(t, s.Kit, "ORD-1", gatewaytest.Settles).ID
}

func held(t testing.TB, s *countedShop) string {
	t.Helper()
	return kerneltest.Pay(t, s.Kit, "ORD-1", gatewaytest.Settles, kerneltest.Held).ID
}

// declinedLater is a later payment that may be tried again.
func declinedLater(t testing.TB, s *countedShop) string {
	t.Helper()
	first := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	s.Vcard.Next(vcard.SoftDecline("Insufficient funds"))
	return kerneltest.Recurred(t, s.Kit, kerneltest.LaterOf(first, "ORD-2")).Payment.ID
}

var hpfEntries = []entry{
	{name: "POST /api/v1/session/token", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: atDoor("token purchase")},
	{name: "PUT /api/v1/session/update", asked: asked{Views: 4, Updates: 1, Revision: 1},
		make: over(hostedUpdate)},
	{name: "POST /api/v1/processing/purchase/card", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: over(hostedPayment("purchase"))},
	{name: "POST /api/v1/processing/purchase/card, of a session that changes",
		asked: asked{Views: 7, Updates: 3, Revision: 1},
		make:  changesBelow(hostedPayment("purchase"))},
	{name: "PUT /api/v1/session/update, of a session that changes",
		asked: asked{Views: 6, Updates: 2, Revision: 1}, make: changesBelow(hostedUpdate)},
	{name: "POST /api/v1/processing/debit/card", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: over(hostedPayment("debit"))},
	{name: "GET /sdk/frame/", asked: asked{Views: 3, Revision: 1},
		make: over(hostedFrame)},
	{name: "GET /sdk/frame/{file}", asked: asked{},
		make: over(get("/sdk/frame/none.js", http.StatusNotFound))},
	{name: "GET /sdk/{file}", asked: asked{},
		make: over(get("/sdk/none.js", http.StatusNotFound))},
	{name: "POST /sdk/collect", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: over(hostedCard)},
}

func hosted(t testing.TB, s *countedShop, operation string) string {
	t.Helper()
	r := kerneltest.HostedRequest("ORD-1")
	r.Operation = operation
	session, err := s.Shop().CreateHosted(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, s.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
	s.fields = session.ID
	return session.Token
}

func hostedPayment(operation string) func(testing.TB, *countedShop) request {
	return func(t testing.TB, s *countedShop) request {
		t.Helper()
		r := asJSON(t, "/api/v1/processing/"+operation+"/card", "return_url_query_params", map[string]any{
			"name": "John Doe", "with_hosted_fields": true,
		})
		r.header = []string{"Token", hosted(t, s, operation)}
		return r
	}
}

func hostedUpdate(t testing.TB, s *countedShop) request {
	t.Helper()
	r := asJSON(t, "/api/v1/session/update", "", map[string]any{"order_amount": "12.00"})
	r.method, r.header = http.MethodPut, []string{"Token", hosted(t, s, "purchase")}
	return r
}

// changesBelow makes a request ready whose session changes once before the request can write.
func changesBelow(ready func(testing.TB, *countedShop) request) making {
	return func(t testing.TB, s *countedShop) func() {
		late := &lateChange{}
		s.open(t, late.option)
		r := ready(t, s)
		return func() {
			late.change = s.changesFields
			s.sends(t, r)
			require.Nil(t, late.change, "it was made")
		}
	}
}

func hostedCard(t testing.TB, s *countedShop) request {
	t.Helper()
	r := asJSON(t, "/sdk/collect", "success", map[string]any{"card_number": pan, "expiry": "01/38", "cvv": "739"})
	r.header = []string{"Token", hosted(t, s, "purchase"), "Sec-Fetch-Site", "same-origin"}
	return r
}

func hostedFrame(t testing.TB, s *countedShop) request {
	t.Helper()
	hosted(t, s, "purchase")
	return request{method: http.MethodGet, path: "/sdk/frame/cvv.html?session=" + s.fields, status: http.StatusOK}
}

func get(path string, status int) func(testing.TB, *countedShop) request {
	return func(testing.TB, *countedShop) request {
		return request{method: http.MethodGet, path: path, status: status}
	}
}
