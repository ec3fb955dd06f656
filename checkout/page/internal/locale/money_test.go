package locale

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// of returns the locale of a language in its direction.
func of(lang string) Locale {
	if lang == "ar" {
		return Of(lang, "rtl")
	}
	return Of(lang, "ltr")
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount string
		lang   string
		want   string
	}{
		{"0", "en", "0"}, {"10.00", "en", "10.00"}, {"999", "en", "999"}, {"1000", "en", "1,000"},
		{"1234567.891", "en", "1,234,567.891"}, {"1e6", "en", "1e6"}, {"", "en", ""}, {"-1000", "en", "-1000"},
		{"1234567.891", "de", "1.234.567,891"}, {"5000.50", "fr", "5\u202f000,50"}, {"5000.50", "ru", "5\u00a0000,50"},
		{"0.10", "de", "0,10"}, {"-1", "de", "-1"}, {"x", "de", "x"},
		{"5000.50", "es", "5000,50"}, {"50000.50", "es", "50.000,50"}, {"5000", "pl", "5000"}, {"50000", "pl", "50\u00a0000"},
		{"1234567.891", "ar", "1,234,567.891"}, {"5000", "ja", "5,000"},
		{"999999999999.123456789012345678", "de", "999.999.999.999,123456789012345678"}, // more than a float holds
	} {
		require.Equal(t, c.want, of(c.lang).amount(c.amount), c.amount)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, amount, currency, want string
	}{
		{"en", "1234.50", "USD", "$1,234.50"}, {"en", "1234.50", "CAD", "CA$1,234.50"}, {"en", "1.500", "KWD", "KWD\u00a01.500"},
		{"en", "0.00012345", "BTC", "BTC\u00a00.00012345"}, {"en", "12.5", "USDT", "USDT\u00a012.5"}, {"en", "123", "EUR", "€123"},
		{"de", "1234.50", "EUR", "1.234,50\u00a0€"}, {"de", "1234", "JPY", "1.234\u00a0¥"},
		{"fr", "1234.50", "USD", "1\u202f234,50\u00a0$US"}, {"es", "1234.50", "EUR", "1234,50\u00a0€"},
		{"ja", "1234", "JPY", "￥1,234"}, {"ja", "1.00", "CNY", "元\u00a01.00"}, {"zh-Hans", "1.00", "CNY", "¥1.00"},
		{"zh-Hant-TW", "1.00", "TWD", "$1.00"}, {"ru", "10.00", "RUB", "10,00\u00a0₽"}, {"kk", "10.00", "KZT", "10,00\u00a0₸"},
		{"nb", "10.00", "NOK", "10,00\u00a0kr"}, {"hu", "10000.00", "HUF", "10\u00a0000,00\u00a0Ft"},
		{"nl", "10.00", "EUR", "€\u00a010,00"}, {"pt", "10.00", "BRL", "R$\u00a010,00"},
		{"ar", "1234.50", "EUR", "\u200f1,234.50\u00a0€"}, {"ar", "1.500", "KWD", "\u200f1.500\u00a0د.ك.\u200f"},
		{"ar", "1.00", "BTC", "\u200f1.00\u00a0BTC\u200e"}, {"ar", "1.00", "USD", "\u200f1.00\u00a0US$\u200e"},
		{"de", "", "EUR", "EUR"}, {"de", "-1", "EUR", "-1 EUR"}, {"de", "1e6", "EUR", "1e6 EUR"}, {"de", "5.00", "", "5.00"}, {"de", "", "", ""},
	} {
		require.Equal(t, c.want, of(c.lang).Money(c.amount, c.currency), c.lang+" "+c.amount+" "+c.currency)
	}
}

// currencies returns all of ISO 4217 in the catalogue, with two assets of a host.
func currencies(t *testing.T) (list []methods.Currency) {
	t.Helper()
	known, err := methods.NewCurrencies(methods.Currency{Code: "BTC", Exponent: 8}, methods.Currency{Code: "USDT",
		Exponent: 6})
	require.NoError(t, err)
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				if found, ok := known.Lookup(string([]rune{a, b, c})); ok {
					list = append(list, found)
				}
			}
		}
	}
	tether, _ := known.Lookup("USDT")
	require.Greater(t, len(list), 150)
	return append(list, tether)
}

// In every language the digits of an amount are those that the merchant sent, and no two currencies look the same.
func TestMoneyReadsBack(t *testing.T) {
	t.Parallel()
	all := currencies(t)
	for lang := range locales {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			written := map[string]string{}
			for _, currency := range all {
				for _, whole := range []string{"0", "7", "999", "1000", "12345", "1234567", "999999999999"} {
					amount := whole + strings.Repeat("0", currency.Exponent)
					if currency.Exponent > 0 {
						amount = whole + "." + "123456789012345678"[:currency.Exponent]
					}
					text := of(lang).Money(amount, currency.Code)
					read, symbol := readBack(of(lang), text)
					require.Equal(t, amount, read, text)
					require.True(t, written[symbol] == "" || written[symbol] == currency.Code, "%s is %s and %s", symbol,
						written[symbol], currency.Code)
					written[symbol] = currency.Code
					require.Equal(t, strings.TrimSpace(text), text)
				}
			}
		})
	}
}

// readBack removes the symbol and the separators of thousands from an amount.
func readBack(l Locale, text string) (amount, symbol string) {
	first := strings.IndexFunc(text, unicode.IsDigit)
	last := strings.LastIndexFunc(text, unicode.IsDigit) + 1
	symbol = strings.Trim(text[:first]+text[last:], "\u200e\u200f\u00a0")
	return strings.Replace(strings.ReplaceAll(text[first:last], l.group, ""), l.point, ".", 1), symbol
}

func TestLocalesAreWhole(t *testing.T) {
	t.Parallel()
	require.Len(t, locales, 21)
	require.Len(t, symbols(), len(locales))
	for lang, l := range locales {
		require.Contains(t, []string{".", ","}, l.point, lang)
		require.Contains(t, []string{".", ",", "\u00a0", "\u202f"}, l.group, lang)
		require.NotEqual(t, l.point, l.group, lang)
		require.Contains(t, []int{1, 2}, l.grouped, lang)
		require.Equal(t, 1, strings.Count(l.money, "#"), lang)
		require.Equal(t, 1, strings.Count(l.money, "¤"), lang)
		require.Contains(t, []int{0, 12}, len(strings.Fields(l.months)), lang)
		for _, letter := range "DMY" {
			require.Equal(t, 1, strings.Count(l.date, string(letter)), lang)
		}
		for code, symbol := range symbols()[lang] {
			require.Len(t, code, 3, lang)
			require.NotEmpty(t, symbol, lang)
			require.NotContains(t, symbol, "#", lang)
		}
	}
}

// The kernel and the page read amounts by the same grammar.
func FuzzMoney(f *testing.F) {
	f.Add("1234.50", "EUR")
	f.Add("000000.", "")
	f.Add("999999999999999999999999.1", "X")
	f.Fuzz(func(t *testing.T, amount, currency string) {
		for lang := range locales {
			text := of(lang).Money(amount, currency)
			if _, err := store.ParseAmount(amount); err == nil && currency == "EUR" {
				read, _ := readBack(of(lang), text)
				require.Equal(t, amount, read)
			}
		}
	})
}
