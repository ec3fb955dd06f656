package badinput_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fine is an input that looks wrong but is accepted, by a decision of docs/protocol: HTTP 200, or a redirect for a
// page.
func fine(n int, edits ...edit) row { return row{n: n, edits: edits, status: 200} }

// says is fine with a text in the answer.
func says(n int, text string, edits ...edit) row {
	return row{n: n, edits: edits, status: 200, text: text}
}

// fines makes a row of each value.
func fines(n int, path string, values ...any) (rows []row) {
	for _, value := range values {
		rows = append(rows, fine(n, set(path, value)))
	}
	return rows
}

// accepted are those inputs.
var accepted = slices.Concat(
	list("session", slices.Concat(
		[]row{
			fine(11, priced("JPY", "100")...), fine(12, priced("JPY", "100.00")...), fine(13, priced("KWD", "1.000")...),
			fine(13, priced("CLF", "1.0000")...),
			fine(13, append(priced("WEI", "0.000000000000000001"), set("methods", verbatim(`["vcard"]`)))...),
			fine(15, priced("USD", "999999999999999.99")...),
			fine(48, set("order.AMOUNT", "1.00")), fine(48, set("\u017fuccess_url", "https://evil.example/"),
				set("merchant_\u212aey", "x")),
			fine(53, set("custom_data", verbatim(`{"__proto__":{"a":1},"hash":"x","order":{"amount":"1.00"}}`))),
			fine(53, set("custom_data", verbatim(nested(15)))),
			fine(53, set("custom_data", verbatim(fields(200)))), fine(53, set("custom_data", object{"a": times(64<<10-8, "x")})),
			fine(68, set("billing_address.country", "DE"), set("billing_address.state", "ZZZZZZ")),
			fine(51, header("Content-Type", "Application/JSON; charset=utf-8")),
			fine(51, header("Content-Encoding", "identity")), fine(52, padded(1<<20)), fine(52, padded(1<<20), chunked),
			fine(0, drop("customer")),
			fine(0, set("whatever", 1), set("order.colour", "red")), fine(0, set("notification_url", "javascript:alert(1)")),
			fine(99, header("Origin", "https://shop.example")),
		},
		fines(60, "auth", true, "Y", "true", false, "N", "false", ""),
		fines(41, "recurring_init", "Y", "N", "true", "false"), fines(41, "req_token", "Y", "N"),
		fines(71, "session_expiry", "60", "", verbatim("720"), verbatim("null")),
		fines(63, "order.description", times(1024, "😀"), "ab"),
		fines(64, "order.number", "../../etc/passwd", "ORD-é", "ORD-e\u0301", times(255, "😀"), "abc"),
		fines(69, "billing_address.phone", "+1(234)-5"), fines(69, "billing_address.phone_country_code", "1-809"),
		fines(70, "billing_address.language", "<script>", "zh-tw"),
		fines(74, "success_url", "http://shop.example/", "https://shop.example:8443/ok", "http://[2001:db8::1]:8080/ok"),
		fines(78, "success_url", "https://ok.example/?q="+times(1024-22, "x"), "https://ok.example/?payment_id=1&hash=2"),
		fines(85, "order.description", `</script><img src=x onerror=alert(1)>`, "{{.}}", "${7*7}", `" onfocus=alert(1) x="`,
			"a\u2028b"),
	)...),
	list("status", fine(36, set("size", verbatim("10"))), fine(36, set("size", "10")), fine(36, set("size", "")),
		fine(52, padded(64<<10)),
		fine(36, drop("payment_id"), set("order_id", "ORD-SETTLED"), set("size", "10")), fine(48, set("PAYMENT_ID", "x"))),
	list("HPF payment", fine(99, header("Sec-Fetch-Mode", "cors")), fine(100, set("expected_amount", "10.0")),
		fine(0, set("birth_day", "x"))),
	list("SALE", slices.Concat(
		list("", says(60, `"status":"SETTLED"`, set("auth", "y")), says(60, `"status":"SETTLED"`, set("auth", "true")),
			says(60, `"status":"SETTLED"`, set("auth", "1")),
			says(60, `"status":"PENDING"`, set("auth", "Y")),
			says(12, `"amount":"100.00"`, append(yen("100.00"), set("auth", "N"))...),
			says(12, `"status":"SETTLED"`, yen("100")...),
			says(92, `"status":"SETTLED"`, set("digital_wallet", "googlepay"),
				set("payment_token", "not-a-token-of-any-wallet")), says(64, `"order_id":"../../x"`, set("order_id", "../../x")),
			says(51, `"status":"SETTLED"`, header("Content-Type", multipart), parts(`name="whatever"`)),
			says(0, `"status":"SETTLED"`, set("whatever", "x")),
			says(53, `"status":"SETTLED"`, set("custom_data[__proto__][a]", "x"), set("custom_data[hash]", "x")),
			says(59, `"result":"SUCCESS"`, path("/post?action=VOID&order_amount=1.00"))),
	)...),
	list("CREDIT2VIRTUAL", says(14, `"result":"SUCCESS"`, set("order_currency", "XOF"), set("order_amount", "100"))),
	list("mobile money", says(27, `"result":"SUCCESS"`), says(27, `"result":"SUCCESS"`, set("order_amount", "150000.00"))),
	list("page", pageTakes()...),
	list("page cancel", row{n: 89, status: 303, edits: []edit{header("Origin", "")}}),
)

// yen is an S2S amount without decimals.
func yen(amount string) []edit {
	return []edit{set("order_currency", "JPY"), set("order_amount", amount)}
}

// pageTakes are digits and signs that payers paste.
func pageTakes() (rows []row) {
	for _, number := range []string{
		"4111-1111–1111—1111", "٤١١١ ١١١١ ١١١١ ١١١١", "４１１１１１１１１１１１１１１１", "\u200e4111\u202a1111\u20661111\u206911\ufeff11",
	} {
		rows = append(rows, row{n: 82, status: 303, edits: []edit{set("card_number", number)}})
	}
	for _, expiry := range []string{"0138", "1/38", "01-38", "01/2038", "2038-01", " 01 / 38 "} {
		rows = append(rows, row{n: 83, status: 303, edits: []edit{set("expiry", expiry)}})
	}
	return rows
}

// TestAcceptedInputs sends each to its own gateway, because it changes something.
func TestAcceptedInputs(t *testing.T) {
	t.Parallel()
	for _, r := range accepted {
		t.Run(r.at+" "+r.name(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			q := w.at[r.at].request(w)
			for _, e := range r.edits {
				e.do(w, q)
			}
			q.sign()
			got := w.send(q)
			require.Equal(t, r.status, got.status, got.body)
			require.True(t, strings.Contains(got.body, r.text), got.body)
			require.NoError(t, w.echo(q, got.body, 6))
			require.NoError(t, w.echo(q, w.log.cut(), 6))
		})
	}
}
