package checkout_test

import (
	"strings"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// badFollowUps returns the rows of the five paths that follow up payments.
func badFollowUps() (rows []bad) {
	for _, path := range []string{pathStatus, pathCapture, pathRefund, pathVoid, pathRetry} {
		rows = append(rows, onAny(path)...)
	}
	for _, path := range []string{pathCapture, pathRefund} {
		rows = append(rows, onAmounts(path)...)
	}
	for _, row := range badLookups {
		row.path = pathStatus
		rows = append(rows, row)
	}
	return rows
}

// onAny returns what every path refuses (reliability.md, rows 28, 35, 47 to 52).
func onAny(path string) []bad {
	fault := func(name, want string, edits ...edit) bad {
		return bad{path: path, name: name, edits: edits, want: []string{want}}
	}
	body := func(name, body, want string) bad {
		return bad{path: path, name: name, body: body, want: []string{want}}
	}
	none := func(name, id string) bad {
		return bad{path: path, name: name, edits: []edit{set("payment_id", id)}, code: 101000,
			message: "Payment does not exist."}
	}
	valid := followUp("01", "1.00").text()
	blanks := []string{"merchant_key" + blank, "payment_id" + blank}
	if path == pathCapture || path == pathRefund {
		blanks = append(blanks, "amount"+blank)
	}
	blanks = append(blanks, "hash"+blank)
	return []bad{
		{path: path, name: "empty object", body: "{}", want: blanks},
		{path: path, name: "everything null", body: `{"merchant_key":null,"payment_id":null,"amount":null,"hash":null}`, want: blanks},
		fault("no hash", "hash"+blank, drop("hash")),
		fault("empty hash", "hash"+blank, set("hash", "")),
		fault("wrong hash", badHash, set("hash", strings.Repeat("a", 40))),
		fault("hash of 39", badHash, set("hash", strings.Repeat("a", 39))),
		fault("hash of 41", badHash, set("hash", strings.Repeat("a", 41))),
		fault("hash of no digits", badHash, set("hash", strings.Repeat("z", 40))),
		fault("hash as a list", "hash"+notString, set("hash", raw(`["a"]`))),
		fault("hash as a number", "hash"+notString, set("hash", raw("1"))),
		fault("hash of another payment", badHash, signFirst, set("payment_id", "019580e4-0000-7000-8000-000000000000")),
		fault("no merchant_key", "merchant_key"+blank, drop("merchant_key")),
		fault("unknown merchant_key", "merchant_key"+invalid, set("merchant_key", "nobody")),
		fault("merchant_key of 256", "merchant_key"+invalid, set("merchant_key", strings.Repeat("k", 256))),
		fault("merchant_key of 60,000", "merchant_key"+invalid, set("merchant_key", strings.Repeat("k", 60_000))),
		fault("merchant_key as a number", "merchant_key"+notString, set("merchant_key", raw("1"))),
		fault("no payment_id", "payment_id"+blank, signFirst, drop("payment_id")),
		fault("empty payment_id", "payment_id"+blank, set("payment_id", "")),
		fault("payment_id as a number", "payment_id"+notString, set("payment_id", raw("1"))),
		fault("payment_id as a list", "payment_id"+notString, set("payment_id", raw(`["a"]`))),
		fault("payment_id as an object", "payment_id"+notString, set("payment_id", raw(`{"$gt":""}`))),
		fault("payment_id of 256", "payment_id"+invalid, set("payment_id", strings.Repeat("p", 256))),
		fault("payment_id of 60,000", "payment_id"+invalid, set("payment_id", strings.Repeat("p", 60_000))),
		none("unknown payment_id", "019580e4-0000-7000-8000-000000000000"),
		none("nil UUID", "00000000-0000-0000-0000-000000000000"),
		none("UUID as a URN", "urn:uuid:019580e4-0000-7000-8000-000000000000"),
		none("UUID in braces", "{019580e4-0000-7000-8000-000000000000}"),
		none("x…x", "x…x"),
		none("path as an id", "../../m-test"),
		none("percent signs", "%00%s%n"),
		none("a space as an id", " "),
		none("order number as an id", "ORD-1"),
		fault("255 wide characters", "payment_id"+invalid, set("payment_id", strings.Repeat("😀", 255))),
		fault("NUL in the id", "payment_id: must not contain NUL", set("payment_id", raw(`"\u0000"`))),
		fault("lone surrogate in the id", "payment_id: must be valid Unicode text", set("payment_id", raw(`"\ud800"`))),
		fault("broken UTF-8 in the id", "payment_id: must be valid Unicode text", set("payment_id", raw("\"\xff\""))),
		body("payment_id twice", `{"payment_id":"a","payment_id":"b","merchant_key":"k","amount":"1.00","hash":"h"}`,
			"payment_id: repeated field"),
		body("a million brackets", strings.Repeat("[", 65_000), tooDeep),
		body("not an object", "[]", oneObject),
		body("space alone", " ", oneObject),
		body("garbage behind", valid+"x", oneObject),
		body("cut off", valid[:len(valid)-1], syntaxAt(len(valid)-1)),
		body("64 KiB and a byte", padded(valid, maxFollowUp+1), "body: must be at most 65536 bytes"),
		{path: path, name: "64 KiB and a byte in chunks", body: padded(valid, maxFollowUp+1), chunked: true, want: []string{"body: must be at most 65536 bytes"}},
		{path: path, name: "text/plain", body: valid, headers: []string{"Content-Type: text/plain"}, want: []string{notJSON}},
		{path: path, name: "gzip", body: valid, headers: []string{"Content-Encoding: gzip"}, want: []string{compressed}},
	}
}

// onAmounts returns what a capture of a 10.00 authorization and a refund of a 10.00 payment refuse. Faults of the
// text alone are reported before the hash is checked, and reveal nothing of the payment.
func onAmounts(path string) []bad {
	const malformed = "amount: must be a decimal number of at most 15 digits and 18 decimals, like 12.34"
	fault := func(name, value, want string) bad {
		return bad{path: path, name: name, edits: []edit{set("amount", value)}, want: []string{want}}
	}
	rows := []bad{
		{path: path, name: "no amount", edits: []edit{drop("amount")}, want: []string{"amount" + blank}},
		fault("empty amount", "", "amount"+blank),
		fault("exponent", "1e1", malformed),
		fault("huge exponent", "1e999999", malformed),
		fault("comma", "10,00", malformed),
		fault("plus", "+10.00", malformed),
		fault("leading zero", "010.00", malformed),
		fault("space", " 10.00", malformed),
		fault("full-width", "１０.00", malformed),
		fault("NaN", "NaN", malformed),
		fault("50,000 digits", strings.Repeat("9", 50_000), malformed),
		fault("minus nothing", "-0.00", malformed),
		fault("negative", "-5.00", positive),
		fault("-1", "-1", positive),
		fault("nothing", "0.00", positive),
		fault("nothing without decimals", "0", positive),
		fault("no decimals", "10", "amount: must be a decimal number with 2 decimals, like 12.34"),
		fault("three decimals", "10.000", "amount: must be a decimal number with 2 decimals, like 12.34"),
		fault("too large", "1000000000000000.00", malformed),
		{path: path, name: "malformed and the hash is wrong", edits: []edit{set("amount", "ten"), set("hash", strings.Repeat("a", 40))}, want: []string{malformed}},
		{path: path, name: "JSON number", edits: []edit{set("amount", raw("10.00"))}, want: []string{"amount" + notString}},
		{path: path, name: "list for an amount", edits: []edit{set("amount", raw(`["10.00"]`))}, want: []string{"amount" + notString}},
		{path: path, name: "hash of another amount", edits: []edit{signFirst, set("amount", "9.99")}, want: []string{badHash}},
	}
	more := bad{path: path, name: "a cent too much", edits: []edit{set("amount", "10.01")}, code: 208006,
		message: "Not acceptable to request the refund for amount bigger than payment amount."}
	if path == pathCapture {
		more.code, more.message = 208004, "Not acceptable to request the capture for amount bigger than auth amount."
	}
	return append(rows, more)
}

const badSize = "size should be within 1..100"

func sized(name string, size any) bad {
	return bad{name: "size " + name, edits: []edit{drop("payment_id"), set("order_id", "ORD-1"), set("size", size)},
		want: []string{badSize}}
}

// Lookups by order (row 36).
var badLookups = []bad{
	sized("0", raw("0")),
	sized("0 as text", "0"),
	sized("101", raw("101")),
	sized("101 as text", "101"),
	sized("-1", raw("-1")),
	sized("-1 as text", "-1"),
	sized("with an exponent", "1e2"),
	sized("with an exponent as a number", raw("1e1")),
	sized("and a space", "10 "),
	sized("after a space", " 10"),
	sized("with a plus", "+10"),
	sized("with a leading zero", "010"),
	sized("1.5", raw("1.5")),
	sized("beyond 64 bits", raw("18446744073709551617")),
	sized("beyond every float", raw("1e999999")),
	sized("in words", "ten"),
	sized("in Arabic digits", "١٠"),
	sized("true", raw("true")),
	sized("list", raw("[10]")),
	sized("object", raw("{}")),
	{name: "size 101 and the hash is wrong", edits: []edit{drop("payment_id"), set("order_id", "ORD-1"), set("size", "101"), set("hash", strings.Repeat("a", 40))}, want: []string{badSize}},
	{name: "size 101 and no merchant_key", edits: []edit{drop("payment_id"), set("order_id", "ORD-1"), set("size", "101"), drop("merchant_key")}, want: []string{"merchant_key" + blank, badSize}},
	{name: "size 101 and an order that is no text", edits: []edit{drop("payment_id"), set("order_id", raw("1")), set("size", "101")}, want: []string{"order_id" + notString, badSize}},
	{name: "unknown order", edits: []edit{drop("payment_id"), set("order_id", "ORD-2")}, code: 101000, message: "Order does not exist."},
	{name: "order by another case", edits: []edit{drop("payment_id"), set("order_id", "ord-1")}, code: 101000, message: "Order does not exist."},
	{name: "first part of an order", edits: []edit{drop("payment_id"), set("order_id", "ORD-")}, code: 101000, message: "Order does not exist."},
	{name: "order of 256", edits: []edit{drop("payment_id"), set("order_id", strings.Repeat("o", 256))}, want: []string{"order_id" + long(255)}},
	{name: "order of 60,000", edits: []edit{drop("payment_id"), set("order_id", strings.Repeat("o", 60_000))}, want: []string{"order_id" + long(255)}},
	{name: "order of 255 wide characters", edits: []edit{drop("payment_id"), set("order_id", strings.Repeat("😀", 255))}, code: 101000, message: "Order does not exist."},
	{name: "order as a number", edits: []edit{set("order_id", raw("1"))}, want: []string{"order_id" + notString}},
	{name: "order with NUL", edits: []edit{drop("payment_id"), set("order_id", raw(`"\u0000"`))}, want: []string{"order_id: must not contain NUL"}},
	{name: "hash of the order for the payment", edits: []edit{func(o object) {
		id := o["payment_id"]
		delete(o, "payment_id")
		set("order_id", "ORD-1")(o)
		signFirst(o)
		o["payment_id"] = id
	}}, want: []string{badHash}},
	{name: "hash of the merchant's key", edits: []edit{set("hash", gatewaytest.MerchantKey)}, want: []string{badHash}},
}
