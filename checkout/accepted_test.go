package checkout_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// accepted is a session request that looks wrong but is valid.
type accepted struct {
	name    string
	edits   []edit
	body    string
	headers []string
	check   func(*testing.T, *store.Session) // nil: it only has to be stored
}

func fine(name string, edits ...edit) accepted { return accepted{name: name, edits: edits} }

func then(name string, check func(*testing.T, *store.Session), edits ...edit) accepted {
	return accepted{name: name, edits: edits, check: check}
}

func amountIs(amount, currency string) func(*testing.T, *store.Session) {
	return func(t *testing.T, s *store.Session) {
		require.Equal(t, amount, s.Order.Amount, "as it was sent")
		require.Equal(t, currency, s.Order.Currency)
	}
}

func holds(want bool) func(*testing.T, *store.Session) {
	return func(t *testing.T, s *store.Session) { require.Equal(t, want, s.Hold) }
}

func lasts(minutes int) func(*testing.T, *store.Session) {
	return func(t *testing.T, s *store.Session) {
		require.Equal(t, time.Duration(minutes)*time.Minute, s.ExpiresAt.Sub(s.CreatedAt))
	}
}

var acceptedInputs = []accepted{
	then("yen as an integer", amountIs("100", "JPY"), of("JPY", "100")),
	then("yen with decimals of nothing", amountIs("100.00", "JPY"), of("JPY", "100.00")),
	fine("dong", of("VND", "250000.00")),
	fine("dinars with three decimals", of("KWD", "1.000")),
	fine("four decimals", of("CLF", "1.0000")),
	then("18 decimals", amountIs("0.000000000000000001", "WEI"), of("WEI", "0.000000000000000001"),
		set("methods", raw(`["vcard"]`))), // crypto has no card
	fine("the largest amount", of("USD", "999999999999999.99")),
	fine("a cent", of("USD", "0.01")),
	then("auth true", holds(true), set("auth", true)),
	then(`auth "true"`, holds(true), set("auth", "true")),
	then(`auth "Y"`, holds(true), set("auth", "Y")),
	then("auth false", holds(false), set("auth", false)),
	then(`auth "false"`, holds(false), set("auth", "false")),
	then(`auth "N"`, holds(false), set("auth", "N")),
	then("auth empty", holds(false), set("auth", "")),
	then("auth null", holds(false), set("auth", raw("null"))),
	fine("req_token Y", set("req_token", "Y")),
	fine(`recurring_init "true"`, set("recurring_init", "true")),
	fine("vat_calc N", set("vat_calc", "N")),
	then("expiry as text", lasts(15), set("session_expiry", "15")),
	then("expiry as a number", lasts(15), set("session_expiry", 15)),
	then("expiry empty", lasts(60), set("session_expiry", "")),
	then("expiry null", lasts(60), set("session_expiry", raw("null"))),
	then("expiry 1", lasts(1), set("session_expiry", 1)),
	then("expiry 720", lasts(720), set("session_expiry", "720")),
	fine("empty optional fields", set("cancel_url", ""), set("expiry_url", ""), set("error_url", ""),
		set("url_target", ""),
		set("channel_id", ""), set("customer.name", ""), set("customer.email", ""), set("customer.birth_date", ""),
		set("billing_address", object{"country": "", "state": "", "city": "", "address": "", "house_number": "", "zip": "",
			"phone": "", "phone_country_code": "", "district": "", "language": ""}),
		set("schedule_id", ""), set("schedule_start_date", ""), set("payment_schedule_amount", ""), set("moto_type", ""),
		set("form_id", ""), set("crypto.network", ""), set("payee.name", ""), set("payee.email", "")),
	fine("optional fields null", set("cancel_url", raw("null")), set("methods", raw("null")), set("customer", raw("null")),
		set("billing_address", raw("null")), set("custom_data", raw("null")), set("parameters", raw("null")),
		set("card_token", raw("null"))),
	fine("no customer at all", drop("customer")),
	fine("no methods", set("methods", raw("[]"))),
	fine("unknown fields", set("whatever", 1), set("order.colour", "red"), set("customer.shoe", object{"size": 45})),
	fine("notification_url", set("notification_url", "https://shop.example/hook")),
	fine("notification_url without a value", set("notification_url", "javascript:alert(1)")),
	then("AMOUNT beside amount", amountIs("10.00", "USD"), set("order.AMOUNT", "1.00"), set("order.Amount", "2.00")),
	then("folded letters beside the field", func(t *testing.T, s *store.Session) {
		require.Equal(t, "https://shop.example/success?cart=1", s.SuccessURL)
	}, set("\u017fuccess_url", "https://evil.example/"), set("merchant_\u212aey", "x")),
	fine("path in a number", set("order.number", "../../etc/passwd")),
	fine("number of three", set("order.number", "abc")),
	fine("number of 255", set("order.number", strings.Repeat("x", 255))),
	fine("number of 255 wide characters", set("order.number", strings.Repeat("😀", 255))),
	fine("tag in a number", set("order.number", "<script>alert(1)</script>")),
	fine("description of 1,024 wide characters", set("order.description", strings.Repeat("😀", 1024))),
	fine("description of two", set("order.description", "ab")),
	fine("description with tags", set("order.description", `</script><img src=x onerror=alert(1)>{{.}}${7*7}`)),
	fine("description with line separators", set("order.description", "a\u2028b\u2029c")),
	fine("description in Greek", set("order.description", "Δώρο σπουδαίο")),
	fine("description with a sharp s", set("order.description", "Straße")),
	fine("escaped slashes and letters", set("order.description", raw(`"\u0047ift \/ \ud83d\ude00"`)),
		set("hash", signature.Sign(signature.CheckoutSession, signature.MD5,
			signature.Inputs{OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Gift / 😀"},
			gatewaytest.Password))),
	fine("http", set("success_url", "http://shop.example/")),
	fine("port", set("success_url", "https://shop.example:8443/ok")),
	fine("address for a host", set("success_url", "http://192.0.2.1/ok")),
	fine("IPv6", set("success_url", "http://[2001:db8::1]:8080/ok")),
	fine("scheme in capitals", set("success_url", "HTTPS://SHOP.EXAMPLE/")),
	fine("host in Unicode", set("success_url", "https://bücher.example/")),
	fine("host in wide letters", set("success_url", "https://ｏｋ.example/")),
	fine("punycode", set("success_url", "https://xn--bcher-kva.example/")),
	fine("fragment", set("success_url", "https://shop.example/#/done")),
	fine("wide characters in a path", set("success_url", "https://shop.example/ответ?q=да")),
	then("1,024 characters with a query", func(t *testing.T, s *store.Session) { require.Len(t, s.SuccessURL, 1024) },
		set("success_url", "https://ok.example/?q="+strings.Repeat("x", 1024-22))),
	fine("our own parameters in the query already", set("success_url", "https://ok.example/?payment_id=1&hash=2")),
	fine("name with everything Latin", set("customer.name", "Mary-Jane O'Neil Jr.")),
	fine("name of 200", set("customer.name", strings.Repeat("A", 200))),
	fine("plus in an address", set("customer.email", "doe+shop@example.com")),
	fine("born on 29 February", set("customer.birth_date", "2024-02-29")),
	fine("born yesterday", set("customer.birth_date", "2027-03-09")),
	fine("phone", set("billing_address.phone", "+1(234)-5")),
	fine("composite phone code", set("billing_address.phone_country_code", "1-809")),
	fine("state of the US", set("billing_address.country", "US"), set("billing_address.state", "CA")),
	then("state where it does not count", func(t *testing.T, s *store.Session) { require.Empty(t, s.Payer.Address.State) },
		set("billing_address.country", "DE"), set("billing_address.state", "ZZZZZZ")),
	then("state of no country", func(t *testing.T, s *store.Session) { require.Empty(t, s.Payer.Address.State) },
		set("billing_address.state", "Z")),
	fine("zip in words", set("billing_address.zip", "SW1A 1AA")),
	fine("house number with a letter", set("billing_address.house_number", "5/2-A b")),
	fine("unknown language", set("billing_address.language", "<script>")),
	fine("language in small letters", set("billing_address.language", "zh-tw")),
	fine("ecommerce", set("moto_type", "ecommerce")),
	fine("form_id in capitals", set("form_id", "2F1A9F0E-7B1C-4F57-9D5E-6A0C3F7E1B11")),
	fine("_parent", set("url_target", "_parent")),
	fine("network of 50", set("crypto.network", strings.Repeat("n", 50))),
	fine("custom data 16 deep", set("custom_data", raw(nested(15)))),
	fine("custom data of 200 keys", set("custom_data", raw(wide(200)))),
	then("custom data of 64 KiB", func(t *testing.T, s *store.Session) { require.Len(t, s.CustomData, 64<<10) },
		set("custom_data", object{"a": raw(`"` + strings.Repeat("x", maxFollowUp-8) + `"`)})),
	then("odd keys in custom data", func(t *testing.T, s *store.Session) {
		require.JSONEq(t, `{"__proto__":{"a":1},"hash":"x","order":{"amount":"1.00"},"merchant_key":"y"}`,
			string(s.CustomData))
		require.Equal(t, "10.00", s.Order.Amount)
	}, set("custom_data", raw(`{"__proto__":{"a":1},"hash":"x","order":{"amount":"1.00"},"merchant_key":"y"}`))),
	fine("numbers beyond every float in custom data",
		set("custom_data", raw(`{"a":1e999999,"b":0.10000000000000000000000000001}`))),
	{name: "spaces and lines around", body: "\r\n\t " + purchase().text() + " \n"},
	{name: "charset", headers: []string{"Content-Type: application/json; charset=utf-8"}},
	{name: "content type in capitals", headers: []string{"Content-Type: Application/JSON"}},
	{name: "identity", headers: []string{"Content-Encoding: identity"}},
	{name: "headers of a browser", headers: []string{"Origin: https://shop.example", "Accept: text/html"}},
	{name: "exactly 1 MiB", body: padded(purchase().text(), maxCreate)},
}

// A request that looks wrong but is valid passes, and is stored as it was sent.
func TestAcceptedInputs(t *testing.T) {
	t.Parallel()
	for _, row := range acceptedInputs {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, assets)
			body := row.body
			if body == "" {
				body = purchase(row.edits...).text()
			}
			got := s.send(t, pathSession, strings.NewReader(body), row.headers...)
			require.Equal(t, 200, got.status, got.body)
			stored := s.sessions(t)
			require.Len(t, stored, 1)
			if row.check != nil {
				row.check(t, &stored[0])
			}
		})
	}
}

// sessions returns all sessions in the store.
func (s *shop) sessions(t *testing.T) (list []store.Session) {
	t.Helper()
	require.NoError(t, s.Store.View(t.Context(), func(r store.Reader) error {
		list = nil
		for session, err := range (store.Table[store.Session]{Prefix: "s", Version: 1}).Scan(r, 100) {
			require.NoError(t, err)
			list = append(list, session)
		}
		return nil
	}))
	return list
}

// Follow-ups that look wrong but are valid.
func TestAcceptedFollowUps(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, path string
		edits      []edit
		headers    []string
	}{
		{name: "unknown fields", path: pathStatus, edits: []edit{set("whatever", 1), set("PAYMENT_ID", "x")}},
		{name: "size beside a payment", path: pathStatus, edits: []edit{set("size", "10")}},
		{name: "order_id empty", path: pathStatus, edits: []edit{set("order_id", "")}},
		{name: "amount of a void", path: pathVoid, edits: []edit{set("amount", "99.99"), set("hash", toSign)}},
		{name: "order of a refund", path: pathRefund, edits: []edit{set("amount", "1.00"), set("order_id", "ORD-2")}},
		{name: "charset", path: pathStatus, headers: []string{"Content-Type: application/json;charset=UTF-8"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			body := followUp(s.settled(t).ID, "", row.edits...)
			if row.path == pathVoid { // the hash of a void does not cover the amount
				body["hash"] = followUp(body.at("payment_id"), "").at("hash")
			}
			got := s.send(t, row.path, strings.NewReader(body.text()), row.headers...)
			require.Equal(t, 200, got.status, got.body)
		})
	}
}

// A lookup of exactly 64 KiB is read, and so is one in chunks, whose length is not known.
func TestLargestFollowUp(t *testing.T) {
	t.Parallel()
	s := open(t)
	body := padded(followUp(s.settled(t).ID, "").text(), maxFollowUp)
	require.Equal(t, 200, s.send(t, pathStatus, strings.NewReader(body)).status)
	row := bad{chunked: true}
	require.Equal(t, 200, s.send(t, pathStatus, row.reader(body)).status)
}

// Two order numbers that look alike are two orders: they are compared byte by byte, without normal form or letter
// case.
func TestOrderNumbersCompareByBytes(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, number := range []string{"ORD-é", "ORD-e\u0301", "ord-é", "ORD-É", "ORD-é "} {
		s.link(t, set("order.number", number))
	}
	got := s.post(t, pathSession, purchase(set("order.number", "ORD-é")))
	requireError(t, got, 400, "Duplicate request.")
}

// Unknown paths and methods get the protocol's own 404.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, c := range [][2]string{
		{"POST", "/"}, {"POST", "/api/v1/sessions"}, {"POST", "/api/v1/session/"}, {"POST", "/api/v1/payment/delete"},
		{"GET", pathSession}, {"PUT", pathSession}, {"DELETE", pathVoid}, {"OPTIONS", pathSession}, {"GET", pathStatus},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c[0], s.server.URL+c[1], strings.NewReader("{}"))
		require.NoError(t, err)
		response, err := s.server.Client().Do(r)
		require.NoError(t, err)
		require.Equal(t, 404, response.StatusCode, c)
		require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.JSONEq(t, `{"error_code":0,"error_message":"Route or parameters is not supported","errors":[]}`, string(text))
	}
}
