package s2s_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// fields are the parameters of a request.
type fields map[string]string

// with returns a copy with some parameters changed; an empty value removes one.
func (f fields) with(pairs ...string) fields {
	copied := maps.Clone(f)
	for i := 0; i < len(pairs); i += 2 {
		copied[pairs[i]] = pairs[i+1]
		if pairs[i+1] == "" {
			delete(copied, pairs[i])
		}
	}
	return copied
}

func (f fields) encode() string {
	form := url.Values{}
	for name, value := range f {
		form.Set(name, value)
	}
	return form.Encode()
}

// shop is a merchant that calls the real server.
type shop struct {
	*gatewaytest.Kit
	server *httptest.Server
}

func open(t testing.TB, options ...gatewaytest.Option) *shop {
	t.Helper()
	kit := gatewaytest.New(t, append(options, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6}}
	})...)
	return &shop{kit, doortest.Serve(t, s2s.Handler(kit.Gateway))}
}

// answer is the answer to a merchant.
type answer struct {
	status int
	text   string
	body   map[string]any
}

func (a answer) get(name string) string { s, _ := a.body[name].(string); return s }

// order returns the names of the members in the order of the answer.
func (a answer) order(t testing.TB) (names []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(a.text))
	_, err := decoder.Token()
	require.NoError(t, err)
	for decoder.More() {
		name, err := decoder.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var skipped json.RawMessage
		require.NoError(t, decoder.Decode(&skipped))
	}
	return names
}

// errors returns the texts of errors[].
func (a answer) errors() (texts []string) {
	list, _ := a.body["errors"].([]any)
	for _, entry := range list {
		texts = append(texts, entry.(map[string]any)["error_message"].(string))
	}
	return texts
}

func (s *shop) send(t testing.TB, path string, f fields) answer {
	t.Helper()
	return s.raw(t, path, "application/x-www-form-urlencoded", f.encode())
}

func (s *shop) raw(t testing.TB, path, contentType, body string) answer {
	t.Helper()
	response, err := s.server.Client().Post(s.server.URL+path, contentType, strings.NewReader(body))
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	a := answer{status: response.StatusCode, text: string(text)}
	require.NoError(t, json.Unmarshal(text, &a.body), a.text)
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	return a
}

func multiparted(t testing.TB, f fields) (contentType, body string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for name, value := range f {
		require.NoError(t, w.WriteField(name, value))
	}
	require.NoError(t, w.Close())
	return w.FormDataContentType(), out.String()
}

// signed adds the hash of a formula over the inputs.
func signed(f fields, formula signature.Formula, in signature.Inputs) fields {
	return f.with("hash", signature.Sign(formula, signature.MD5, in, gatewaytest.Password))
}

const (
	pan   = "4111111111111111"
	email = "doe@example.com"
)

// sale returns the SALE of the documents' sample.
func sale(order string) fields {
	return signSale(fields{
		"action": "SALE", "client_key": gatewaytest.MerchantKey, "order_id": order, "order_amount": "10.00",
		"order_currency": "USD", "order_description": "Product", "card_number": pan, "card_exp_month": "01",
		"card_exp_year": "2038", "card_cvv2": "000", "payer_first_name": "John", "payer_last_name": "Doe",
		"payer_address": "Big street", "payer_country": "US", "payer_state": "CA", "payer_city": "City",
		"payer_zip": "123456", "payer_email": email, "payer_phone": "199999999", "payer_ip": "123.123.123.123",
		"term_url_3ds": "http://client.site.com/return.php",
	})
}

// signSale signs by Formula 1, or by its variant for the instrument.
func signSale(f fields) fields {
	card := f["card_number"]
	if f["payer_card_number"] != "" {
		card = f["payer_card_number"]
	}
	formula := signature.Card1
	switch {
	case card != "":
	case f["card_token"] != "":
		formula = signature.Card1Token
	case f["payment_token"] != "":
		formula = signature.Card8
	}
	return signed(f, formula, signature.Inputs{Email: f["payer_email"], Card: card, CardToken: f["card_token"]})
}

// expires sets the expiry to one of the documented test cards.
func (f fields) expires(month, year string) fields {
	return f.with("card_exp_month", month, "card_exp_year", year)
}

// follow returns a follow-up on a card payment.
func follow(action, id string, pairs ...string) fields {
	f := fields{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}.with(pairs...)
	return signed(f, signature.Card2, signature.Inputs{Email: email, TransID: id, Card: pan})
}

// apm returns a SALE of the test brand.
func apm(order string) fields {
	return signAPM(fields{
		"action": "SALE", "client_key": gatewaytest.MerchantKey, "brand": "vcard", "order_id": order,
		"order_amount": "10.00", "order_currency": "USD", "order_description": "Product",
		"identifier": "success@gmail.com", "payer_ip": "123.123.123.123", "payer_email": email,
		"return_url": "http://client.site.com/return.php",
	})
}

func signAPM(f fields) fields {
	return signed(f, signature.APMSale, signature.Inputs{
		Identifier: f["identifier"], OrderID: f["order_id"], Amount: f["order_amount"], Currency: f["order_currency"],
	})
}

func signPayout(f fields) fields {
	return signed(f, signature.APMCredit,
		signature.Inputs{OrderID: f["order_id"], Amount: f["order_amount"], Currency: f["order_currency"]})
}

// followAPM returns a follow-up on an APM payment.
func followAPM(action, id string, pairs ...string) fields {
	f := fields{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}.with(pairs...)
	formula := signature.APMTrans
	if action == "CREDITVOID" {
		formula = signature.APMCreditvoid
	}
	return signed(f, formula, signature.Inputs{TransID: id})
}

// plan returns a request about schedules.
func plan(action string, pairs ...string) fields {
	f := fields{"action": action, "client_key": gatewaytest.MerchantKey}.with(pairs...)
	formula := signature.Card4
	if action == "CREATE_SCHEDULE" {
		formula = signature.Card3
	}
	return signed(f, formula, signature.Inputs{ScheduleID: f["schedule_id"]})
}

// ok sends a request that must have this result and status.
func (s *shop) ok(t testing.TB, path string, f fields, result, status string) answer {
	t.Helper()
	a := s.send(t, path, f)
	require.Equal(t, http.StatusOK, a.status, a.text)
	require.Equal(t, result, a.get("result"), a.text)
	require.Equal(t, status, a.get("status"), a.text)
	return a
}

// mapping changes the Protocol Mapping of the merchant.
func (s *shop) mapping(t testing.TB, m store.Mapping) {
	t.Helper()
	m.MerchantID = gatewaytest.MerchantID
	require.NoError(t, s.SaveMapping(t.Context(), m))
}
