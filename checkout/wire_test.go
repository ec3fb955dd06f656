package checkout_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/store"
)

// The paths under test.
const (
	pathSession = "/api/v1/session"
	pathStatus  = "/api/v1/payment/status"
	pathCapture = "/api/v1/payment/capture"
	pathRefund  = "/api/v1/payment/refund"
	pathVoid    = "/api/v1/payment/void"
)

// shop is a merchant's backend. It uses only the protocol, over a real connection.
type shop struct {
	*gatewaytest.Kit
	server *httptest.Server
}

// open starts a gateway and its server.
func open(t testing.TB, options ...gatewaytest.Option) *shop {
	t.Helper()
	s := &shop{Kit: gatewaytest.New(t, options...)}
	s.server = doortest.Serve(t, checkout.Handler(s.Gateway))
	return s
}

// answer is the answer of the server.
type answer struct {
	status int
	header http.Header
	body   string
}

// send posts a body with headers of "Name: value"; a body that is no *bytes.Reader is sent in chunks.
func (s *shop) send(t testing.TB, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+path, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header[name] = []string{value}
	}
	response, err := s.server.Client().Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, string(text)}
}

// post sends an object.
func (s *shop) post(t testing.TB, path string, body object) answer {
	t.Helper()
	return s.send(t, path, strings.NewReader(body.text()))
}

// ok is post of a request that has to succeed; the answer is decoded into a new T.
func ok[T any](t testing.TB, s *shop, path string, body object) T {
	t.Helper()
	got := s.post(t, path, body)
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"))
	var value T
	require.NoError(t, json.Unmarshal([]byte(got.body), &value), got.body)
	return value
}

// refusal is the error envelope (errors.md, "Envelopes").
type refusal struct {
	Code    *int     `json:"error_code"`
	Message *string  `json:"error_message"`
	Errors  *[]entry `json:"errors"`
}

type entry struct {
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
}

// refused decodes the envelope and checks its shape.
func refused(t testing.TB, got answer) refusal {
	t.Helper()
	require.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"), got.body)
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.DisallowUnknownFields()
	var r refusal
	require.NoError(t, decoder.Decode(&r), got.body)
	require.NotNil(t, r.Code, got.body)
	require.NotNil(t, r.Message, got.body)
	require.NotNil(t, r.Errors, got.body)
	return r
}

// requireFaults requires the envelope of a refused form with exactly these entries in this order.
func requireFaults(t testing.TB, got answer, messages ...string) {
	t.Helper()
	require.Equal(t, 400, got.status, got.body)
	r := refused(t, got)
	require.Equal(t, 0, *r.Code, got.body)
	require.Equal(t, "Request data is invalid.", *r.Message)
	require.Equal(t, messages, r.messages(t))
}

// requireError requires a single error of the catalogue: code 100000 is in the entry alone, any other code is
// repeated (decision an).
func requireError(t testing.TB, got answer, code int, message string) {
	t.Helper()
	require.Equal(t, 400, got.status, got.body)
	r := refused(t, got)
	require.Equal(t, []entry{{code, message}}, *r.Errors, got.body)
	if code == 100000 {
		code, message = 0, "Request data is invalid."
	}
	require.Equal(t, code, *r.Code, got.body)
	require.Equal(t, message, *r.Message)
}

// messages returns the texts of the entries. Each entry must have the code of validation, and no field two
// entries.
func (r refusal) messages(t testing.TB) (list []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range *r.Errors {
		require.Equal(t, 100000, e.Code)
		field, _, _ := strings.Cut(e.Message, ": ")
		require.False(t, seen[field], "one entry per field, %q has two", field)
		seen[field] = true
		list = append(list, e.Message)
	}
	return list
}

// records returns everything in the store.
func (s *shop) records(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, s.Store.View(t.Context(), func(r store.Reader) error {
		for e := range r.Scan(store.Range{Limit: 1 << 30}) {
			require.NoError(t, e.Err)
			all[string(e.Key)] = string(e.Value)
		}
		return nil
	}))
	return all
}

// raw is JSON as it is sent, valid or not.
type raw string

// object is a JSON object that edits can damage.
type object map[string]any

// text writes the object; its keys are sorted so that a failure can be repeated.
func (o object) text() string {
	var b strings.Builder
	b.WriteByte('{')
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(key) + ":" + encoded(o[key]))
	}
	b.WriteByte('}')
	return b.String()
}

func encoded(value any) string {
	switch v := value.(type) {
	case raw:
		return string(v)
	case object:
		return v.text()
	case string:
		return quote(v)
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// edit damages a body.
type edit func(object)

// set sets the field at a dotted path.
func set(path string, value any) edit {
	return func(o object) {
		names := strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			inner, ok := o[name].(object)
			if !ok {
				inner = object{}
				o[name] = inner
			}
			o = inner
		}
		o[names[len(names)-1]] = value
	}
}

// drop removes the field at a dotted path.
func drop(path string) edit {
	return func(o object) {
		names := strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			o = o[name].(object)
		}
		delete(o, names[len(names)-1])
	}
}

// purchase returns a session request that passes. It is edited and then signed, unless an edit was about the hash.
func purchase(edits ...edit) object {
	o := object{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase",
		"order":       object{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
		"success_url": "https://shop.example/success?cart=1", "cancel_url": "https://shop.example/cancel",
		"customer": object{"name": "John Doe", "email": "doe@example.com"},
		"hash":     toSign,
	}
	return o.edited(edits)
}

// toSign marks the place of the valid hash.
const toSign = "(hash)"

func (o object) edited(edits []edit) object {
	for _, change := range edits {
		change(o)
	}
	if o["hash"] == toSign {
		o["hash"] = o.sign(signature.MD5, gatewaytest.Password)
	}
	return o
}

// sign returns the valid hash of the body.
func (o object) sign(mode signature.Mode, password string) string {
	order, _ := o["order"].(object)
	in := signature.Inputs{
		OrderNumber: order.at("number"), Amount: order.at("amount"), Currency: order.at("currency"),
		Description: order.at("description"),
	}
	formula := signature.CheckoutSession
	switch {
	case o["operation"] != nil:
	case o["recurring_init_trans_id"] != nil || o["recurring_token"] != nil:
		in.RecurringInitTransID, in.RecurringToken = o.at("recurring_init_trans_id"), o.at("recurring_token")
		formula = signature.CheckoutRecurring
	case o["order_amount"] != nil:
		in = signature.Inputs{OrderID: o.at("order_id"), Amount: o.at("order_amount"), Currency: o.at("order_currency"),
			Description: o.at("order_description")}
		formula = signature.CheckoutCredit
	default:
		in = signature.Inputs{PaymentID: o.at("payment_id"), OrderID: o.at("order_id"), Amount: o.at("amount")}
		switch {
		case in.PaymentID == "" && in.OrderID != "":
			formula = signature.CheckoutOrder
		case in.Amount != "":
			formula = signature.CheckoutAmount
		default:
			formula = signature.CheckoutPayment
		}
	}
	return signature.Sign(formula, mode, in, password)
}

func (o object) at(name string) string {
	text, _ := o[name].(string)
	return text
}

// followUp returns a request about a payment, edited and then signed.
func followUp(id, amount string, edits ...edit) object {
	o := object{"merchant_key": gatewaytest.MerchantKey, "hash": toSign}
	if id != "" {
		o["payment_id"] = id
	}
	if amount != "" {
		o["amount"] = amount
	}
	return o.edited(edits)
}

// link creates a session by a request and returns the token of its link.
func (s *shop) link(t testing.TB, edits ...edit) string {
	t.Helper()
	body := ok[map[string]string](t, s, pathSession, purchase(edits...))
	require.Len(t, body, 1, "redirect_url and nothing else")
	token, found := strings.CutPrefix(body["redirect_url"], gatewaytest.PublicURL+"/auth/")
	require.True(t, found, body)
	return token
}

// settled returns a payment of ORD-1, 10.00 USD, that was paid.
func (s *shop) settled(t testing.TB, edits ...edit) store.Payment {
	t.Helper()
	next := s.Pay(t, s.link(t, edits...), gatewaytest.Settles)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	return s.Payment(t, "ORD-1")
}

// held is settled for an authorization.
func (s *shop) held(t testing.TB, edits ...edit) store.Payment {
	t.Helper()
	p := s.settled(t, append([]edit{set("auth", true)}, edits...)...)
	require.Equal(t, store.Pending, p.Status)
	return p
}
