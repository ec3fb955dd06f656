package methods_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// The option accepts fewer decimals, never more, and loosens nothing else (decision am).
func TestShortAmounts(t *testing.T) {
	t.Parallel()
	dollars, yen, dinars := methods.Currency{Code: "USD", Exponent: 2}, methods.Currency{Code: "JPY"},
		methods.Currency{Code: "KWD", Exponent: 3}
	for _, c := range []struct {
		format          methods.Format
		currency        methods.Currency
		text            string
		strictly, short bool
	}{
		{methods.Checkout, dollars, "123", false, true}, {methods.S2S, dollars, "123", false, true}, {methods.Payout, dollars, "123", false, true},
		{methods.Checkout, dollars, "1.5", false, true}, {methods.Checkout, dollars, "1.50", true, true}, {methods.Checkout, dollars, "1.500", false, false},
		{methods.Checkout, dollars, "1.", false, false}, {methods.Checkout, dollars, "-1", false, false}, {methods.Checkout, dollars, "01", false, false},
		{methods.S2S, dinars, "1.50", false, true}, {methods.S2S, dinars, "1.5000", false, false},
		{methods.Checkout, yen, "100", true, true}, {methods.Checkout, yen, "100.00", true, true}, {methods.Checkout, yen, "100.0", false, false},
		{methods.Checkout, yen, "100.50", false, false}, {methods.Payout, yen, "100.00", false, false},
	} {
		_, err := methods.ParseAmount(c.format.Short(false), c.currency, c.text)
		require.Equal(t, c.strictly, err == nil, "%v %s", c.format, c.text)
		amount, err := methods.ParseAmount(c.format.Short(true), c.currency, c.text)
		require.Equal(t, c.short, err == nil, "%v %s", c.format, c.text)
		if err == nil {
			require.Equal(t, c.text, amount.String(), "as sent")
			require.Equal(t, methods.FormatAmount(c.format, c.currency, amount),
				methods.FormatAmount(c.format.Short(true), c.currency, amount))
		}
	}
}
