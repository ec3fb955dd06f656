package checkout_test

import "strings"

// fakeToken has the form of a card token, but no card has it.
var fakeToken = strings.Repeat("a", 64)

// badChains returns the rows of recurring and card credit. As for sessions, each request would pass without its
// edit.
func badChains() (rows []bad) {
	for _, path := range []string{pathRecurring, pathCredit} {
		rows = append(rows, onBoth(path)...)
	}
	for _, row := range badRecurring {
		row.path = pathRecurring
		rows = append(rows, row)
	}
	for _, row := range badCredits {
		row.path = pathCredit
		rows = append(rows, row)
	}
	return rows
}

// onBoth returns what both paths refuse: identity, structure, size.
func onBoth(path string) []bad {
	fault := func(name, want string, edits ...edit) bad {
		return bad{path: path, name: name, edits: edits, want: []string{want}}
	}
	body := func(name, body string, want ...string) bad {
		return bad{path: path, name: name, body: body, want: want}
	}
	blanks := []string{"merchant_key" + blank, "order_id" + blank, "order_amount" + blank, "order_currency" + blank,
		"order_description" + blank, "card_token" + blank, "hash" + blank}
	valid := payout().text()
	if path == pathRecurring {
		blanks = []string{"merchant_key" + blank, "order.number" + blank, "order.amount" + blank, "order.description" + blank,
			"recurring_init_trans_id" + blank, "recurring_token" + blank, "hash" + blank}
		valid = `{"merchant_key":"k","hash":"h"}`
	}
	return []bad{
		body("empty object", "{}", blanks...),
		fault("no merchant_key", "merchant_key"+blank, drop("merchant_key")),
		fault("unknown merchant_key", "merchant_key"+invalid, set("merchant_key", "nobody")),
		fault("merchant_key of 256", "merchant_key"+invalid, set("merchant_key", strings.Repeat("k", 256))),
		fault("merchant_key as a number", "merchant_key"+notString, set("merchant_key", raw("1"))),
		fault("no hash", "hash"+blank, drop("hash")),
		fault("null hash", "hash"+blank, set("hash", raw("null"))),
		fault("wrong hash", badHash, set("hash", strings.Repeat("a", 40))),
		fault("hash of 39", badHash, set("hash", strings.Repeat("a", 39))),
		fault("hash of 100,000", badHash, set("hash", strings.Repeat("a", 100_000))),
		fault("hash as a list", "hash"+notString, set("hash", raw(`["a"]`))),
		fault("right hash in capitals", badHash, spoilHash(strings.ToUpper)),
		fault("custom_data as text", "custom_data"+notObject, set("custom_data", "x")),
		fault("custom_data as a list", "custom_data"+notObject, set("custom_data", raw("[1]"))),
		fault("custom_data 17 deep", tooDeep, set("custom_data", raw(nested(16)))),
		fault("custom_data of 201 keys", "custom_data: must have at most 200 fields", set("custom_data", raw(wide(201)))),
		fault("custom_data over 64 KiB", "custom_data: must be at most 65536 bytes",
			set("custom_data", object{"a": strings.Repeat("x", maxFollowUp)})),
		fault("key twice in custom data", "custom_data.a: repeated field", set("custom_data", raw(`{"a":1,"a":2}`))),
		body("two documents", valid+valid, oneObject),
		body("garbage behind", valid+"x", oneObject),
		body("not an object", "[]", oneObject),
		body("form", "merchant_key=a", oneObject),
		body("a million brackets", strings.Repeat("[", 1_000_000), tooDeep),
		body("cut off", valid[:len(valid)-1], syntaxAt(len(valid)-1)),
		body("hash twice", strings.Replace(valid, `"hash":`, `"hash":"x","hash":`, 1), repeated(path)...),
		body("1 MiB and a byte", padded(valid, maxCreate+1), "body: must be at most 1048576 bytes"),
		{path: path, name: "1 MiB and a byte in chunks", body: padded(valid, maxCreate+1), chunked: true, want: []string{"body: must be at most 1048576 bytes"}},
		{path: path, name: "empty", empty: true, want: []string{oneObject}},
		{path: path, name: "text/plain", body: valid, headers: []string{"Content-Type: text/plain"}, want: []string{notJSON}},
		{path: path, name: "gzip", body: valid, headers: []string{"Content-Encoding: gzip"}, want: []string{compressed}},
	}
}

// repeated returns the answer to a hash that occurs twice, in a body with nothing else.
func repeated(path string) []string {
	list := []string{"hash: repeated field"}
	if path == pathRecurring {
		for _, field := range []string{"order.number", "order.amount", "order.description", "recurring_init_trans_id",
			"recurring_token"} {
			list = append(list, field+blank)
		}
	}
	return list
}

const plainAmounts = ": must be a decimal number of at most 15 digits and 18 decimals, like 12.34"

var badRecurring = []bad{
	one("1", "order.amount", "1", "order.amount: must be a decimal number with 2 decimals, like 12.34"),
	one("three decimals", "order.amount", "1.000", "order.amount: must be a decimal number with 2 decimals, like 12.34"),
	one("comma", "order.amount", "1,00", "order.amount"+plainAmounts),
	one("exponent", "order.amount", "1e2", "order.amount"+plainAmounts),
	one("plus", "order.amount", "+1.00", "order.amount"+plainAmounts),
	one("50,000 digits", "order.amount", strings.Repeat("9", 50_000), "order.amount"+plainAmounts),
	one("nothing", "order.amount", "0.00", positive), // "A plain purchase with zero amount is rejected"
	one("negative", "order.amount", "-1.00", negative),
	one("-1", "order.amount", "-1", negative),
	one("JSON number", "order.amount", raw("5.00"), "order.amount"+notString),
	one("none", "order.amount", "", "order.amount"+blank),
	one("of two", "order.number", "ab", "order.number"+short(3)),
	one("of 256", "order.number", strings.Repeat("x", 256), "order.number"+long(255)),
	one("NUL", "order.number", raw(`"ORD\u0000"`), "order.number: must not contain NUL"),
	one("lone surrogate", "order.number", raw(`"ORD\ud800"`), "order.number: must be valid Unicode text"),
	one("of one", "order.description", "x", "order.description"+short(2)),
	one("of 1,025", "order.description", strings.Repeat("x", 1025), "order.description"+long(1024)),
	one("as text", "order", "ORD-2", "order"+notObject),
	one("as a list", "order", raw("[]"), "order"+notObject),
	one("none", "recurring_init_trans_id", "", "recurring_init_trans_id"+blank),
	one("of 256", "recurring_init_trans_id", strings.Repeat("x", 256), "recurring_init_trans_id"+invalid),
	one("object", "recurring_init_trans_id", raw(`{"$ne":""}`), "recurring_init_trans_id"+notString),
	one("none", "recurring_token", "", "recurring_token"+blank),
	one("of 256", "recurring_token", strings.Repeat("x", 256), "recurring_token"+invalid),
	one("number", "recurring_token", raw("1"), "recurring_token"+notString),
	one("of 256", "schedule_id", strings.Repeat("x", 256), "schedule_id"+long(255)),
	one("number", "schedule_id", raw("1"), "schedule_id"+notString),
	one("digits", "customer.name", "R2D2", latinName),
	one("no domain", "customer.email", "doe", "customer.email"+invalid),
	one("as text", "customer", "John", "customer"+notObject),
	with("hash of another amount", badHash, signFirst, set("order.amount", "4.00")),
	with("hash of another order", badHash, signFirst, set("order.number", "ORD-3")),
	with("hash of another token", badHash, signFirst, set("recurring_token", "x")),
	with("bad amount and a wrong hash", "order.amount"+plainAmounts, set("order.amount", "ten"),
		set("hash", fakeToken[:40])),
	{name: "unknown token", edits: []edit{set("recurring_token", "019580e4-0000-7000-8000-000000000000")}, code: 100000, message: "Incorrect transaction"},
	{name: "path for a token", edits: []edit{set("recurring_token", "../../m-test")}, code: 100000, message: "Incorrect transaction"},
	{name: "%00 for a payment", edits: []edit{set("recurring_init_trans_id", "%00%s%n")}, code: 100000, message: "Incorrect transaction"},
	{name: "1,000 bytes of wide characters", edits: []edit{set("recurring_token", strings.Repeat("😀", 250))}, want: []string{"recurring_token" + invalid}},
}

var badCredits = []bad{
	one("none", "card_number", "", "card_token"+blank),
	{name: "both cards", edits: []edit{set("card_token", fakeToken)}, want: []string{"card_number: must not be sent together with card_token"}},
	one("wrong check digit", "card_number", "4111111111111112", "card_number"+invalid),
	one("eleven digits", "card_number", "41111111111", "card_number"+invalid),
	one("twenty digits", "card_number", "41111111111111111111", "card_number"+invalid),
	one("spaces", "card_number", "4111 1111 1111 1111", "card_number"+invalid),
	one("zeros", "card_number", "0000000000000000", "card_number"+invalid),
	one("Arabic digits", "card_number", "٤١١١١١١١١١١١١١١١", "card_number"+invalid),
	one("mask", "card_number", "411111******1111", "card_number"+invalid),
	one("of no network", "card_number", "1111222233334444", "card_number: Bad Request. Brand of card does not support."),
	one("number", "card_number", raw(testCard), "card_number"+notString),
	one("100,000 digits", "card_number", strings.Repeat("4", 100_000), "card_number"+invalid),
	with("token of 63", "card_token: must have 64 characters", byToken(fakeToken[1:])),
	with("token of 65", "card_token: must have 64 characters", byToken(fakeToken+"a")),
	with("token as a list", "card_token"+notString, byToken(""), set("card_token", times(1, fakeToken))),
	{name: "unknown token", edits: []edit{byToken(fakeToken)}, code: 205005, message: "Card token is invalid or not found."},
	{name: "token of other characters", edits: []edit{byToken(strings.Repeat("/", 64))}, code: 205005, message: "Card token is invalid or not found."},
	one("of two", "order_id", "ab", "order_id"+short(3)),
	one("of 256", "order_id", strings.Repeat("x", 256), "order_id"+long(255)),
	one("number", "order_id", raw("1"), "order_id"+notString),
	one("NUL", "order_id", raw(`"ORD\u0000"`), "order_id: must not contain NUL"),
	one("no decimals", "order_amount", "7", "order_amount: must be a decimal number with 2 decimals, like 12.34"),
	one("comma", "order_amount", "7,00", "order_amount"+plainAmounts),
	one("too large", "order_amount", "1000000000000000.00", "order_amount"+plainAmounts),
	one("nothing", "order_amount", "0.00", "order_amount: This value should be greater than 0."),
	one("negative", "order_amount", "-7.00", "order_amount: This value should be greater than 0."),
	one("-1", "order_amount", "-1", "order_amount: This value should be greater than 0."),
	one("JSON number", "order_amount", raw("7.00"), "order_amount"+notString),
	one("unknown", "order_currency", "XXQ", "order_currency"+invalid),
	one("in small letters", "order_currency", "usd", "order_currency"+invalid),
	one("number", "order_currency", raw("840"), "order_currency"+notString),
	one("of one", "order_description", "x", "order_description"+short(2)),
	one("of 1,025", "order_description", strings.Repeat("x", 1025), "order_description"+long(1024)),
	one("digits", "payee_first_name", "R2D2", "payee_first_name: only Latin basic letters, 1..32"),
	one("of 33", "payee_first_name", strings.Repeat("A", 33), "payee_first_name: only Latin basic letters, 1..32"),
	one("diaeresis", "payee_last_name", "Zoë", "payee_last_name: only Latin basic letters, 1..32"),
	one("of 33", "payee_last_name", strings.Repeat("A", 33), "payee_last_name: only Latin basic letters, 1..32"),
	one("no domain", "payee_email", "doe", "payee_email"+invalid),
	one("header injection", "payee_email", "a@b.c\r\nBcc: x@y.example", "payee_email"+invalid),
	one("words", "payee_ip", "localhost", "payee_ip"+invalid),
	one("port", "payee_ip", "198.51.100.4:80", "payee_ip"+invalid),
	one("list", "payee_ip", raw(`["198.51.100.4"]`), "payee_ip"+notString),
	with("hash of another amount", badHash, signFirst, set("order_amount", "70.00")),
	with("hash of another currency", badHash, signFirst, set("order_currency", "EUR")),
	with("hash of another order", badHash, signFirst, set("order_id", "ORD-8")),
	with("unknown currency and a wrong hash", "order_currency"+invalid, set("order_currency", "XXQ"),
		set("hash", fakeToken[:40])),
}
