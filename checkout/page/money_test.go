package page

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount string
		texts  *Texts
		want   string
	}{
		{"0", &english, "0"}, {"10.00", &english, "10.00"}, {"999", &english, "999"}, {"1000", &english, "1,000"},
		{"1234567.891", &english, "1,234,567.891"}, {"1e6", &english, "1e6"}, {"", &english, ""}, {"-1000", &english, "-1000"},
		{"1234567.891", &german, "1.234.567,891"}, {"5000.50", &french, "5\u202f000,50"}, {"5000.50", &russian, "5\u00a0000,50"},
		{"0.10", &german, "0,10"}, {"-1", &german, "-1"}, {"x", &german, "x"},
		{"5000.50", &spanish, "5000,50"}, {"50000.50", &spanish, "50.000,50"}, {"5000", &polish, "5000"}, {"50000", &polish, "50\u00a0000"},
		{"1234567.891", &arabic, "1,234,567.891"}, {"5000", &japanese, "5,000"},
		{"999999999999.123456789012345678", &german, "999.999.999.999,123456789012345678"}, // more than a float holds
	} {
		require.Equal(t, c.want, c.texts.amount(c.amount), c.amount)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts                  *Texts
		amount, currency, want string
	}{
		{&english, "1234.50", "USD", "$1,234.50"}, {&english, "1234.50", "CAD", "CA$1,234.50"}, {&english, "1.500", "KWD", "KWD\u00a01.500"},
		{&english, "0.00012345", "BTC", "BTC\u00a00.00012345"}, {&english, "12.5", "USDT", "USDT\u00a012.5"}, {&english, "123", "EUR", "€123"},
		{&german, "1234.50", "EUR", "1.234,50\u00a0€"}, {&german, "1234", "JPY", "1.234\u00a0¥"},
		{&french, "1234.50", "USD", "1\u202f234,50\u00a0$US"}, {&spanish, "1234.50", "EUR", "1234,50\u00a0€"},
		{&japanese, "1234", "JPY", "￥1,234"}, {&japanese, "1.00", "CNY", "元\u00a01.00"}, {&simplifiedChinese, "1.00", "CNY", "¥1.00"},
		{&traditionalChinese, "1.00", "TWD", "$1.00"}, {&russian, "10.00", "RUB", "10,00\u00a0₽"}, {&kazakh, "10.00", "KZT", "10,00\u00a0₸"},
		{&norwegian, "10.00", "NOK", "10,00\u00a0kr"}, {&hungarian, "10000.00", "HUF", "10\u00a0000,00\u00a0Ft"},
		{&dutch, "10.00", "EUR", "€\u00a010,00"}, {&portuguese, "10.00", "BRL", "R$\u00a010,00"},
		{&arabic, "1234.50", "EUR", "\u200f1,234.50\u00a0€"}, {&arabic, "1.500", "KWD", "\u200f1.500\u00a0د.ك.\u200f"},
		{&arabic, "1.00", "BTC", "\u200f1.00\u00a0BTC\u200e"}, {&arabic, "1.00", "USD", "\u200f1.00\u00a0US$\u200e"},
		{&german, "", "EUR", "EUR"}, {&german, "-1", "EUR", "-1 EUR"}, {&german, "1e6", "EUR", "1e6 EUR"}, {&german, "5.00", "", "5.00"}, {&german, "", "", ""},
	} {
		require.Equal(t, c.want, c.texts.money(c.amount, c.currency), c.texts.Lang+" "+c.amount+" "+c.currency)
	}
}

// currencies are all of ISO 4217 that the catalogue knows, with two assets of a host.
func currencies(t *testing.T) (list []methods.Currency) {
	t.Helper()
	known, err := methods.NewCurrencies(methods.Currency{Code: "BTC", Exponent: 8}, methods.Currency{Code: "USDT", Exponent: 6})
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

// Whatever a language makes of an amount, its digits are those that the merchant sent, and no two currencies
// look the same.
func TestMoneyReadsBack(t *testing.T) {
	t.Parallel()
	all := currencies(t)
	for _, texts := range offered {
		t.Run(texts.Lang, func(t *testing.T) {
			t.Parallel()
			written := map[string]string{}
			for _, currency := range all {
				for _, whole := range []string{"0", "7", "999", "1000", "12345", "1234567", "999999999999"} {
					amount := whole + strings.Repeat("0", currency.Exponent)
					if currency.Exponent > 0 {
						amount = whole + "." + "123456789012345678"[:currency.Exponent]
					}
					text := texts.money(amount, currency.Code)
					read, symbol := readBack(texts, text)
					require.Equal(t, amount, read, text)
					require.True(t, written[symbol] == "" || written[symbol] == currency.Code, "%s is %s and %s", symbol, written[symbol], currency.Code)
					written[symbol] = currency.Code
					require.Equal(t, strings.TrimSpace(text), text)
				}
			}
		})
	}
}

// readBack takes the symbol and the marks of thousands from an amount again.
func readBack(t *Texts, text string) (amount, symbol string) {
	first := strings.IndexFunc(text, unicode.IsDigit)
	last := strings.LastIndexFunc(text, unicode.IsDigit) + 1
	symbol = strings.Trim(text[:first]+text[last:], "\u200e\u200f\u00a0")
	l := t.locale()
	return strings.Replace(strings.ReplaceAll(text[first:last], l.group, ""), l.point, ".", 1), symbol
}

func TestLocalesAreWhole(t *testing.T) {
	t.Parallel()
	require.Len(t, locales, len(offered))
	require.Len(t, symbols(), len(offered))
	for _, texts := range offered {
		l := texts.locale()
		require.Contains(t, []string{".", ","}, l.point, texts.Lang)
		require.Contains(t, []string{".", ",", "\u00a0", "\u202f"}, l.group, texts.Lang)
		require.NotEqual(t, l.point, l.group, texts.Lang)
		require.Contains(t, []int{1, 2}, l.grouped, texts.Lang)
		require.Equal(t, 1, strings.Count(l.money, "#"), texts.Lang)
		require.Equal(t, 1, strings.Count(l.money, "¤"), texts.Lang)
		require.Contains(t, []int{0, 12}, len(strings.Fields(l.months)), texts.Lang)
		for _, letter := range "DMY" {
			require.Equal(t, 1, strings.Count(l.date, string(letter)), texts.Lang)
		}
		for code, symbol := range symbols()[texts.Lang] {
			require.Len(t, code, 3, texts.Lang)
			require.NotEmpty(t, symbol, texts.Lang)
			require.NotContains(t, symbol, "#", texts.Lang)
		}
	}
}

// An amount is known to the kernel as it is shown: both read the same grammar.
func FuzzMoney(f *testing.F) {
	f.Add("1234.50", "EUR")
	f.Add("000000.", "")
	f.Add("999999999999999999999999.1", "X")
	f.Fuzz(func(t *testing.T, amount, currency string) {
		for _, texts := range offered {
			text := texts.money(amount, currency)
			if _, err := store.ParseAmount(amount); err == nil && currency == "EUR" {
				read, _ := readBack(texts, text)
				require.Equal(t, amount, read)
			}
		}
	})
}
