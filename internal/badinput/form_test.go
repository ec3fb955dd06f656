package badinput_test

import (
	"fmt"
	"slices"
	"strings"
)

const (
	malformed = ": malformed parameter name"
	tooMany   = "body: too many parameters"
	cartIndex = "parameters[cart][items]: index must be a whole number, 0..999999999"
	multipart = "multipart/form-data; boundary=x"
)

// parts is the form in multipart, with another part at the end.
func parts(disposition string) edit {
	return edit{"multipart with " + disposition, func(_ *world, r *request) {
		r.sign()
		var b strings.Builder
		for name, value := range r.body {
			fmt.Fprintf(&b, "--x\r\nContent-Disposition: form-data; name=%q\r\n\r\n%s\r\n", name, value)
		}
		text := b.String() + "--x\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\ny\r\n--x--\r\n"
		r.raw = &text
	}}
}

// Forms: 50 to 60.
var formRows = list("SALE", slices.Concat([]row{
	bad(59, "action: repeated field", also("action", "VOID")),
	bad(48, "order_amount: repeated field", also("order_amount", "1.00")),
	bad(48, "hash: repeated field", also("hash", "x")),
	{n: 59, edits: []edit{set("action", "sale")}, status: 404, text: route}, {n: 59, edits: []edit{drop("action")}, status: 404, text: route},
	{n: 59, edits: []edit{set("action", "CANCEL_SCHEDULE")}, status: 404, text: route}, {n: 59, edits: []edit{set("action", " SALE")}, status: 404, text: route},
	bad(59, "action: must not contain NUL", set("action", "SALE\x00")),
	bad(60, "auth"+oneValue, set("auth[]", "Y")),
	bad(50, "order_description"+notUnicode, set("order_description", "gift \xff")),
	bad(50, "order_description"+notNUL, set("order_description", "gift \x00")),
	bad(50, "x: must be valid percent-encoding", spoiled("with %zz", func(v string) string { return v + "&x=%zz" })),
	bad(54, tooMany, spoiled("with 10,001 pairs", func(v string) string { return v + times(10_001, "&a=b") })),
	bad(54, bigBody, spoiled("with 1,000,001 pairs", func(v string) string { return v + times(1_000_001, "&a=b") })),
	bad(55, "parameters: nested too deeply", also("parameters"+times(1000, "[a]"), "x")),
	bad(56, cartIndex, also("parameters[cart][items][9999999999][name]", "x")),
	bad(56, cartIndex, also("parameters[cart][items][01][name]", "x")),
	bad(56, "parameters[cart][items][8][itemNumber]: must have only digits",
		also("parameters[cart][items][8][itemNumber]", "x"), also("parameters[cart][items][3][itemNumber]", "1")),
	bad(56, cartIndex, also("parameters[cart][items][0][name]", "x"), also("parameters[cart][items][-1][name]", "x")),
	bad(57, "parameters[cart]: must be one value or an object, not both", also("parameters[cart]", "x"),
		also("parameters[cart][items][0][name]", "y")),
	bad(58, "parameters["+malformed, also("parameters[", "x")),
	bad(58, "parameters]x["+malformed, also("parameters]x[", "x")),
	bad(58, "parameters[a]b[c]"+malformed, also("parameters[a]b[c]", "x")),
	bad(58, "parameters: must be an object", also("parameters[]", "x")), bad(58, "a[…"+malformed, also("a[\x00]", "x")),
	bad(51, "body: must be application/x-www-form-urlencoded or multipart/form-data",
		header("Content-Type", "text/plain")),
	bad(51, "body: must be application/x-www-form-urlencoded or multipart/form-data",
		header("Content-Type", "application/json")),
	bad(51, compressed, header("Content-Encoding", "gzip")),
	bad(51, "custom_data: must not be a file", header("Content-Type", multipart),
		parts(`name="custom_data"; filename="x"`)),
	bad(51, "body: must be well-formed multipart/form-data", header("Content-Type", multipart),
		body("that is no multipart", "x")),
	bad(52, bigBody, edit{"body of a megabyte and a byte", func(_ *world, r *request) {
		text := times(1<<20+1, "x")
		r.raw = &text
	}}),
	bad(52, bigBody, edit{"body of a megabyte and a byte in chunks", func(_ *world, r *request) {
		text := times(1<<20+1, "x")
		r.raw, r.chunked = &text, true
	}}),
	{n: 49, edits: []edit{body("empty", "")}, status: 404, text: route}, {n: 49, edits: []edit{body("of JSON", `{"action":"SALE"}`)}, status: 404, text: route},
})...)

var apmRows = slices.Concat(
	list("APM SALE", slices.Concat(
		each(5, "order_amount", greater, "0.00", "-1.00"), each(1, "order_amount", decimals2, "1e3", "1,00", "５.00"),
		[]row{
			one(0, "order_amount", "", blank, greater), one(64, "order_id", "", blank),
			one(18, "order_currency", "BTC", invalid), one(63, "order_description", "", blank),
			one(0, "identifier", "", blank), one(0, "identifier", times(256, "i"), long(255)), one(0, "payer_ip", "", blank),
			one(0, "payer_zip", times(33, "1"), long(32)),
			one(74, "return_url", "", blank), one(74, "return_url", "x", notURL),
			one(74, "return_url", "javascript:alert(1)", notURL), one(72, "return_url_target", "_x", notChoice),
			one(0, "crypto_network", times(51, "n"), long(50)), one(28, "hash", "", blank),
			fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
			fails(28, 100000, hashS2S, hashed("in capitals", upper)),
			fails(28, 100000, hashS2S, signed, set("order_amount", "1.00")),
			one(0, "brand", times(37, "b"), long(36)), {n: 59, edits: []edit{set("action", "AUTH")}, status: 404, text: route},
		})...),
	list("CREDIT2VIRTUAL", one(0, "brand", "", blank), one(63, "order_description", "", blank),
		one(0, "order_amount", "1", decimals2), one(17, "order_amount", "-1", greater),
		bad(14, "order_amount: XOF takes no decimals", set("order_currency", "XOF"), set("order_amount", "100.00")),
		bad(14, "order_amount: XOF takes no decimals", set("order_currency", "XOF"), set("order_amount", "100.50")),
		fails(28, 100000, hashS2S, set("hash", times(32, "a"))), one(64, "order_id", "", blank)),
	list("mobile money", one(27, "order_amount", "9.00", ": must be within 10..150000 KES"),
		one(27, "order_amount", "150000.01", ": must be within 10..150000 KES"),
		bad(27, "order_amount: must be within 1..50000 GHS", set("order_currency", "GHS"), set("order_amount", "50000.01"),
			set("parameters[mobile_money_operator]", "mtn-gh"), set("parameters[mobile_number]", "+233241234567")),
		one(0, "parameters[mobile_number]", "12", ": must be a mobile number of the operator's country, KE"),
		bad(0, "parameters[mobile_money_operator]: must be an operator for GHS", set("order_currency", "GHS"))),
	list("CREDIT2CRYPTO", one(0, "brand", "", blank), fails(28, 100000, hashS2S, set("hash", times(32, "a"))),
		one(0, "order_amount", "1.00", ": USDT needs 6 decimals, like 12.345678"),
		one(0, "crypto_network", times(51, "n"), long(50))),
	everywhere([]string{"DEBIT2VIRTUAL", "DEBIT2VIRTUAL_CALC"}, one(74, "payer_return_url", "", blank),
		one(74, "payer_return_url", "https://a.example/"+times(256, "x"), notURL),
		one(0, "identifier", "", blank), one(8, "order_amount", "0.00", greater),
		fails(28, 100000, hashS2S, set("hash", times(32, "a")))),
	everywhere([]string{"DEBIT2VIRTUAL_COMPLETE", "APM CAPTURE", "APM GET_TRANS_STATUS"},
		aboutPayments(33, 101000, noTrans)...),
	everywhere([]string{"APM CREDITVOID", "APM VOID"}, aboutPayments(34, 100000, "Payment not found.")...),
	list("DEBIT2VIRTUAL_COMPLETE", fails(0, 100000, "Complete is not allowed.")),
	list("APM CAPTURE", fails(21, 208003, "Not acceptable to request the capture for payment not in pending status.")),
	list("APM CREDITVOID", fails(0, 208006, "Not acceptable to request the refund for amount bigger than payment amount.",
		set("amount", "10.01"))),
)

// Paths and methods.
var routeRows = slices.Concat(
	list("session", unrouted(method("PUT"), method("DELETE"), method("PATCH"), method("OPTIONS"),
		path("/api/v1/sessions"), path("/api/v1/session/"), path("/api/v1/payment/delete"))...),
	list("refund", unrouted(method("PUT"), method("GET"))...),
	list("SALE", unrouted(method("PUT"), method("OPTIONS"))...),
	list("APM SALE", unrouted(method("PATCH"))...),
	list("HPF update", unrouted(method("POST"), method("DELETE"))...),
	list("HPF payment", unrouted(method("PUT"))...),
)

func unrouted(edits ...edit) (rows []row) {
	for _, e := range edits {
		rows = append(rows, row{edits: []edit{e}, status: 404, text: route})
	}
	return rows
}
