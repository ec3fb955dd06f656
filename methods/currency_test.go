package methods_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func TestISOExponents(t *testing.T) {
	t.Parallel()
	var none *methods.Currencies
	for exponent, codes := range map[int]string{
		0: "JPY KRW XOF XAF XPF ISK UGX VND CLP PYG RWF KMF GNF DJF BIF VUV UYI",
		2: "USD EUR GBP MGA MRU AFN ALL IRR LAK MMK LBP IDR COP PKR XCD SLE VES VED ZWG XCG CHE CHW MXV USN BOV COU",
		3: "BHD KWD TND IQD JOD OMR LYD",
		4: "CLF UYW",
	} {
		for _, code := range strings.Fields(codes) {
			for name, c := range map[string]*methods.Currencies{"nil": none, "zero": {}} {
				currency, ok := c.Lookup(code)
				require.True(t, ok, "%s %s", name, code)
				require.Equal(t, methods.Currency{Code: code, Exponent: exponent}, currency)
			}
		}
	}
}

// TestISOCount tries every possible code: 155 currencies and nine fund codes are active.
func TestISOCount(t *testing.T) {
	t.Parallel()
	var c methods.Currencies
	count := map[int]int{}
	for i := range 26 * 26 * 26 {
		code := string([]byte{'A' + byte(i/676), 'A' + byte(i/26%26), 'A' + byte(i%26)})
		if currency, ok := c.Lookup(code); ok {
			count[currency.Exponent]++
		}
	}
	require.Equal(t, map[int]int{0: 17, 2: 138, 3: 7, 4: 2}, count)
}

func TestNoCurrency(t *testing.T) {
	t.Parallel()
	c, err := methods.NewCurrencies()
	require.NoError(t, err)
	for _, code := range []string{
		"", "usd", "Usd", "US", "USDT", "XXX", "XTS", "XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XAD",
		"HRK", "SLL", "CUC", "ZWL", "ANG", "BGN", "U\u017fD", " USD", "USD ", "ＵＳＤ", "U\x00D", strings.Repeat("A", 1<<20),
	} {
		currency, ok := c.Lookup(code)
		require.False(t, ok, "%.20q", code)
		require.Equal(t, methods.Currency{}, currency)
	}
}

func TestCrypto(t *testing.T) {
	t.Parallel()
	given := []methods.Currency{{Code: "BTC", Exponent: 8}, {Code: "USDT", Exponent: 6}, {Code: "1INCH", Exponent: 18},
		{Code: "SHIB20"}}
	c, err := methods.NewCurrencies(given...)
	require.NoError(t, err)
	given[0].Exponent = 2
	btc, ok := c.Lookup("BTC")
	require.True(t, ok)
	require.Equal(t, methods.Currency{Code: "BTC", Exponent: 8, Crypto: true}, btc, "registered currencies do not change")
	usd, ok := c.Lookup("USD")
	require.True(t, ok)
	require.False(t, usd.Crypto)
	_, ok = c.Lookup("btc")
	require.False(t, ok)
	_, ok = (*methods.Currencies)(nil).Lookup("BTC")
	require.False(t, ok)
}

func TestRefusedCrypto(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		crypto []methods.Currency
		text   string
	}{
		{"empty", []methods.Currency{{}}, "3 to 6"},
		{"short", []methods.Currency{{Code: "BT"}}, "3 to 6"},
		{"long", []methods.Currency{{Code: "BITCOIN"}}, "3 to 6"},
		{"lower case", []methods.Currency{{Code: "btc"}}, `"btc"`},
		{"punctuation", []methods.Currency{{Code: "BT-C"}}, "letters and digits"},
		{"other letters", []methods.Currency{{Code: "ВТС"}}, "letters and digits"},
		{"negative exponent", []methods.Currency{{Code: "BTC", Exponent: -1}}, "BTC: the exponent"},
		{"large exponent", []methods.Currency{{Code: "BTC", Exponent: 19}}, "not 19"},
		{"ISO code", []methods.Currency{{Code: "ETH", Exponent: 18}, {Code: "USD", Exponent: 2}}, "USD: the code is one of ISO 4217"},
		{"twice", []methods.Currency{{Code: "ETH", Exponent: 18}, {Code: "ETH", Exponent: 18}}, "ETH: registered twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, err := methods.NewCurrencies(tc.crypto...)
			require.ErrorContains(t, err, tc.text)
			require.Nil(t, c)
		})
	}
}

// Minor and Major are exact, and each is the reverse of the other.
func TestMinorUnits(t *testing.T) {
	t.Parallel()
	coins, err := methods.NewCurrencies(methods.Currency{Code: "USDT", Exponent: 6})
	require.NoError(t, err)
	for _, c := range []struct{ amount, code, units, major string }{
		{"10.00", "USD", "1000", "10.00"}, {"10", "USD", "1000", "10.00"}, {"0.01", "USD", "1", "0.01"},
		{"0.00", "USD", "0", "0.00"}, {"1000", "JPY", "1000", "1000"}, {"1000.00", "JPY", "1000", "1000"},
		{"1.234", "KWD", "1234", "1.234"}, {"0.000001", "USDT", "1", "0.000001"},
		{"999999999999.99", "EUR", "99999999999999", "999999999999.99"},
	} {
		units, err := coins.Minor(store.MustAmount(c.amount), c.code)
		require.NoError(t, err, c)
		require.Equal(t, c.units, units)
		back, err := coins.Major(units, c.code)
		require.NoError(t, err, c)
		require.Equal(t, c.major, back.String())
	}
	for _, c := range []struct{ amount, code string }{{"0.001", "USD"}, {"0.1", "JPY"}, {"1.00", "USDC"}, {"1.00", ""}} {
		_, err := coins.Minor(store.MustAmount(c.amount), c.code)
		require.Error(t, err, c)
	}
	for _, c := range []struct{ units, code string }{
		{"1.0", "USD"}, {"-1", "USD"}, {"", "USD"}, {"1e3", "USD"}, {"1", "USDC"},
	} {
		_, err := coins.Major(c.units, c.code)
		require.Error(t, err, c)
	}
	_, err = (*methods.Currencies)(nil).Minor(store.MustAmount("1.00"), "EUR")
	require.NoError(t, err, "nil is ISO 4217")
}
