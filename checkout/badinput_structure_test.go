package checkout_test

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

const (
	oneObject = "body: must be one JSON object"
	tooDeep   = "body: nested too deeply"
)

func badBody(name, body, want string) bad { return bad{name: name, body: body, want: []string{want}} }

// repeat returns a body in which one field occurs twice.
func repeat(o object, field, twice string) string {
	return strings.Replace(o.text(), field, twice, 1)
}

// Structure of the document (reliability.md, rows 47 to 50 and 53).
func badStructure() []bad {
	valid := purchase().text()
	return []bad{
		badBody("a million brackets", strings.Repeat("[", 1_000_000), tooDeep),
		badBody("ten thousand brackets, closed", strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000), tooDeep),
		badBody("ten thousand objects", strings.Repeat(`{"a":`, 10_000)+"1"+strings.Repeat("}", 10_000), tooDeep),
		{name: "ten thousand brackets in an unknown field", edits: []edit{set("whatever", raw(strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)))}, want: []string{tooDeep}},
		{name: "custom data 17 deep", edits: []edit{set("custom_data", raw(nested(16)))}, want: []string{tooDeep}},
		{name: "parameters 17 deep", edits: []edit{set("parameters", raw(nested(16)))}, want: []string{tooDeep}},
		{name: "custom data of 201 keys", edits: []edit{set("custom_data", raw(wide(201)))}, want: []string{"custom_data: must have at most 200 fields"}},
		{name: "parameters of 201 keys", edits: []edit{set("parameters", raw(wide(201)))}, want: []string{"parameters: must have at most 200 fields"}},
		{name: "10,001 pairs", edits: []edit{set("custom_data", raw(lists(51, 200)))}, want: []string{"body: must have at most 10000 fields and list entries"}},
		{name: "list of 1,001 entries", edits: []edit{set("custom_data", raw(lists(1, 1001)))}, want: []string{"custom_data.l0: must have at most 1000 entries"}},

		badBody("amount twice", repeat(purchase(), `"amount":"10.00"`, `"amount":"10.00","amount":"1.00"`),
			"order.amount: repeated field"),
		badBody("amount twice, escaped", repeat(purchase(), `"amount":"10.00"`, `"amount":"10.00","\u0061mount":"1.00"`),
			"order.amount: repeated field"),
		badBody("hash twice", repeat(purchase(), `"hash":`, `"hash":"a","hash":`), "hash: repeated field"),
		badBody("order twice", repeat(purchase(), `"order":`, `"order":{},"order":`), "order: repeated field"),
		badBody("merchant_key twice", repeat(purchase(), `"merchant_key":`, `"merchant_key":"x","merchant_key":`),
			"merchant_key: repeated field"),
		badBody("unknown field twice", repeat(purchase(), `"hash":`, `"x":1,"x":1,"hash":`), "x: repeated field"),
		one("key twice in custom data", "custom_data", raw(`{"a":1,"a":2}`), "custom_data.a: repeated field"),
		{name: "AMOUNT alone", edits: []edit{drop("order.amount"), set("order.AMOUNT", "10.00")}, want: []string{"order.amount" + blank}},
		{name: "amount with a space alone", edits: []edit{drop("order.amount"), set("order.amount ", "10.00")}, want: []string{"order.amount" + blank}},
		{name: "success_url with a long s alone", edits: []edit{drop("success_url"), set("\u017fuccess_url", "https://shop.example/")}, want: []string{"success_url" + blank}},
		{name: "merchant_key with a Kelvin sign alone", edits: []edit{drop("merchant_key"), set("merchant_\u212aey", "x")}, want: []string{"merchant_key" + blank}},
		{name: "dotted keys instead of an order", edits: []edit{set("order", raw("null")), func(o object) { o["order.number"] = "ORD-1" }},
			want: []string{"order.number" + blank, "order.amount" + blank, "order.currency" + blank,
				"order.description" + blank}},

		badBody("two documents", valid+valid, oneObject),
		badBody("two documents in lines", valid+"\n"+valid, oneObject),
		badBody("garbage after the body", valid+"x", oneObject),
		badBody("brace after the body", valid+"}", oneObject),
		badBody("NUL after the body", valid+"\x00", oneObject),
		badBody("byte order mark", "\ufeff"+valid, oneObject),
		badBody("UTF-16", wideText(valid, false), oneObject),
		badBody("UTF-16 with a mark", wideText("\ufeff"+valid, true), oneObject),
		{name: "empty", empty: true, want: []string{oneObject}},
		{name: "empty in chunks", empty: true, chunked: true, want: []string{oneObject}},
		badBody("space alone", " ", oneObject),
		badBody("null", "null", oneObject),
		badBody("list", "[]", oneObject),
		badBody("list of the object", "["+valid+"]", oneObject),
		badBody("text", `"x"`, oneObject),
		badBody("number", "1", oneObject),
		badBody("number beyond every float", "1e999999", oneObject),
		badBody("true", "true", oneObject),
		badBody("form", "merchant_key=a&operation=purchase", oneObject),
		badBody("XML", "<session/>", oneObject),
		badBody("prefix against hijacking", ")]}',\n"+valid, oneObject),

		badBody("cut off", valid[:len(valid)-1], syntaxAt(len(valid)-1)),
		badBody("cut off in the first key", `{"merch`, syntaxAt(7)),
		badBody("single quotes", `{'a':1}`, syntaxAt(1)),
		badBody("bare key", `{a:1}`, syntaxAt(1)),
		badBody("comma at the end", `{"a":1,}`, syntaxAt(7)),
		badBody("comment", `{/* */"a":1}`, syntaxAt(1)),
		badBody("no colon", `{"a" 1}`, syntaxAt(5)),
		badBody("leading zero", `{"a":01}`, syntaxAt(6)),
		badBody("plus", `{"a":+1}`, syntaxAt(5)),
		badBody("NaN", `{"a":NaN}`, syntaxAt(5)),
		badBody("point at the end", `{"a":1.}`, syntaxAt(7)),
		badBody("bad escape", `{"a":"\x"}`, syntaxAt(7)),
		badBody("short escape", `{"a":"\u12"}`, syntaxAt(10)),
		badBody("word in capitals", `{"a":True}`, syntaxAt(5)),
	}
}

func syntaxAt(at int) string { return fmt.Sprintf("body: must be valid JSON (byte %d)", at) }

// nested returns an object of depth n; as the value of a field the document is one deeper.
func nested(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }

// wide returns an object with n keys.
func wide(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

// lists returns an object of lists.
func lists(n, entries int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"l%d":[1%s]`, i, strings.Repeat(",1", entries-1))
	}
	return "{" + b.String()[1:] + "}"
}

func wideText(text string, little bool) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		high, low := byte(unit>>8), byte(unit)
		if little {
			high, low = low, high
		}
		b.Write([]byte{high, low})
	}
	return b.String()
}

const (
	maxCreate   = 1 << 20
	maxFollowUp = 64 << 10
	notJSON     = "Content-Type: must be application/json"
	compressed  = "Content-Encoding: bodies must not be compressed"
)

// padded returns a body of exactly n bytes.
func padded(body string, n int) string { return body + strings.Repeat(" ", n-len(body)) }

// Transport (rows 51 and 52).
func badTransport() []bad {
	valid := purchase().text()
	headed := func(name, want string, headers ...string) bad {
		return bad{name: name, headers: headers, want: []string{want}}
	}
	return []bad{
		headed("text/plain", notJSON, "Content-Type: text/plain"),
		headed("a form", notJSON, "Content-Type: application/x-www-form-urlencoded"),
		headed("multipart", notJSON, "Content-Type: multipart/form-data; boundary=x"),
		headed("XML by header", notJSON, "Content-Type: application/xml"),
		headed("almost JSON", notJSON, "Content-Type: application/jsonp"),
		headed("JSON of another kind", notJSON, "Content-Type: application/vnd.api+json"),
		headed("text/json", notJSON, "Content-Type: text/json"),
		headed("no content type", notJSON, "Content-Type: "),
		headed("slash alone", notJSON, "Content-Type: /"),
		headed("broken parameter", notJSON, "Content-Type: application/json; charset"),
		headed("gzip", compressed, "Content-Encoding: gzip"),
		headed("deflate", compressed, "Content-Encoding: deflate"),
		headed("br", compressed, "Content-Encoding: br"),
		headed("two encodings", compressed, "Content-Encoding: identity, gzip"),
		{name: "gzip for real", body: "\x1f\x8b\x08\x00\x00", headers: []string{"Content-Encoding: gzip"}, want: []string{compressed}},
		{name: "gzip without saying so", body: "\x1f\x8b\x08\x00\x00", want: []string{oneObject}},
		{name: "1 MiB and a byte", body: padded(valid, maxCreate+1), want: []string{"body: must be at most 1048576 bytes"}},
		{name: "1 MiB and a byte in chunks", body: padded(valid, maxCreate+1), chunked: true, want: []string{"body: must be at most 1048576 bytes"}},
		{name: "20 MiB", body: padded(valid, 20<<20), want: []string{"body: must be at most 1048576 bytes"}},
		{name: "language of a megabyte", edits: []edit{set("billing_address.language", strings.Repeat("e", maxCreate))}, want: []string{"body: must be at most 1048576 bytes"}},
		{name: "chunks with garbage after the body", body: valid + "x", chunked: true, want: []string{oneObject}},
	}
}

// Sizes within the limit of the body but over that of a record: they are refused, and are no internal error.
var badSizes = []bad{
	{name: "custom data of nearly a megabyte", edits: []edit{set("custom_data", object{"a": raw(`"` + strings.Repeat("x", 1_040_000) + `"`)})},
		want: []string{"custom_data: must be at most 65536 bytes"}},
	{name: "custom data of 64 KiB and a byte", edits: []edit{set("custom_data", object{"a": raw(`"` + strings.Repeat("x", maxFollowUp-7) + `"`)})},
		want: []string{"custom_data: must be at most 65536 bytes"}},
	{name: "custom data that grows when escaped", edits: []edit{set("custom_data", object{"a": raw(`"` + strings.Repeat("<", 900_000) + `"`)})},
		want: []string{"custom_data: must be at most 65536 bytes"}},
	{name: "parameters of nearly a megabyte", edits: []edit{set("parameters", object{"card": object{"a": raw(`"` + strings.Repeat("x", 1_040_000) + `"`)}})},
		want: []string{"parameters: must be at most 262144 bytes"}},
	{name: "language of 1,025", edits: []edit{set("billing_address.language", strings.Repeat("e", 1025))},
		want: []string{"billing_address.language" + long(1024)}},
}
