package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// The tax is a part of a price that includes it.
func TestVAT(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ amount, currency, country, vat, rate string }{
		{"119.00", "EUR", "DE", "19.00", "19%"}, {"10.00", "EUR", "AT", "1.67", "20%"}, {"0.01", "EUR", "DE", "0.00", "19%"},
		{"1100", "JPY", "JP", "100", "10%"}, {"10.00", "EUR", "US", "", ""}, {"10.00", "EUR", "", "", ""}, {"10.000", "KWD", "AE", "0.476", "5%"},
	} {
		r := gateway.QuoteRequest{Amount: store.MustAmount(c.amount), Order: store.Order{Currency: c.currency},
			Country: c.country, VAT: true}
		q, err := vat{}.Quote(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, c.rate, q.VATRate)
		if c.vat == "" {
			require.Nil(t, q.VAT)
			continue
		}
		require.Equal(t, c.vat, q.VAT.String())
		r.VAT = false
		q, err = vat{}.Quote(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, gateway.Quote{}, q)
	}
}
