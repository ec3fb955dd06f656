package badinput_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/tollgatepay/gateway/gatewaytest"
)

const (
	gatewayPassword = gatewaytest.Password
	gatewayKey      = gatewaytest.MerchantKey
)

func upper(hash string) string { return strings.ToUpper(hash) }

// flipped is the hash with another first digit.
func flipped(hash string) string {
	if hash[0] == '0' {
		return "1" + hash[1:]
	}
	return "0" + hash[1:]
}

// inserted puts a text before another one, at its first place in the body.
func inserted(what, before string) edit {
	return spoiled("with "+what, func(valid string) string { return strings.Replace(valid, before, what+before, 1) })
}

func behind(text string) edit {
	return spoiled("and "+brief(quote(text))+" behind", func(valid string) string { return valid + text })
}

// padded is the body with spaces up to a number of bytes.
func padded(n int) edit {
	return spoiled(fmt.Sprintf("of %d bytes", n), func(valid string) string { return valid + times(n-len(valid), " ") })
}

func wide(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		b.Write([]byte{byte(unit >> 8), byte(unit)})
	}
	return b.String()
}

func syntax(at int) string { return fmt.Sprintf("body: must be valid JSON (byte %d)", at) }

// Structure and transport: 47 to 53.
var sessionStructure = list("session", slices.Concat(
	[]row{
		bad(47, tooDeep, body("of a million brackets", times(1_000_000, "["))),
		bad(47, tooDeep, body("of ten thousand objects", times(10_000, `{"a":`)+"1"+times(10_000, "}"))),
		bad(48, "order.amount: repeated field", inserted(`"amount":"1.00",`, `"amount":`)),
		bad(48, "order.amount: repeated field", inserted(`"\u0061mount":"1.00",`, `"amount":`)),
		bad(48, "hash: repeated field", inserted(`"hash":"a",`, `"hash":`)),
		bad(48, "order: repeated field", inserted(`"order":{},`, `"order":`)),
		bad(48, "order.amount"+blank, drop("order.amount"), set("order.AMOUNT", "10.00")),
		bad(48, "success_url"+blank, drop("success_url"), set("\u017fuccess_url", "https://shop.example/")),
		bad(48, "merchant_key"+blank, drop("merchant_key"), set("merchant_\u212aey", "x")),
		bad(49, oneObject, behind("{}")), bad(49, oneObject, behind("x")), bad(49, oneObject, behind("}")),
		bad(49, oneObject, behind("\x00")),
		bad(49, oneObject, spoiled("after a byte order mark", func(v string) string { return "\ufeff" + v })),
		bad(49, oneObject, spoiled("in UTF-16", wide)),
		bad(49, oneObject, spoiled("in a list", func(v string) string { return "[" + v + "]" })),
		bad(49, syntax(5), body("of NaN", `{"a":NaN}`)), bad(49, syntax(1), body("in single quotes", `{'a':1}`)),
		bad(49, syntax(7), body("with a comma at the end", `{"a":1,}`)),
		bad(49, syntax(6), body("with a leading zero", `{"a":01}`)),
		bad(49, syntax(7), body("cut off", `{"merch`)),
		one(50, "order.number", verbatim("\"ORD-\xff\""), notUnicode),
		one(50, "order.description", verbatim(`"gift \ud800"`), notUnicode),
		one(50, "order.description", verbatim(`"gift \u0000"`), notNUL),
		one(50, "customer.name", verbatim(`"John\u0000"`), notNUL),
		bad(50, "custom_data.a[1]"+notUnicode, set("custom_data", verbatim("{\"a\":[\"x\",\"\xff\"]}"))),
		one(50, "order.description", verbatim("\"gift \n\""), ": must not contain unescaped control characters"),
		bad(51, notJSON, header("Content-Type", "text/plain")), bad(51, notJSON, header("Content-Type", "")),
		bad(51, notJSON, header("Content-Type", "application/x-www-form-urlencoded")),
		bad(51, notJSON, header("Content-Type", "multipart/form-data; boundary=x")),
		bad(51, notJSON, header("Content-Type", "application/json; charset")),
		bad(51, notJSON, header("Content-Type", "application/vnd.api+json")),
		bad(51, compressed, header("Content-Encoding", "gzip")),
		bad(51, compressed, header("Content-Encoding", "identity, br")),
		bad(51, oneObject, body("gzipped without saying so", "\x1f\x8b\x08\x00\x00")),
		bad(52, bigBody, padded(1<<20+1)), bad(52, bigBody, padded(1<<20+1), chunked),
		bad(52, bigBody, set("billing_address.language", times(1<<20, "e"))),
		bad(53, tooDeep, set("custom_data", verbatim(nested(16)))), bad(53, tooDeep, set("parameters", verbatim(nested(16)))),
		bad(53, "custom_data: must have at most 200 fields", set("custom_data", verbatim(fields(201)))),
		bad(53, "custom_data: must be at most 65536 bytes", set("custom_data", object{"a": times(64<<10, "x")})),
		bad(53, "custom_data.a: repeated field", set("custom_data", verbatim(`{"a":1,"a":2}`))),
		bad(53, "custom_data"+notObject, set("custom_data", "x")),
		bad(53, "custom_data"+notObject, set("custom_data", verbatim("[1]"))),
		bad(53, "parameters: must be at most 262144 bytes",
			set("parameters", object{"card": object{"a": times(300_000, "x")}})),
		bad(54, "body: must have at most 10000 fields and list entries", set("custom_data", verbatim(lists(51, 200)))),
	},
	bodies(49, "", "null", "[]", `"x"`, "1", "true", " ", "a=b", "<session/>"),
)...)

// bodies are those that are no object.
func bodies(n int, texts ...string) (rows []row) {
	for _, text := range texts {
		rows = append(rows, bad(n, oneObject, body(quote(text), text)))
	}
	return rows
}

// lists is an object of n lists.
func lists(n, entries int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"l%d":[1%s]`, i, times(entries-1, ",1"))
	}
	return "{" + b.String()[1:] + "}"
}
