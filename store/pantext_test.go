package store_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Decision ba: brand, length and Luhn check together, in the digits of every script, across spaces, dots, dashes
// and invisible characters.
func TestHoldsPAN(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"alone":             {"4111111111111111", true},
		"in a text":         {"card 4111111111111111, thanks", true},
		"between letters":   {"pan4111111111111111pan", true},
		"with spaces":       {"4111 1111 1111 1111", true},
		"with dashes":       {"no. 4111-1111-1111-1111.", true},
		"with dots":         {"4111.1111.1111.1111", true},
		"with much between": {"4111 - 1111 - 1111 - 1111", true},
		"two blanks":        {"4111  1111  1111  1111", true},
		"one by one":        {"4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", true},
		"odd groups":        {"41111-11111 111111", true},
		"over lines":        {"4111\r\n1111\t1111\u00a01111", true},
		"after a plus":      {"+4111 1111 1111 1111", true},
		"after a number":    {"card 2: 4111 1111 1111 1111", true},
		"behind a number":   {"no 12 4111 1111 1111 1111", true},
		"before its expiry": {"4111 1111 1111 1111 12 28", true},
		"before its code":   {"4111111111111111 123", true},
		"one by one, more":  {"12 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 123", true},
		"an e-mail":         {"4111111111111111@shop.example", true},
		"an e-mail, dots":   {"4111.1111.1111.1111@shop.example", true},
		"en dashes":         {"4111–1111–1111–1111", true},
		"minus signs":       {"4111\u22121111\u22121111\u22121111", true},
		"a middle dot":      {"4111·1111·1111·1111", true},
		"zero-width space":  {"4111\u200b1111\u200b1111\u200b1111", true},
		"soft hyphen":       {"411111\u00ad1111111111", true},
		"joiner":            {"41111111\u034f11111111", true},
		"word joiner":       {"4111111111\u2060111111", true},
		"bidi marks":        {"\u202e4111\u200f1111\u20661111\u20691111", true},
		"variation":         {"4\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3111111111111", true},
		"byte order mark":   {"4111\ufeff111111111111", true},
		"hangul filler":     {"4111\u3164111111111111", true},
		"nothing":           {"4111\x00111111111111", true},
		"no UTF-8":          {"\xff4111111111111111\xff", true},
		"mixed scripts":     {"٤١١١１１１１1111११११", true},
		"13 of Visa":        {"4222222222222", true},
		"19 of Visa":        {"4000000000000000006", true},
		"amex":              {"3782 822463 10005", true},
		"diners":            {"3056 930902 5904", true},
		"maestro of 12":     {"501800000009", true},

		"pairs, more":      {"12 41 11 11 11 11 11 11 11", true},
		"an IBAN's length": {"DE41 1111 1111 1111 11", true},

		"wrong digit":               {"4111 1111 1111 1112", false},
		"an unknown network":        {"9999 9999 9999 9995", false},
		"15 that begin with 4":      {"411111111111116", false},
		"14 that begin with 4":      {"41111111111119", false},
		"18 that begin with 4":      {"411111111111111119", false},
		"15 of Mastercard":          {"555555555555557", false},
		"16 of Amex":                {"3782822463100051", false},
		"within more digits":        {"2741111111111111111", false},
		"an order's number":         {"2027031012345678901234", false},
		"a telephone":               {"+49 30 1234 5678", false},
		"too short":                 {"41111111", false},
		"across a slash":            {"4111/1111/1111/1111", false},
		"across a word":             {"4111 and 1111 1111 1111", false},
		"an IBAN":                   {"IBAN DE89370400440532013000, thanks", false},
		"an IBAN in fours":          {"DE89 3704 0044 0532 0130 00", false},
		"a Norwegian IBAN":          {"NO93 8601 1117 947", false},
		"sizes, and a number":       {"36 38 40 42 44 46 48 50 - 12", false},
		"days":                      {"24.03.2027 - 26.03.2027", false},
		"sizes":                     {"sizes 36 38 40 42 44 46 48 50 54", false},
		"more digits than any card": {strings.Repeat("4111 1111 1111 1112 ", 3), false},
		"none":                      {"Important gift", false},
		"empty":                     {"", false},
		"a date and a number":       {"2027-03-10 12 pieces, 4 boxes", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, store.HoldsPAN(c.text))
		})
	}
}

// Every decimal digit of Unicode is read.
func TestHoldsPANOfEveryScript(t *testing.T) {
	t.Parallel()
	scripts := 0
	for _, block := range unicode.Nd.R16 {
		scripts += inScripts(t, rune(block.Lo), rune(block.Hi))
	}
	for _, block := range unicode.Nd.R32 {
		scripts += inScripts(t, rune(block.Lo), rune(block.Hi))
	}
	require.Greater(t, scripts, 60)
}

// inScripts writes a card number in each script of a range of digits and returns how many scripts there are.
func inScripts(t *testing.T, lo, hi rune) (n int) {
	t.Helper()
	for zero := lo; zero <= hi; zero += 10 {
		n++
		number := strings.Map(func(r rune) rune { return zero + r - '0' }, "4111111111111111")
		require.True(t, store.HoldsPAN("card "+number+"."), "%U", zero)
	}
	return n
}

func TestHideDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"card 4111 1111-11111112 is stolen":     "card ****** is stolen",
		"code 05, ref 12345678901":              "code 05, ref 12345678901",
		"no ٤١١١.1111\u200b1111 – 1112, really": "no ******, really",
		"4111111111111111":                      "******",
		"card ************1111":                 "card ************1111",
		"":                                      "",
	} {
		require.Equal(t, want, store.HideDigits(text), text)
	}
}
