package checkout_test

import "strings"

const (
	latinName  = "customer.name: only Latin basic letters, 2..200"
	latinPayee = "payee.name: only Latin basic letters, 2..32"
	phoneText  = "billing_address.phone: only digits and +()-"
	codeText   = "billing_address.phone_country_code: only digits, with a hyphen for composite codes"
	stateText  = "billing_address.state: must be the code of a state of the country"
	birthText  = "customer.birth_date: must be a date of the past, yyyy-mm-dd"
	startText  = "schedule_start_date: needs schedule_id and a date from today on, within ten years, YYYY-MM-DD"
)

// Texts (reliability.md, rows 50, 62 to 65, 68 to 70, 73).
var badText = []bad{
	one("Cyrillic letter", "customer.name", "Аlice", latinName),
	one("full-width letter", "customer.name", "Ａlice", latinName),
	one("diaeresis", "customer.name", "Zoë", latinName),
	one("zero-width space", "customer.name", "A\u200blice", latinName),
	one("right to left", "customer.name", "\u202eecilA", latinName),
	one("one letter", "customer.name", "A", latinName),
	one("201 letters", "customer.name", strings.Repeat("A", 201), latinName),
	one("digits in a name", "customer.name", "R2D2", latinName),
	one("emoji", "customer.name", "Al 😀", latinName),
	one("line feed in a name", "customer.name", "John\nDoe", latinName),
	one("tag in a name", "customer.name", "<b>John</b>", latinName),

	one("description of one character", "order.description", "x", "order.description"+short(2)),
	one("description of one wide character", "order.description", "😀", "order.description"+short(2)),
	one("description of 1,025 characters", "order.description", strings.Repeat("x", 1025), "order.description"+long(1024)),
	one("description of 1,025 wide characters", "order.description", strings.Repeat("😀", 1025),
		"order.description"+long(1024)),
	one("empty description", "order.description", "", "order.description"+blank),
	{name: "no description", edits: []edit{drop("order.description")}, want: []string{"order.description" + blank}},
	one("number of two characters", "order.number", "ab", "order.number"+short(3)),
	one("number of two wide characters", "order.number", "éé", "order.number"+short(3)),
	one("number of 256 characters", "order.number", strings.Repeat("x", 256), "order.number"+long(255)),
	one("empty number", "order.number", "", "order.number"+blank),
	{name: "no number", edits: []edit{drop("order.number")}, want: []string{"order.number" + blank}},

	one("broken UTF-8 in a number", "order.number", raw("\"ORD-\xff\""), "order.number: must be valid Unicode text"),
	one("broken UTF-8 in a description", "order.description", raw("\"gift \xc3\x28\""),
		"order.description: must be valid Unicode text"),
	one("overlong UTF-8", "order.description", raw("\"gift \xc0\xaf\""), "order.description: must be valid Unicode text"),
	one("surrogates in UTF-8", "order.description", raw("\"gift \xed\xa0\x80\""),
		"order.description: must be valid Unicode text"),
	one("lone surrogate", "order.description", raw(`"gift \ud800"`), "order.description: must be valid Unicode text"),
	one("surrogates in the wrong order", "order.description", raw(`"gift \udc00\ud800"`),
		"order.description: must be valid Unicode text"),
	one("NUL escaped", "order.description", raw(`"gift \u0000"`), "order.description: must not contain NUL"),
	one("NUL escaped in a number", "order.number", raw(`"ORD\u0000-1"`), "order.number: must not contain NUL"),
	one("NUL in a name", "customer.name", raw(`"John\u0000"`), "customer.name: must not contain NUL"),
	one("NUL in custom data", "custom_data", raw(`{"a":{"b":"\u0000"}}`), "custom_data.a.b: must not contain NUL"),
	one("broken UTF-8 in custom data", "custom_data", raw("{\"a\":[\"x\",\"\xff\"]}"),
		"custom_data.a[1]: must be valid Unicode text"),
	one("NUL in an unknown field", "whatever", raw(`"\u0000"`), "whatever: must not contain NUL"),
	one("NUL bare", "order.description", raw("\"gift \x00\""),
		"order.description: must not contain unescaped control characters"),
	one("line feed bare", "order.description", raw("\"gift \n\""),
		"order.description: must not contain unescaped control characters"),

	one("no domain", "customer.email", "doe", "customer.email"+invalid),
	one("no dot in the domain", "customer.email", "a@b", "customer.email"+invalid),
	one("header injection", "customer.email", "a@b.c\r\nBcc: x@y.example", "customer.email"+invalid),
	one("quoted local part", "customer.email", `"x y"@ex.com`, "customer.email"+invalid),
	one("full-width at sign", "customer.email", "doe＠example.com", "customer.email"+invalid),
	one("full-width letters", "customer.email", "ｄｏｅ@example.com", "customer.email"+invalid),
	one("330 characters", "customer.email", strings.Repeat("a", 318)+"@example.com", "customer.email"+long(255)),
	one("two at signs", "customer.email", "a@b@example.com", "customer.email"+invalid),
	one("space in an address", "customer.email", "do e@example.com", "customer.email"+invalid),
	one("space after an address", "customer.email", "doe@example.com ", "customer.email"+invalid),

	one("country in small letters", "billing_address.country", "us", "billing_address.country"+invalid),
	one("country by habit", "billing_address.country", "UK", "billing_address.country"+invalid),
	one("no country", "billing_address.country", "XX", "billing_address.country"+invalid),
	one("alpha-3", "billing_address.country", "USA", "billing_address.country"+invalid),
	one("country by number", "billing_address.country", "840", "billing_address.country"+invalid),
	with("no state of the US", stateText, set("billing_address.country", "US"), set("billing_address.state", "ZZ")),
	with("state in words", stateText, set("billing_address.country", "US"), set("billing_address.state", "California")),
	with("state in small letters", stateText, set("billing_address.country", "US"), set("billing_address.state", "ca")),
	with("no province of Canada", stateText, set("billing_address.country", "CA"), set("billing_address.state", "CA")),
	with("no state of Australia", stateText, set("billing_address.country", "AU"), set("billing_address.state", "TX")),
	with("no state of India", stateText, set("billing_address.country", "IN"), set("billing_address.state", "ZZ")),
	with("no prefecture", stateText, set("billing_address.country", "JP"), set("billing_address.state", "99")),
	one("city of one character", "billing_address.city", "A", "billing_address.city"+short(2)),
	one("city of 41", "billing_address.city", strings.Repeat("A", 41), "billing_address.city"+long(40)),
	one("address of one character", "billing_address.address", "A", "billing_address.address"+short(2)),
	one("address of 256", "billing_address.address", strings.Repeat("A", 256), "billing_address.address"+long(255)),
	one("house number of ten", "billing_address.house_number", "1234567890", "billing_address.house_number"+long(9)),
	one("house number with a sign", "billing_address.house_number", "#5", "billing_address.house_number"+invalid),
	one("zip of one", "billing_address.zip", "1", "billing_address.zip"+short(2)),
	one("zip of eleven", "billing_address.zip", "12345678901", "billing_address.zip"+long(10)),
	one("district of one", "billing_address.district", "D", "billing_address.district"+short(2)),
	one("district of 33", "billing_address.district", strings.Repeat("D", 33), "billing_address.district"+long(32)),
	one("phone with a space", "billing_address.phone", "+1 (234)", phoneText),
	one("phone of 33", "billing_address.phone", strings.Repeat("1", 33), "billing_address.phone"+long(32)),
	one("phone with letters", "billing_address.phone", "555-CALL", phoneText),
	one("phone in Arabic digits", "billing_address.phone", "٥٥٥", phoneText),
	one("phone with an extension", "billing_address.phone", "5551234;ext=1", phoneText),
	one("plus in a phone code", "billing_address.phone_country_code", "+1-809", codeText),
	one("phone code of eleven", "billing_address.phone_country_code", "12345678901",
		"billing_address.phone_country_code"+long(10)),
	one("hyphen before a phone code", "billing_address.phone_country_code", "-809", codeText),
	one("hyphen after a phone code", "billing_address.phone_country_code", "1-", codeText),
	one("two hyphens in a phone code", "billing_address.phone_country_code", "1--809", codeText),

	onPayout("payee of 33 letters", latinPayee, set("payee.name", strings.Repeat("A", 33))),
	onPayout("payee of one letter", latinPayee, set("payee.name", "A")),
	onPayout("payee with digits", latinPayee, set("payee.name", "R2D2")),
	onPayout("payee with a diaeresis", latinPayee, set("payee.name", "Zoë")),
	onPayout("payee without a domain", "payee.email"+invalid, set("payee.email", "doe")),
	onPayout("payee's country", "payee_billing_address.country"+invalid, set("payee_billing_address.country", "UK")),
	onPayout("payee's state", "payee_"+stateText, set("payee_billing_address.country", "US"),
		set("payee_billing_address.state", "ZZ")),
	onPayout("payee's city", "payee_billing_address.city"+long(40),
		set("payee_billing_address.city", strings.Repeat("A", 41))),
	onPayout("payee's address", "payee_billing_address.address"+short(2), set("payee_billing_address.address", "A")),
	onPayout("payee's house number", "payee_billing_address.house_number"+long(9),
		set("payee_billing_address.house_number", "1234567890")),
	onPayout("payee's zip", "payee_billing_address.zip"+short(2), set("payee_billing_address.zip", "1")),
	onPayout("payee's phone", "payee_"+phoneText, set("payee_billing_address.phone", "555-CALL")),
	onPayout("payee's phone code", "payee_"+codeText, set("payee_billing_address.phone_country_code", "+1")),
	onPayout("payee's district", "payee_billing_address.district"+short(2), set("payee_billing_address.district", "D")),
}

// Dates (rows 66 and 67); it is 10 March 2027.
var badDates = append(badScheduleAmounts,
	one("born on 29 February of no leap year", "customer.birth_date", "2023-02-29", birthText),
	one("born in month 13", "customer.birth_date", "2024-13-01", birthText),
	one("born on day 0", "customer.birth_date", "1990-01-00", birthText),
	one("born in year 0", "customer.birth_date", "0000-01-01", birthText),
	one("born tomorrow", "customer.birth_date", "2027-03-11", birthText),
	one("born in 1850", "customer.birth_date", "1850-01-01", birthText),
	one("born without zeros", "customer.birth_date", "1990-1-5", birthText),
	one("born with slashes", "customer.birth_date", "01/05/1990", birthText),
	one("born at an hour", "customer.birth_date", "1990-01-05T00:00:00Z", birthText),
	one("born in Arabic digits", "customer.birth_date", "١٩٩٠-٠١-٠٥", birthText),
	scheduled("starts yesterday", "schedule_start_date", "2027-03-09", startText),
	scheduled("starts on 30 February", "schedule_start_date", "2027-02-30", startText),
	scheduled("starts without zeros", "schedule_start_date", "2027-1-5", startText),
	scheduled("starts at an hour", "schedule_start_date", "2027-04-01 10:00:00", startText),
	scheduled("starts as a number", "schedule_start_date", raw("20270401"), "schedule_start_date"+notString),
	one("starts without a schedule", "schedule_start_date", "2027-04-01", startText),
	one("schedule without a chain", "schedule_id", "weekly", "schedule_id: needs recurring_init"),
	with("schedule of 256", "schedule_id"+long(255), set("recurring_init", true),
		set("schedule_id", strings.Repeat("s", 256))),
)

// onPayout returns a row of a payout, which has a payee.
func onPayout(name, want string, edits ...edit) bad {
	return with(name, want, append([]edit{set("operation", "credit"), set("payee.name", "Jane Roe")}, edits...)...)
}
