package hpf_test

import (
	"encoding/base64"
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
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The paths under test.
const (
	pathToken    = "/api/v1/session/token"
	pathUpdate   = "/api/v1/session/update"
	pathPurchase = "/api/v1/processing/purchase/card"
	pathDebit    = "/api/v1/processing/debit/card"
)

const blank = ": This value should not be blank."

// shop is a merchant's backend that uses the protocol over a real connection.
type shop struct {
	*gatewaytest.Kit
	server *httptest.Server
}

func open(t testing.TB, options ...gatewaytest.Option) *shop {
	return openBehind(t, hpf.Options{}, options...)
}

func openBehind(t testing.TB, opts hpf.Options, options ...gatewaytest.Option) *shop {
	t.Helper()
	s := &shop{Kit: gatewaytest.New(t, options...)}
	s.server = doortest.Serve(t, hpf.Handler(s.Gateway, opts))
	return s
}

type answer struct {
	status int
	header http.Header
	body   string
}

// send makes a request with headers of "Name: value".
func (s *shop) send(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.server.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header[name] = append([]string{}, value)
	}
	response, err := s.server.Client().Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	for name := range response.Header {
		require.False(t, strings.HasPrefix(name, "Access-Control-"), "no CORS header, ever")
	}
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))
	return answer{response.StatusCode, response.Header, string(text)}
}

func methodOf(path string) string {
	if path == pathUpdate {
		return http.MethodPut
	}
	return http.MethodPost
}

// under sends a body with a token.
func (s *shop) under(t testing.TB, token, path string, body object, headers ...string) answer {
	t.Helper()
	return s.send(t, methodOf(path), path, body.text(), append([]string{"Token: " + token}, headers...)...)
}

// token creates a session by a request and returns its token.
func (s *shop) token(t testing.TB, edits ...edit) string {
	t.Helper()
	got := s.send(t, http.MethodPost, pathToken, purchase(edits...).text())
	require.Equal(t, 200, got.status, got.body)
	body := map[string]string{}
	require.NoError(t, json.Unmarshal([]byte(got.body), &body))
	require.Len(t, body, 1, "token and nothing else")
	return body["token"]
}

// collected is token for a session with a collected card.
func (s *shop) collected(t testing.TB, card methods.Card, edits ...edit) string {
	t.Helper()
	token := s.token(t, edits...)
	s.collect(t, token, card)
	return token
}

func (s *shop) collect(t testing.TB, token string, card methods.Card) {
	t.Helper()
	require.NoError(t, s.HostedFields().Collect(t.Context(), token, card))
}

func (s *shop) update(t testing.TB, token string, edits ...edit) {
	t.Helper()
	got := s.under(t, token, pathUpdate, object{}.edited(edits))
	require.Equal(t, 200, got.status, got.body)
	require.JSONEq(t, `{"result":"success"}`, got.body)
}

// paid is the answer to a payment.
type paid struct {
	Result  string                 `json:"result"`
	URL     string                 `json:"redirect_url"`
	Params  *[]store.RedirectParam `json:"redirect_params"`
	Message string                 `json:"decline_message"`
	ID      string                 `json:"public_id"`
	Return  map[string]string      `json:"return_url_query_params"`
	Token   string                 `json:"recurring_token"`
	Init    string                 `json:"recurring_init_trans_id"`
	First   string                 `json:"first_recurring_date"`
}

func (s *shop) pay(t testing.TB, token string, edits ...edit) paid {
	t.Helper()
	got := s.under(t, token, pathPurchase, payment(edits...))
	require.Equal(t, 200, got.status, got.body)
	return decodePaid(t, got.body)
}

func decodePaid(t testing.TB, text string) (p paid) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&p), text)
	require.NotEmpty(t, p.ID)
	return p
}

func (s *shop) mapping(t testing.TB, change func(*store.Mapping)) {
	t.Helper()
	m := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout}
	change(&m)
	require.NoError(t, s.SaveMapping(t.Context(), m))
}

// refusal is the error envelope (errors.md, "Envelopes").
type refusal struct {
	Code    *int    `json:"error_code"`
	Message *string `json:"error_message"`
	Errors  *[]struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	} `json:"errors"`
}

func refused(t testing.TB, text string) refusal {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	var r refusal
	require.NoError(t, decoder.Decode(&r), text)
	require.NotNil(t, r.Code, text)
	require.NotNil(t, r.Message, text)
	require.NotNil(t, r.Errors, text)
	return r
}

// requireFaults requires a refused form with exactly these entries in this order.
func requireFaults(t testing.TB, got answer, messages ...string) {
	t.Helper()
	require.Equal(t, 400, got.status, got.body)
	r := refused(t, got.body)
	require.Equal(t, 0, *r.Code, got.body)
	require.Equal(t, "Request data is invalid.", *r.Message)
	var list []string
	for _, e := range *r.Errors {
		require.Equal(t, 100000, e.Code)
		list = append(list, e.Message)
	}
	require.Equal(t, messages, list)
}

// requireError requires a single error of the catalogue, here of code 100000 (decision an).
func requireError(t testing.TB, got answer, message string) {
	t.Helper()
	requireFaults(t, got, message)
}

// requireForbidden requires 403 and the page.
func requireForbidden(t testing.TB, got answer) {
	t.Helper()
	require.Equal(t, 403, got.status, got.body)
	require.Equal(t, "text/html; charset=utf-8", got.header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(got.body, "<!DOCTYPE html>"))
	require.NotContains(t, got.body, "<script")
	require.Less(t, len(got.body), 1024)
	require.Equal(t, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		got.header.Get("Content-Security-Policy"))
	require.Equal(t, "DENY", got.header.Get("X-Frame-Options"))
	require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"))
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

// object is a JSON object that edits can damage; its keys are written in order.
type object map[string]any

func (o object) text() string {
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	members := make([]string, len(keys))
	for i, key := range keys {
		members[i] = encoded(key) + ":" + encoded(o[key])
	}
	return "{" + strings.Join(members, ",") + "}"
}

func encoded(value any) string {
	switch v := value.(type) {
	case raw:
		return string(v)
	case object:
		return v.text()
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
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

func drop(name string) edit { return func(o object) { delete(o, name) } }

func (o object) edited(edits []edit) object {
	for _, change := range edits {
		change(o)
	}
	return o
}

// toSign marks the place of the valid hash.
const toSign = "(hash)"

// purchase returns a token request that passes. It is edited and then signed, unless an edit was about the hash.
func purchase(edits ...edit) object {
	o := object{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase",
		"order":      object{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
		"return_url": "https://shop.example/return?cart=1", "hash": toSign,
	}.edited(edits)
	if order, ok := o["order"].(object); ok && o["hash"] == toSign {
		text := func(name string) string { value, _ := order[name].(string); return value }
		o["hash"] = signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
			OrderNumber: text("number"), Amount: text("amount"), Currency: text("currency"), Description: text("description"),
		}, gatewaytest.Password)
	}
	return o
}

// payment returns a payment request that passes.
func payment(edits ...edit) object {
	return object{"name": "John Doe", "with_hosted_fields": true}.edited(edits)
}

// do is send without a connection.
func do(t testing.TB, gw *gateway.Gateway, token, path string, body []byte) hpf.Response {
	header := map[string][]string{"Content-Type": {"application/json"}}
	if token != "" {
		header["Token"] = []string{token}
	}
	return hpf.Do(t.Context(), gw, hpf.Request{Method: methodOf(path), Path: path, Header: header, Address: "203.0.113.7",
		Body: body})
}

func tokenIn(t testing.TB, got answer) string {
	t.Helper()
	var body struct {
		Token string `json:"token"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.body), &body))
	return body.Token
}

// sessionOf returns the id of the session that a token opens.
func (s *shop) sessionOf(t testing.TB, token string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	return string(text[32:])
}
