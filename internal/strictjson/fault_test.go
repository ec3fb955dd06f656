package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const one = "body: must be one JSON object"
	hundred := "[" + strings.Repeat("0,", 99) + "0]"
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":0,`, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for _, c := range []struct{ name, body, want string }{
		{"empty", "", one},
		{"blank", " \n", one},
		{"null", "null", one},
		{"list", "[]", one},
		{"text", `"x"`, one},
		{"number", "1", one},
		{"two documents", "{}{}", one},
		{"two lines of documents", "{}\n{}", one},
		{"trailing garbage", "{}x", one},
		{"trailing NUL", "{}\x00", one},
		{"byte order mark", "\ufeff{}", one},
		{"UTF-16 little endian", "{\x00}\x00", one},
		{"UTF-16 big endian", "\x00{\x00}", one},
		{"UTF-16 with mark", "\xff\xfe{\x00}\x00", one},
		{"form", "action=SALE", one},

		{"open object", "{", "body: must be valid JSON (byte 1)"},
		{"comma at the end", `{"x":1,}`, "body: must be valid JSON (byte 7)"},
		{"comma at the end of a list", `{"x":[1,]}`, "body: must be valid JSON (byte 8)"},
		{"no comma", `{"x":1 "y":2}`, "body: must be valid JSON (byte 7)"},
		{"no colon", `{"x" 1}`, "body: must be valid JSON (byte 5)"},
		{"no value", `{"x":}`, "body: must be valid JSON (byte 5)"},
		{"key without quotes", `{x:1}`, "body: must be valid JSON (byte 1)"},
		{"single quotes", `{'x':1}`, "body: must be valid JSON (byte 1)"},
		{"comment", `{/**/}`, "body: must be valid JSON (byte 1)"},
		{"other white space", "{\v}", "body: must be valid JSON (byte 1)"},
		{"open text", `{"hash":"abc`, "body: must be valid JSON (byte 12)"},
		{"open text after escape", `{"hash":"a\n`, "body: must be valid JSON (byte 12)"},
		{"backslash at the end", `{"hash":"a\`, "body: must be valid JSON (byte 11)"},
		{"unknown escape", `{"hash":"\x41"}`, "body: must be valid JSON (byte 10)"},
		{"short escape", `{"hash":"\u12"}`, "body: must be valid JSON (byte 13)"},
		{"word", `{"consent":tru}`, "body: must be valid JSON (byte 11)"},
		{"word at the end", `{"consent":nul`, "body: must be valid JSON (byte 11)"},
		{"longer word", `{"consent":truest}`, "body: must be valid JSON (byte 15)"},
		{"leading zero", `{"size":01}`, "body: must be valid JSON (byte 9)"},
		{"plus", `{"size":+1}`, "body: must be valid JSON (byte 8)"},
		{"no digit before the point", `{"size":.5}`, "body: must be valid JSON (byte 8)"},
		{"no digit after the point", `{"size":5.}`, "body: must be valid JSON (byte 10)"},
		{"no exponent", `{"size":1e}`, "body: must be valid JSON (byte 10)"},
		{"minus alone", `{"size":-}`, "body: must be valid JSON (byte 9)"},
		{"hexadecimal", `{"size":0x5}`, "body: must be valid JSON (byte 9)"},
		{"NaN", `{"size":NaN}`, "body: must be valid JSON (byte 8)"},

		{"repeated", `{"order":{"amount":"1","currency":"USD","amount":"2"}}`, "order.amount: repeated field"},
		{"repeated in another spelling", `{"hash":"1","h\u0061sh":"2"}`, "hash: repeated field"},
		{"repeated after null", `{"hash":null,"hash":"2"}`, "hash: repeated field"},
		{"repeated often", `{"hash":1,"hash":2,"hash":3}`, "hash: must be a string; hash: repeated field"},
		{"repeated unknown", `{"order":{"q":1,"q":2}}`, "order.q: repeated field"},
		{"repeated unknown in another spelling", `{"\u0071":1,"q":2}`, "q: repeated field"},
		{"repeated inside unknown", `{"x":[0,{"y":{"q":1,"q":2}}]}`, "x[1].y.q: repeated field"},
		{"repeated inside free form", `{"custom_data":{"a":[{"q":1,"p":0,"q":2}]}}`, "custom_data.a[0].q: repeated field"},
		{"repeated on two levels", `{"hash":"","hash":"","order":{"hash":"","hash":""}}`,
			"hash: repeated field; order.hash: repeated field"},
		{"repeated long key", `{"` + strings.Repeat("x", 65) + `":1,"` + strings.Repeat("x", 65) + `":1}`,
			strings.Repeat("x", 64) + "…: repeated field"},

		{"amount as number", `{"order":{"amount":10.00}}`, "order.amount: must be a string"},
		{"hash as list", `{"hash":["a"]}`, "hash: must be a string"},
		{"text as object", `{"operation":{"a":1}}`, "operation: must be a string"},
		{"strict flag as text", `{"recurring_init":"Y"}`, "recurring_init: must be true or false"},
		{"strict flag as number", `{"consent":0}`, "consent: must be true or false"},
		{"loose flag, small letter", `{"auth":"y"}`, "auth: must be true or false"},
		{"loose flag as number", `{"auth":1}`, "auth: must be true or false"},
		{"loose flag, other word", `{"auth":"yes"}`, "auth: must be true or false"},
		{"loose flag, small letter for no", `{"auth":"n"}`, "auth: must be true or false"},
		{"loose flag as list", `{"auth":[true]}`, "auth: must be true or false"},
		{"loose flag, capitals", `{"auth":"TRUE"}`, "auth: must be true or false"},
		{"integer with fraction", `{"size":1.0}`, "size: must be an integer"},
		{"integer with exponent", `{"size":1e2}`, "size: must be an integer"},
		{"integer as text with exponent", `{"size":"1e2"}`, "size: must be an integer"},
		{"integer with minus", `{"size":-1}`, "size: must be an integer"},
		{"integer with space", `{"size":"10 "}`, "size: must be an integer"},
		{"integer in Arabic digits", `{"size":"١"}`, "size: must be an integer"},
		{"integer too long", `{"size":1000000000000000000}`, "size: must be an integer"},
		{"integer as bool", `{"size":true}`, "size: must be an integer"},
		{"own text of a field", `{"session_expiry":1.5}`, "session_expiry: must be within 1..720"},
		{"number with comma", `{"rate":"1,5"}`, "rate: must be a number or numeric string"},
		{"number with space", `{"rate":" 1"}`, "rate: must be a number or numeric string"},
		{"number as bool", `{"rate":false}`, "rate: must be a number or numeric string"},
		{"object as text", `{"order":"x"}`, "order: must be an object"},
		{"pointer as text", `{"billing_address":"US"}`, "billing_address: must be an object"},
		{"object as list", `{"customer":[1]}`, "customer: must be an object"},
		{"required object as an empty list", `{"order":[]}`, "order: must be an object"},
		{"required object as an empty text", `{"order":""}`, "order: must be an object"},
		{"entry of objects as an empty list", `{"items":[[]]}`, "items[0]: must be an object"},
		{"object as an empty list, broken within", `{"customer":["\ud800"]}`, "customer[0]: must be valid Unicode text"},
		{"free form as list", `{"custom_data":[1]}`, "custom_data: must be an object"},
		{"list as an object of a list", `{"methods":{"a":[]}}`, "methods: must be a list"},
		{"list as text", `{"methods":"card"}`, "methods: must be a list"},
		{"list as object", `{"items":{"0":{}}}`, "items: must be a list"},
		{"entry as number", `{"card_token":["a","b",3]}`, "card_token[2]: must be a string"},
		{"entry as null", `{"card_token":["a",null]}`, "card_token[1]: must be a string"},
		{"entry of objects as null", `{"items":[null]}`, "items[0]: must be an object"},
		{"entry's field", `{"items":[{},{"paid":"Y"}]}`, "items[1].paid: must be true or false"},
		{"optional of another type", `{"schedule_id":7}`, "schedule_id: must be a string"},
		{"text hook of another type", `{"color":7}`, "color: must be a string"},
		{"text hook keeps the value to itself", `{"color":"secret"}`, "color: This value is not valid."},
		{"several", `{"hash":1,"order":{"amount":2,"number":false},"billing_address":{"country":[]},"size":"x"}`,
			"hash: must be a string; order.amount: must be a string; order.number: must be a string; " +
				"billing_address.country: must be a string; size: must be an integer"},
		{"type and then syntax", `{"hash":1,"order":}`, "hash: must be a string; body: must be valid JSON (byte 18)"},
		{"type and then another document", `{"hash":1}{}`, "hash: must be a string; " + one},

		{"bad UTF-8", "{\"order\":{\"description\":\"a\xffb\"}}", "order.description: must be valid Unicode text"},
		{"bad UTF-8 after escape", "{\"hash\":\"\\n\xff\"}", "hash: must be valid Unicode text"},
		{"overlong UTF-8", "{\"hash\":\"\xc0\xaf\"}", "hash: must be valid Unicode text"},
		{"surrogate in UTF-8", "{\"hash\":\"\xed\xa0\x80\"}", "hash: must be valid Unicode text"},
		{"lone high surrogate", `{"hash":"\ud800"}`, "hash: must be valid Unicode text"},
		{"lone low surrogate", `{"hash":"\udc00x"}`, "hash: must be valid Unicode text"},
		{"two high surrogates", `{"hash":"\ud800\ud800"}`, "hash: must be valid Unicode text"},
		{"NUL", `{"hash":"a\u0000"}`, "hash: must not contain NUL"},
		{"raw NUL", "{\"hash\":\"a\x00\"}", "hash: must not contain unescaped control characters"},
		{"raw line end", "{\"hash\":\"a\n\"}", "hash: must not contain unescaped control characters"},
		{"NUL in a list", `{"card_token":["","\u0000"]}`, "card_token[1]: must not contain NUL"},
		{"NUL in unknown", `{"x":["\u0000"]}`, "x[0]: must not contain NUL"},
		{"NUL in free form", `{"custom_data":{"x":"\u0000"}}`, "custom_data.x: must not contain NUL"},
		{"NUL in a loose type", `{"auth":"Y\u0000"}`, "auth: must not contain NUL"},
		{"NUL in a key", `{"order":{"amount\u0000":"1"}}`, "order.amount\uFFFD: must not contain NUL"},
		{"bad UTF-8 in a key", "{\"custom_data\":{\"a\xff\":1}}", "custom_data.a\uFFFD: must be valid Unicode text"},

		{"depth 17", `{"custom_data":` + strings.Repeat(`{"a":`, 16) + "0", "body: nested too deeply"},
		{"depth 17 in unknown", `{"x":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + "}", "body: nested too deeply"},
		{"tower of lists", strings.Repeat("[", 1000), "body: nested too deeply"},
		{"tower of objects", strings.Repeat(`{"a":`, 1000), "body: nested too deeply"},
		{"201 keys", `{"custom_data":{` + keys(201) + `}}`, "custom_data: must have at most 200 fields"},
		{"201 keys of the document", `{` + keys(201) + `}`, "body: must have at most 200 fields"},
		{"1001 entries", `{"card_token":[""` + strings.Repeat(`,""`, 1000) + `]}`, "card_token: must have at most 1000 entries"},
		{"20,000 pairs", `{"x":[` + strings.Repeat(hundred+",", 200) + `0]}`,
			"body: must have at most 10000 fields and list entries"},
		{"10,001 pairs exactly", `{"x":[` + strings.Repeat(hundred+",", 98) + hundred + `],"y":0}`,
			"body: must have at most 10000 fields and list entries"},
		{"too long", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, "body: must be at most 1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, faults := sessions.Decode([]byte(c.body))
			require.EqualError(t, faults.Err(), c.want)
		})
	}
}

func TestFieldsWithinLimitsPass(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `,"k%d":0`, i)
	}
	got, faults := sessions.Decode([]byte(`{"custom_data":{` + b.String()[1:] + `}}`))
	require.NoError(t, faults.Err())
	require.Equal(t, 200, got.CustomData.Len())

	hundred := "[" + strings.Repeat("0,", 99) + "0]"
	_, faults = sessions.Decode([]byte(`{"x":[` + strings.Repeat(hundred+",", 98) + hundred + `]}`))
	require.NoError(t, faults.Err(), "1 + 99 + 9,900 = 10,000 pairs")
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	_, faults := sessions.Decode([]byte(`{"card_token":[0` + strings.Repeat(",1", 500) + `]`))
	require.Len(t, faults, 51)
	require.Equal(t, "card_token[49]: must be a string", faults[49].String())
	require.Equal(t, "body: must be valid JSON (byte 1017)", faults[50].String())
}

func TestFaultyDocumentKeepsTheRest(t *testing.T) {
	t.Parallel()
	got, faults := sessions.Decode([]byte(`{"order":{"amount":1,"currency":"USD"},"items":[{"paid":0}]}`))
	require.Equal(t, "USD", got.Order.Currency)
	for path, want := range map[string]bool{
		"order": true, "order.amount": true, "order.currency": false, "items": true, "items[0].paid": true,
		"items[0]": true, "item": false, "ord": false,
	} {
		require.Equal(t, want, faults.Has(path), path)
	}
}
