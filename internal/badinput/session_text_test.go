package badinput_test

import "slices"

const (
	latinName  = ": only Latin basic letters, 2..200"
	birthText  = ": must be a date of the past, yyyy-mm-dd"
	startText  = ": needs schedule_id and a date from today on, within ten years, YYYY-MM-DD"
	phoneText  = ": only digits and +()-"
	codeText   = ": only digits, with a hyphen for composite codes"
	stateText  = ": must be the code of a state of the country"
	noCard     = ": must not hold a card number"
	expiryText = ": must be within 1..720"
)

// Texts, dates and places: 62 to 69, 73.
var sessionText = list("session", slices.Concat(
	each(62, "customer.name", latinName, "Аlice", "Ａlice", "Zoë", "A\u200blice", "\u202eecilA", "A", times(201, "A"),
		"R2D2", "Al 😀", "<b>John</b>"),
	[]row{
		one(63, "order.description", "x", short(2)), one(63, "order.description", times(1025, "x"), long(1024)),
		one(63, "order.description", times(1025, "😀"), long(1024)), one(63, "order.description", "", blank),
		one(64, "order.number", "ab", short(3)), one(64, "order.number", times(256, "x"), long(255)),
		one(64, "order.number", "", blank),
		one(65, "customer.email", times(318, "a")+"@example.com", long(255)),
	},
	each(84, "order.description", noCard, pan, "card 4111 1111 1111 1111", "4111-1111-1111-1111"),
	each(84, "customer.name", latinName, pan),
	[]row{bad(84, "custom_data"+noCard, set("custom_data", object{"note": pan})),
		bad(84, "custom_data"+noCard, set("custom_data", verbatim(`{"`+pan+`":1}`)))},
	each(65, "customer.email", invalid, "a@b", "a@b.c\r\nBcc: x@y", `"x y"@ex.com`, "ｄｏｅ@example.com", "doe＠example.com",
		"doe", "a@b@example.com", "doe@example.com "),
	each(66, "customer.birth_date", birthText, "2023-02-29", "2024-13-01", "0000-01-01", "2027-03-11", "1850-01-01",
		"1990-1-5", "01/05/1990"),
	starting("2027-03-09", "2023-02-30", "2027-1-5"),
	each(68, "billing_address.country", invalid, "us", "UK", "XX", "USA", "840"),
	[]row{
		bad(68, "billing_address.state"+stateText, set("billing_address.country", "US"), set("billing_address.state", "ZZ")),
		bad(68, "billing_address.state"+stateText, set("billing_address.country", "CA"),
			set("billing_address.state", "Quebec")),
		one(69, "billing_address.phone", times(33, "1"), long(32)),
		one(69, "billing_address.phone_country_code", "12345678901", long(10)),
		one(0, "billing_address.city", "A", short(2)), one(0, "billing_address.address", times(256, "A"), long(255)),
		one(0, "billing_address.house_number", "1234567890", long(9)), one(0, "billing_address.house_number", "#5", invalid),
		one(0, "billing_address.zip", "12345678901", long(10)), one(0, "billing_address.district", times(33, "D"), long(32)),
		one(70, "billing_address.language", times(1025, "e"), long(1024)),
	},
	each(69, "billing_address.phone", phoneText, "+1 (234)", "555-CALL", "٥٥٥"),
	each(69, "billing_address.phone_country_code", codeText, "+1-809", "-809", "1-"),
	paying("payee.name: only Latin basic letters, 2..32", "payee.name", times(33, "A"), "R2D2", "Zoë"),
	paying("payee.email"+invalid, "payee.email", "doe"),
	paying("payee_billing_address.country"+invalid, "payee_billing_address.country", "UK"),
)...)

// starting is a chain on a schedule that starts on a day.
func starting(days ...string) (rows []row) {
	for _, day := range days {
		rows = append(rows, bad(67, "schedule_start_date"+startText, set("recurring_init", true),
			set("schedule_id", "weekly"), set("schedule_start_date", day)))
	}
	return rows
}

// paying is a payout with a wrong payee.
func paying(text, path string, values ...string) (rows []row) {
	for _, value := range values {
		rows = append(rows, bad(73, text, set("operation", "credit"), set("payee.name", "Jane Roe"), set(path, value)))
	}
	return rows
}

// Choices, numbers and switches: 44, 45, 60, 71, 72.
var sessionChoices = list("session", slices.Concat(
	each(71, "session_expiry", expiryText, verbatim("0"), verbatim("721"), verbatim("1.5"), "1e1", "60 ", verbatim("-1"),
		verbatim("1e999999"), "an hour",
		verbatim("4294967356"), verbatim("true"), verbatim("[60]")),
	each(60, "auth", notFlag, "y", verbatim("1"), "yes", "1", "TRUE", verbatim("[true]")),
	each(0, "recurring_init", notFlag, "yes", verbatim("1")), each(0, "req_token", notFlag, "y"),
	each(0, "vat_calc", notFlag, "on"),
	[]row{
		one(72, "channel_id", times(17, "c"), long(16)), one(72, "form_id", "my form", invalid),
		one(72, "moto_type", "PHONE", notChoice),
		one(72, "url_target", "_blank", notChoice), one(72, "url_target", "checkout", notChoice),
		one(72, "channel_id", "nowhere", invalid),
		fails(45, 204025, "Enabled MIDs for MOTO payments not found.", set("moto_type", "phone_moto")),
		one(44, "card_token", verbatim(`["`+times(63, "a")+`"]`), "card_token[0]: must have 64 characters"),
		one(44, "card_token", verbatim(`["`+times(65, "a")+`"]`), "card_token[0]: must have 64 characters"),
		one(44, "card_token", times(64, "a"), notList),
		one(44, "card_token", verbatim(`["a"`+times(9_999, `,"a"`)+`]`), ": must have at most 1000 entries"),
		fails(44, 205005, "Card token is invalid or not found.", set("card_token", verbatim(`["`+times(64, "a")+`"]`))),
		fails(44, 205007, "Card token is not accessible.", foreignToken),
		one(0, "operation", "", blank), one(0, "operation", "PURCHASE", notChoice), one(0, "operation", "sale", notChoice),
		one(0, "operation", "credit", "payee.name"+blank),
		bad(0, "auth: is not for operation debit", set("operation", "debit"), set("auth", true)),
		one(43, "schedule_id", "weekly", ": needs recurring_init"),
		one(0, "methods", "card", notList), one(0, "methods", verbatim(`["card",1]`), "methods[1]"+notString),
		one(0, "order", "ORD-1", notObject), one(0, "customer", verbatim("[1]"), notObject),
		one(0, "parameters", "card", notObject),
		one(0, "customer.name", verbatim("1"), notString), one(0, "customer.email", verbatim(`["a@b.example"]`), notString),
		one(0, "billing_address.zip", verbatim("90210"), notString), one(0, "crypto.network", times(51, "n"), long(50)),
		{edits: []edit{body("of an empty object", "{}")}, want: []string{"merchant_key" + blank, "operation" + blank, "order.number" + blank,
			"order.amount" + blank, "order.currency" + blank, "order.description" + blank, "success_url" + blank,
			"hash" + blank}},
	},
)...)

// URLs: 74 to 78.
var sessionURLs = list("session", slices.Concat(
	each(74, "success_url", notURL, "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//evil.example",
		`/\evil.example`, "https:opaque",
		"https:///x", "ftp://x", "shop.example", "/success"),
	each(75, "success_url", notURL, "https://ok.example\r\nSet-Cookie: a=b", "https://ok.example/a b",
		"https://ok .example/", "https://ok.example/\u202egnp.exe",
		"https://ok.example/\tx", "https://ok.example/\x7f", "\ufeffhttps://ok.example/"),
	[]row{one(75, "success_url", verbatim(`"https://ok.example/\u0000"`), notNUL)},
	each(76, "success_url", notURL, "https://ok.example@evil.example/", `https://ok.example\@evil.example/`,
		"https://u:p@shop.example/"),
	each(77, "success_url", notURL, "https://ok.example:0/", "https://ok.example:99999/", "https://ok.example:/",
		"https://[::1%25eth0]/", "http://①②⑦.0.0.1/",
		"https://[::1/", "https://ok%2eexample/", "https://ok.example/%zz"),
	each(78, "success_url", notURL, "https://ok.example/"+times(1025-19, "x")),
	each(74, "cancel_url", notURL, "javascript:alert(1)", "https://shop.example@evil.example/", "/done"),
	each(74, "expiry_url", notURL, "data:text/html,x", "https:///done"),
	each(74, "error_url", notURL, "vbscript:x", "https://shop.example/\r\nSet-Cookie: a=b"),
	[]row{one(0, "success_url", "", blank), one(0, "success_url", verbatim(`["https://shop.example/"]`), notString)},
)...)
