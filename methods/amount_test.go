package methods_test

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// currency returns a currency of ISO 4217 or one of three assets.
func currency(tb testing.TB, code string) methods.Currency {
	c, err := methods.NewCurrencies(methods.Currency{Code: "BTC", Exponent: 8},
		methods.Currency{Code: "ETHX", Exponent: 18}, methods.Currency{Code: "UNIT0"})
	require.NoError(tb, err)
	found, ok := c.Lookup(code)
	require.True(tb, ok, code)
	return found
}

const (
	usdRule = "must be a decimal number with 2 decimals, like 12.34"
	jpyRule = "must be a decimal number with 2 decimals, like 100.00"
	jpyTwo  = "JPY needs 2 decimals, like 100.00"
	integer = "must be a whole number, like 100"
)

var parseCases = []struct {
	name   string
	format methods.Format
	code   string
	text   string
	rule   string // empty: accepted
}{
	{"USD", methods.Checkout, "USD", "12.34", ""},
	{"USD cents", methods.Checkout, "USD", "0.01", ""},
	{"USD nothing", methods.Checkout, "USD", "0.00", ""},
	{"USD largest", methods.Checkout, "USD", "999999999999999.99", ""},
	{"USD integer", methods.Checkout, "USD", "100", usdRule},
	{"USD one decimal", methods.Checkout, "USD", "1.2", usdRule},
	{"USD three decimals", methods.Checkout, "USD", "1.000", usdRule},
	{"USD too large", methods.Checkout, "USD", "92233720368547758.08", "too large"},
	{"USD much too large", methods.Checkout, "USD", strings.Repeat("9", 40) + ".00", "too large"},
	{"USD too long to parse", methods.Checkout, "USD", strings.Repeat("9", 62) + ".00", usdRule},
	{"USD, S2S", methods.S2S, "USD", "12.34", ""},
	{"USD integer, S2S", methods.S2S, "USD", "100", usdRule},
	{"USD, payout", methods.Payout, "USD", "12.34", ""},
	{"USD integer, payout", methods.Payout, "USD", "12", usdRule},

	{"JPY", methods.Checkout, "JPY", "100.00", ""},
	{"JPY integer", methods.Checkout, "JPY", "100", ""},
	{"JPY nothing", methods.Checkout, "JPY", "0", ""},
	{"JPY one decimal", methods.Checkout, "JPY", "100.0", jpyTwo},
	{"JPY three decimals", methods.Checkout, "JPY", "100.000", jpyTwo},
	{"JPY fraction", methods.Checkout, "JPY", "100.50", "JPY has no fractions"},
	{"JPY not a number", methods.Checkout, "JPY", "1e2", jpyRule},
	{"JPY too large", methods.Checkout, "JPY", "1000000000000000", "too large"},
	{"JPY, S2S", methods.S2S, "JPY", "100", ""},
	{"JPY decimals, S2S", methods.S2S, "JPY", "100.00", ""},
	{"JPY fraction, S2S", methods.S2S, "JPY", "100.50", "JPY has no fractions"},
	{"JPY one decimal, S2S", methods.S2S, "JPY", "100.0", "JPY takes no decimals"},
	{"JPY not a number, S2S", methods.S2S, "JPY", "1e2", integer},
	{"XOF, payout", methods.Payout, "XOF", "100", ""},
	{"XOF decimals, payout", methods.Payout, "XOF", "100.00", "XOF takes no decimals"},
	{"XOF not a number, payout", methods.Payout, "XOF", "-100", integer},

	{"KWD", methods.Checkout, "KWD", "1.000", ""},
	{"KWD two decimals", methods.Checkout, "KWD", "1.00", "KWD needs 3 decimals, like 12.345"},
	{"KWD not a number", methods.S2S, "KWD", "1,000", "must be a decimal number with 3 decimals, like 12.345"},
	{"CLF", methods.S2S, "CLF", "1.0000", ""},
	{"CLF three decimals", methods.Checkout, "CLF", "1.000", "CLF needs 4 decimals, like 12.3456"},

	{"BTC", methods.Checkout, "BTC", "0.00000001", ""},
	{"BTC two decimals", methods.Checkout, "BTC", "1.00", "BTC needs 8 decimals, like 12.34567890"},
	{"asset of 18 decimals", methods.Checkout, "ETHX", "999999999999999.123456789012345678", ""},
	{"asset of 18, too large", methods.Checkout, "ETHX", "1234567890123456.123456789012345678", "too large"},
	{"asset of 18 with 19", methods.Checkout, "ETHX", "1.1234567890123456789", "ETHX needs 18 decimals, like 12.345678901234567890"},
	{"asset of none", methods.Checkout, "UNIT0", "5", ""},
	{"asset of none with decimals", methods.Checkout, "UNIT0", "5.00", "UNIT0 takes no decimals"},
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for _, tc := range parseCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, err := methods.ParseAmount(tc.format, currency(t, tc.code), tc.text)
			require.Equal(t, err, methods.CheckAmount(tc.format, currency(t, tc.code), tc.text))
			if tc.rule != "" {
				require.EqualError(t, err, tc.rule)
				require.Equal(t, methods.AmountError(tc.rule), err)
				require.Equal(t, store.Amount{}, a)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.text, a.String())
		})
	}
	_, err := methods.ParseAmount(methods.S2S, currency(t, "USD"), "1234567890123456.00")
	require.ErrorIs(t, err, methods.ErrTooLarge)
}

// naughty are texts that are never an amount, whatever the currency.
var naughty = []string{
	"", ".", "1e2", "1e999999", "1E-50000000", "-1.00", "−5.00", "+5.00", "5.", ".50", "05.00", "00.00", "5,00", " 5.00",
	"5.00 ", "5.00\n", "５.00", "٥.00", "0x5.00", "NaN", "Infinity", "1_000.00", "-0.00", "-1", "1.0.0", "\x00", "5.\xff0",
	strings.Repeat("9", 1<<20), strings.Repeat("9", 1<<20) + ".00",
}

func TestNaughtyAmounts(t *testing.T) {
	t.Parallel()
	for _, text := range naughty {
		_, err := methods.ParseAmount(methods.Checkout, currency(t, "USD"), text)
		require.EqualError(t, err, usdRule, "%.40q", text)
		for _, format := range []methods.Format{methods.Checkout, methods.S2S, methods.Payout} {
			for _, code := range []string{"JPY", "KWD", "CLF", "BTC", "ETHX", "UNIT0"} {
				_, err := methods.ParseAmount(format, currency(t, code), text)
				require.Error(t, err, "%.40q %s", text, code)
			}
		}
	}
}

// A million digits cost as little as none: they are counted, not parsed.
func TestParseAmountIsBounded(t *testing.T) { // not parallel: it counts allocations
	usd, nines := currency(t, "USD"), strings.Repeat("9", 1<<20)
	refuse := func(text string) float64 { // the least of several runs: a garbage collection empties the pools of fmt
		least := math.Inf(1)
		for range 20 {
			least = min(least, testing.AllocsPerRun(10, func() { _, _ = methods.ParseAmount(methods.Checkout, usd, text) }))
		}
		return least
	}
	require.Equal(t, refuse("x"), refuse(nines))
}

// A currency that is not registered must not break anything. Only code can make one.
func TestForeignCurrency(t *testing.T) {
	t.Parallel()
	for _, c := range []methods.Currency{{}, {Code: "ODD", Exponent: -1}, {Code: "ODD", Exponent: 99}} {
		for _, format := range []methods.Format{methods.Checkout, methods.S2S, methods.Payout, -1, 99} {
			for _, text := range append([]string{"1", "1.00", "1.5"}, naughty...) {
				require.NotPanics(t, func() {
					if _, err := methods.ParseAmount(format, c, text); err != nil {
						require.NotEmpty(t, err.Error())
					}
					methods.FormatAmount(format, c, store.MustAmount("1.50"))
				})
			}
		}
	}
}

func TestFormatAmount(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		format methods.Format
		code   string
		amount string
		want   string
	}{
		{"USD", methods.Checkout, "USD", "12.34", "12.34"},
		{"USD filled up", methods.S2S, "USD", "12", "12.00"},
		{"USD cut exactly", methods.Checkout, "USD", "12.3400", "12.34"},
		{"USD too fine", methods.Checkout, "USD", "12.345", "12.345"},
		{"JPY, Checkout", methods.Checkout, "JPY", "100", "100.00"},
		{"JPY, S2S", methods.S2S, "JPY", "100.00", "100"},
		{"JPY, payout", methods.Payout, "JPY", "100.00", "100"},
		{"JPY too fine", methods.S2S, "JPY", "100.50", "100.5"},
		{"KWD", methods.Payout, "KWD", "1.5", "1.500"},
		{"BTC", methods.Checkout, "BTC", "1", "1.00000000"},
		{"asset of none", methods.Checkout, "UNIT0", "7.00", "7"},
		{"nothing", methods.Checkout, "USD", "0", "0.00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, methods.FormatAmount(tc.format, currency(t, tc.code), store.MustAmount(tc.amount)))
		})
	}
}

// shapeOf is decision (h) as a pattern.
func shapeOf(format methods.Format, c methods.Currency) *regexp.Regexp {
	fraction := `\.[0-9]{` + strconv.Itoa(c.Exponent) + `}`
	switch {
	case c.Exponent == 0 && !c.Crypto && format != methods.Payout:
		fraction = `(\.00)?`
	case c.Exponent == 0:
		fraction = ``
	}
	return regexp.MustCompile(`^(0|[1-9][0-9]{0,14})` + fraction + `$`)
}

func FuzzParseAmount(f *testing.F) {
	codes := []string{"USD", "JPY", "KWD", "CLF", "BTC", "ETHX", "UNIT0"}
	for i, tc := range parseCases {
		f.Add(uint8(tc.format), uint8(i), tc.text)
	}
	for i, text := range naughty {
		f.Add(uint8(i), uint8(i), text[:min(len(text), 99)])
	}
	f.Fuzz(func(t *testing.T, format, code uint8, text string) {
		form, c := methods.Format(format%3), currency(t, codes[int(code)%len(codes)])
		a, err := methods.ParseAmount(form, c, text)
		require.Equal(t, shapeOf(form, c).MatchString(text), err == nil, "%q", text)
		if err != nil {
			require.IsType(t, methods.AmountError(""), err)
			return
		}
		require.LessOrEqual(t, len(text), store.MaxAmountText)
		require.Equal(t, text, a.String())
		model, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		require.Zero(t, model.Cmp(a.Decimal().Rat()))

		written := methods.FormatAmount(form, c, a)
		if c.Exponent > 0 {
			require.Equal(t, text, written)
		}
		again, err := methods.ParseAmount(form, c, written)
		require.NoError(t, err, "a formatted amount is read back")
		require.Zero(t, again.Cmp(a))
	})
}
