package badinput_test

import "slices"

const (
	noUpdate = "Session can not be updated."
	notHere  = "Not available"
)

// tokens is refused by every request under a token: 37, 52, 99.
var tokens = []row{
	shows(37, 403, notHere, header("Token", "")), shows(37, 403, notHere, header("Token", "x")),
	shows(37, 403, notHere, header("Token", times(60_000, "a"))),
	shows(37, 403, notHere, edit{"Token of a link", func(w *world, r *request) { r.header.Set("Token", w.link()) }}),
	shows(37, 403, notHere, edit{"Token twice", func(_ *world, r *request) { r.header.Add("Token", "x") }}),
	shows(37, 403, notHere, edit{"Token and a letter", func(_ *world, r *request) {
		r.header.Set("Token", r.header.Get("Token")+"A")
	}}),
	shows(99, 403, notHere, header("Origin", "https://shop.example")),
	shows(99, 403, notHere, header("Sec-Fetch-Site", "cross-site")),
	shows(99, 403, notHere, header("Sec-Fetch-Site", "same-origin")), shows(99, 403, notHere, header("Cookie", "a=b")),
	shows(99, 403, notHere, header("Sec-Fetch-Dest", "iframe")),
	shows(99, 403, notHere, method("OPTIONS"), header("Origin", "https://shop.example"),
		header("Access-Control-Request-Method", "POST")),
}

// jsons are the rules of every JSON body under HPF: 47 to 51.
var jsons = slices.Concat([]row{
	bad(47, tooDeep, body("of 60,000 brackets", times(60_000, "["))), bad(49, oneObject, behind("{}")),
	bad(49, oneObject, behind("\x00")),
	bad(49, syntax(1), body("in single quotes", `{'a':1}`)), bad(51, notJSON, header("Content-Type", "text/plain")),
	bad(51, compressed, header("Content-Encoding", "gzip")),
}, bodies(49, "", "null", "[]"))

func notUpdated(name string) string { return `Parameter "` + name + `" can not be updated.` }

var hpfRows = slices.Concat(
	everywhere([]string{"HPF update", "HPF payment", "HPF debit"}, tokens...),
	everywhere([]string{"HPF token", "HPF update", "HPF payment"}, jsons...),
	list("HPF token", slices.Concat(
		each(74, "return_url", notURL, "/return", "javascript:alert(1)", "https://a@b.example/",
			"https://shop.example/\r\nX: y"),
		each(1, "order.amount", decimals2, "1e2", "5.", "100"),
		each(0, "operation", notChoice, "transfer", "credit", "PURCHASE"),
		each(28, "hash", badHash, times(40, "a"), times(39, "a")),
		each(0, "customer.ip", invalid, "localhost", "203.0.113.7:80", "fe80::1%eth0"),
		[]row{
			one(74, "return_url", "", blank), one(74, "success_url", "x", notURL), one(8, "order.amount", "0.00", positive),
			one(5, "order.amount", "-1.00", greater),
			one(18, "order.currency", "XXX", invalid), one(28, "hash", "", blank), one(28, "merchant_key", "nobody", invalid),
			bad(28, badHash, signed, set("order.amount", "1.00")),
			one(71, "session_expiry", verbatim("721"), expiryText), one(65, "customer.email", "x@", invalid),
			bad(52, bigBody, padded(1<<20+1)),
			shows(99, 403, notHere, method("OPTIONS")),
			missing("HPF token", "merchant_key", "operation", "order.number", "order.amount", "order.currency",
				"order.description", "return_url", "hash"),
		})...),
	list("HPF update", slices.Concat(
		each(41, "recurring_init", notFlag, "Y", "N", "true", verbatim("1"), verbatim("null")),
		each(41, "req_token", notFlag, "Y", "false"),
		each(1, "order_amount", decimals2, "1.234", "1", "1e2", "５.00"), each(5, "order_amount", positive, "0.00"),
		each(5, "order_amount", greater, "-1.00"),
		each(18, "order_currency", invalid, "XXX", "usd"),
		[]row{
			bad(39, notUpdated("merchant_key"), set("merchant_key", gatewayKey)), bad(39, notUpdated("hash"), set("hash", "x")),
			bad(39, notUpdated("<script>"), set("<script>", "x")),
			bad(48, notUpdated("ORDER_AMOUNT"), set("ORDER_AMOUNT", "1.00")),
			bad(48, notUpdated("AMOUNT"), set("AMOUNT", "1.00")),
			bad(39, notUpdated("order"), set("order", object{"amount": "1.00"})), bad(39, notUpdated(""), set("", 1)),
			bad(41, "body: must have at least one parameter", body("of an empty object", "{}")),
			bad(41, "body: must have at least one parameter", body("of nulls", `{"order_amount":null,"parameters":null}`)),
			bad(48, "order_amount: repeated field",
				body("with the amount twice", `{"order_amount":"1.00","order_amount":"2.00"}`)),
			one(16, "order_amount", verbatim("5"), notString), one(43, "schedule_id", "x", invalid),
			one(53, "custom_data", "{}", notObject),
			bad(52, smallBody, padded(64<<10+1)),
			fails(42, 100000, "Not found acceptable methods", edit{"where no MID takes euros", func(w *world, _ *request) {
				w.dollarsOnly()
			}}, set("order_currency", "EUR")),
			fails(40, 100000, noUpdate, edit{"Token of a paid session", func(w *world, r *request) {
				r.header.Set("Token", w.spent())
			}}),
			bad(43, "schedule_id"+invalid, edit{"Token of a debit", func(w *world, r *request) {
				r.header.Set("Token", w.hosted("debit"))
			}},
				drop("order_amount"), set("recurring_init", true), set("schedule_id", "weekly")),
		})...),
	list("HPF payment", slices.Concat(
		each(62, "name", latinName, "J", "John 5", "Zoë", times(201, "A")),
		[]row{
			one(62, "name", "", blank), one(62, "name", verbatim("5"), notString),
			one(0, "with_hosted_fields", verbatim("false"), ": must be true"),
			one(65, "email", "x@", invalid), one(66, "birth_date", "2990-01-31", birthText),
			one(68, "billing_address.country", "XX", invalid),
			one(69, "billing_address.phone", "abc", phoneText), one(0, "browser_info", "Mozilla", notObject),
			one(0, "browser_info.accept_header", "a\r\nb", ": must not hold control characters"),
			one(0, "browser_info.user_agent", times(2049, "x"), long(2048)),
			one(100, "expected_amount", "10.01", ": the session is about another amount"),
			one(100, "expected_currency", "EUR", ": the session is in another currency"),
			one(100, "expected_amount", verbatim("10"), notString),
			bad(48, "name: repeated field", inserted(`"name":"A",`, `"name":`)), bad(52, bigBody, padded(1<<20+1)),
			missing("HPF payment", "name", "with_hosted_fields"),
		})...),
	list("HPF debit",
		row{n: 38, edits: []edit{{"Token of a purchase", func(w *world, r *request) {
			r.header.Set("Token", w.hosted("purchase"))
		}}}, want: []string{"operation" + notChoice}},
	),
	list("HPF fields", collecting()...),
)

// own is how the card's frame shows that it has our own origin.
var own = edit{"from the frame", func(_ *world, r *request) { r.header.Set("Sec-Fetch-Site", "same-origin") }}

// collecting are the rows of the request that the fields on the merchant's page make: 82, 83, 89.
func collecting() (rows []row) {
	refused := func(n int, text string, edits ...edit) {
		rows = append(rows, row{n: n, status: 422, text: text, edits: append([]edit{own}, edits...)})
	}
	for _, number := range []string{
		"4111111111111112", "411111111111", "41111111111111111111", "0000000000000000", "4111x11111111111", "",
	} {
		refused(82, "Invalid card number", set("card_number", number))
	}
	for _, expiry := range []string{"00/30", "13/30", "1/2", "", "x"} {
		refused(83, "The expiration date of card is expired and not valid.", set("expiry", expiry))
	}
	for _, code := range []string{"12", "12345", "12a", ""} {
		refused(83, "Invalid security code", set("cvv", code))
	}
	for _, e := range []edit{
		header("Content-Type", "text/plain"), body("\"null\"", "null"), body("of brackets", times(500, "[")),
		padded(1<<10 + 1), set("extra", verbatim(`{"a":{}}`)),
	} {
		refused(51, "Request data is invalid.", e)
	}
	return append(rows,
		shows(89, 403, "<", header("Sec-Fetch-Site", "cross-site")),
		shows(89, 403, "<", header("Origin", "https://shop.example")),
		shows(89, 403, "<", header("Sec-Fetch-Site", "same-site")),
		shows(37, 403, "<", own, header("Token", "")), shows(37, 403, "<", own, header("Token", "x")), shows(37, 403, "<",
			own, header("Token", times(513, "a"))))
}
