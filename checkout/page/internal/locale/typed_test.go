package locale

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, currency, lang, want string
	}{
		{"10", "EUR", "en", "10.00"}, {" 10.5 ", "EUR", "en", "10.50"}, {"10,50", "EUR", "en", "10.50"},
		{"1234.50", "EUR", "en", "1234.50"}, {"10,50", "EUR", "de", "10.50"}, {"10.50", "EUR", "de", "10.50"},
		{"1,000", "EUR", "en", ""}, {"1.000", "EUR", "de", ""}, {"1.000", "KWD", "de", ""}, {"1,000", "KWD", "de", "1.000"},
		{"1,000", "KWD", "en", ""}, {"1.000", "KWD", "en", "1.000"}, {"1,000", "KWD", "fr", "1.000"},
		{"1,234.50", "EUR", "en", ""}, {"1.234,50", "EUR", "de", ""}, {"1 234", "EUR", "en", ""}, {"1'234", "EUR", "en", ""},
		{"1000", "JPY", "ja", "1000.00"}, {"١٢٫٥", "EUR", "ar", "12.50"}, {"１２", "EUR", "ja", "12.00"},
		{"10.505", "EUR", "en", "10.505"}, // the kernel refuses it
		{"0", "EUR", "en", ""}, {"0.00", "EUR", "en", ""}, {"-5", "EUR", "en", ""}, {"−5", "EUR", "en", ""}, {"–5", "EUR", "en", ""},
		{"", "EUR", "en", ""}, {".5", "EUR", "en", ""}, {"5.", "EUR", "en", ""}, {"1e3", "EUR", "en", ""}, {"EUR 5", "EUR", "en", ""},
		{"\u202e5", "EUR", "en", "5.00"}, {"0.000001", "USDT", "en", "0.000001"},
	} {
		got, err := of(c.lang).Read(c.typed, c.currency)
		require.Equal(t, c.want == "", err != nil, "%q %s", c.typed, c.currency)
		require.Equal(t, c.want, got, "%q %s", c.typed, c.currency)
	}
	require.Equal(t, "25,00", of("de").Sample("EUR"))
	require.Equal(t, "25", of("ja").Sample("JPY"))
}
