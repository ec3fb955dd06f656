package kerneltest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// countedShop is every protocol and the page of a gateway, over a store that counts its calls.
type countedShop struct {
	*gatewaytest.Kit
	mux   *http.ServeMux
	store *kerneltest.CountedStore
}

func openCounted(t testing.TB) *countedShop {
	t.Helper()
	s := &countedShop{}
	s.Kit = gatewaytest.New(t, func(c *gateway.Config) {
		s.store = &kerneltest.CountedStore{Store: c.Store}
		c.Store = s.store
	})
	s.mux = kerneltest.EveryDoor(s.Kit)
	page.Register(s.mux, s.Gateway, page.Options{})
	return s
}

// request is a prepared request and its expected answer.
type request struct {
	method, path, contentType string
	body                      []byte
	header                    []string // name and value
	status                    int
	says                      string // part of the answer
}

func (s *countedShop) sends(t testing.TB, r request) {
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

func sessionRequest(t testing.TB, _ *countedShop) request {
	t.Helper()
	d := kerneltest.DoorNamed(t, "session purchase")
	o := d.Of("ORD-2", "10.00")
	o.Hash = d.Sign(o)
	return asJSON(t, d.Path, "redirect_url", d.Body(o).(map[string]any))
}

func saleForm() url.Values {
	form := url.Values{"hash": {signed(signature.Card1, signature.Inputs{Email: email, Card: pan})}}
	for name, value := range map[string]string{
		"action": "SALE", "client_key": gatewaytest.MerchantKey, "order_id": "ORD-1", "order_amount": "10.00",
		"order_currency": "USD", "order_description": "Product", "card_number": pan, "card_exp_month": "01",
		"card_exp_year": "2038", "card_cvv2": "000", "payer_first_name": "John", "payer_last_name": "Doe",
		"payer_address": "Big street", "payer_country": "US", "payer_state": "CA", "payer_city": "City",
		"payer_zip": "123456", "payer_email": email, "payer_phone": "199999999", "payer_ip": "123.123.123.123",
		"term_url_3ds": "https://shop.example/back",
	} {
		form.Set(name, value)
	}
	return form
}

func saleRequest(testing.TB, *countedShop) request {
	return asForm("/post", http.StatusOK, "SUCCESS", saleForm())
}

// sold makes an S2S sale, and returns its id.
func (s *countedShop) sold(t testing.TB) string {
	t.Helper()
	s.sends(t, saleRequest(t, s))
	return s.Payment(t, "ORD-1").ID
}

// about is a request about an S2S sale.
func about(action, says string) func(testing.TB, *countedShop) request {
	return func(t testing.TB, s *countedShop) request {
		t.Helper()
		id := s.sold(t)
		return asForm("/post", http.StatusOK, says, url.Values{
			"action": {action}, "client_key": {gatewaytest.MerchantKey}, "trans_id": {id},
			"hash": {signed(signature.Card2, signature.Inputs{Email: email, TransID: id, Card: pan})},
		})
	}
}

// paid pays a session of Checkout, and returns the id of the payment.
func (s *countedShop) paid(t testing.TB) string {
	t.Helper()
	kerneltest.Pay(t, s.Kit, "ORD-1", gatewaytest.Settles)
	return s.Payment(t, "ORD-1").ID
}

func statusRequest(t testing.TB, s *countedShop) request {
	t.Helper()
	id := s.paid(t)
	return asJSON(t, "/api/v1/payment/status", "settled", map[string]any{
		"merchant_key": gatewaytest.MerchantKey, "payment_id": id,
		"hash": signed(signature.CheckoutPayment, signature.Inputs{PaymentID: id}),
	})
}

func refundRequest(t testing.TB, s *countedShop) request {
	t.Helper()
	id := s.paid(t)
	return asJSON(t, "/api/v1/payment/refund", "accepted", map[string]any{
		"merchant_key": gatewaytest.MerchantKey, "payment_id": id, "amount": "10.00",
		"hash": signed(signature.CheckoutAmount, signature.Inputs{PaymentID: id, Amount: "10.00"}),
	})
}

func (s *countedShop) link(t testing.TB) string {
	t.Helper()
	session, err := s.CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.NoError(t, err)
	return strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL)
}

func pageView(t testing.TB, s *countedShop) request {
	t.Helper()
	return request{method: http.MethodGet, path: s.link(t), status: http.StatusOK, says: "card_number"}
}

func pagePayment(t testing.TB, s *countedShop) request {
	t.Helper()
	return asForm(s.link(t), http.StatusSeeOther, "", url.Values{
		"attempt": {"0"}, "card_number": {pan}, "expiry": {"01/2038"}, "cvv": {"123"}, "name": {"John Doe"},
	})
}

func hostedPayment(t testing.TB, s *countedShop) request {
	t.Helper()
	r := asJSON(t, "/api/v1/processing/purchase/card", "success", map[string]any{
		"name": "John Doe", "with_hosted_fields": true,
	})
	r.header = []string{"Token", kerneltest.HostedToken(t, s.Kit, "ORD-1", gatewaytest.Settles)}
	return r
}

// firstOnInstance is a session at an instance whose cache is empty.
func firstOnInstance(t testing.TB, s *countedShop) request {
	t.Helper()
	s.mux = kerneltest.EveryDoor(s.Twin(t))
	return sessionRequest(t, s)
}

// storeCalls are the store calls of each request, in an instance that has cached the merchant, except for the last
// row. No figure may get worse; if one gets better, the new one is written here. A request reads its merchant once:
// at most one key, one revision, and the configuration only if the revision has changed.
var storeCalls = []struct {
	name string
	make func(testing.TB, *countedShop) request
	kerneltest.StoreCalls
}{
	{"session", sessionRequest, kerneltest.StoreCalls{Views: 3, Updates: 1, Key: 1, Revision: 1}},
	{"S2S SALE", saleRequest, kerneltest.StoreCalls{Views: 4, Updates: 2, Key: 1, Revision: 1}},
	{"status", statusRequest, kerneltest.StoreCalls{Views: 3, Key: 1, Revision: 1}},
	{"S2S GET_TRANS_STATUS", about("GET_TRANS_STATUS", "SETTLED"), kerneltest.StoreCalls{Views: 3, Key: 1, Revision: 1}},
	{"refund", refundRequest, kerneltest.StoreCalls{Views: 5, Updates: 2, Key: 1, Revision: 1}},
	{"S2S CREDITVOID", about("CREDITVOID", "ACCEPTED"), kerneltest.StoreCalls{Views: 5, Updates: 2, Key: 1, Revision: 1}},
	{"page view", pageView, kerneltest.StoreCalls{Views: 2, Revision: 1}},
	{"page payment", pagePayment, kerneltest.StoreCalls{Views: 8, Updates: 2, Revision: 2}},
	{"hosted payment", hostedPayment, kerneltest.StoreCalls{Views: 7, Updates: 2, Revision: 2}},
	{"session, first of an instance", firstOnInstance,
		kerneltest.StoreCalls{Views: 3, Updates: 1, Key: 1, Revision: 1, Profile: 6}},
}

func TestStoreCalls(t *testing.T) {
	t.Parallel()
	again := 0
	for _, c := range storeCalls {
		t.Run(c.name, func(t *testing.T) {
			s := openCounted(t)
			_, err := s.CreateSession(t.Context(), gatewaytest.Request("ORD-0", "10.00")) // caches the merchant
			require.NoError(t, err)
			r := c.make(t, s)
			s.store.Calls()
			s.sends(t, r)
			got := s.store.Calls()
			if got.Key > 1 || got.Revision > 1 {
				again++
			}
			t.Logf("storecalls: request=%q views=%d updates=%d key=%d revision=%d configuration=%d",
				c.name, got.Views, got.Updates, got.Key, got.Revision, got.Profile)
			require.Equal(t, c.StoreCalls, got, "nothing may get worse; what got better is written into storeCalls")
		})
	}
	t.Logf("storecalls: requests=%d that_read_their_merchant_again=%d", len(storeCalls), again)
}
