package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// SPEC1, methods: when omitted, pre-routing rules apply. The first that fits decides.
func TestPreRouting(t *testing.T) {
	t.Parallel()
	rules := []store.PreRoute{
		{Currencies: []string{"EUR"}, Countries: []string{"DE", "AT"}, Methods: []string{"citizen"}},
		{Currencies: []string{"EUR"}, Min: "100.00", Max: "500.00", Methods: []string{"paypal", "card"}},
		{Currencies: []string{"EUR"}, Min: "500.01", Methods: []string{"card"}},
		{Countries: []string{"FR"}, Max: "9.99", Methods: []string{"paypal"}},
	}
	all := []string{"card", "paypal", "citizen"}
	for _, c := range []struct {
		name                      string
		currency, country, amount string
		asked                     []string
		want                      []string
	}{
		{"the first of two that fit", "EUR", "DE", "100.00", nil, []string{"citizen"}},
		{"least", "EUR", "IT", "100.00", nil, []string{"paypal", "card"}},
		{"below the least", "EUR", "IT", "99.99", nil, all},
		{"greatest", "EUR", "IT", "500.00", nil, []string{"paypal", "card"}},
		{"above the greatest", "EUR", "IT", "500.01", nil, []string{"card"}},
		{"no country", "EUR", "", "10.00", nil, all},
		{"by country", "USD", "FR", "9.99", nil, []string{"paypal"}},
		{"by country, too much", "USD", "FR", "10.00", nil, all},
		{"nothing fits", "USD", "US", "10.00", nil, all},
		{"requested methods are offered", "EUR", "DE", "100.00", []string{"paypal"}, []string{"paypal"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			kerneltest.ChangeLiveMID(t, kit, func(m *store.MID) { m.Methods = []string{"paypal", "citizen", "card"} })
			require.NoError(t, kit.SaveMapping(t.Context(),
				store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, PreRouting: rules}))
			r := gatewaytest.Request("ORD-1", c.amount)
			r.Order.Currency, r.Billing.Country, r.Methods = c.currency, c.country, c.asked
			link := kit.SessionOf(t, r)
			var codes []string
			for _, method := range kerneltest.NextActionOf(t, kit, link).Methods {
				codes = append(codes, method.Code)
			}
			require.Equal(t, c.want, codes)
			for _, code := range all {
				if !contains(c.want, code) {
					_, err := kit.PaySession(t.Context(), link, gateway.Submission{Method: code, Card: gatewaytest.Settles})
					require.ErrorIs(t, err, gateway.ErrInvalid, code)
				}
			}
			require.Empty(t, kit.Charges(t))
		})
	}
}

func contains(list []string, item string) bool {
	for _, one := range list {
		if one == item {
			return true
		}
	}
	return false
}

// If no MID accepts the methods of a rule, there is nothing to pay with.
func TestPreRoutingToNothing(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.ChangeLiveMID(t, kit, func(m *store.MID) { m.Methods = []string{"card"} })
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout,
			PreRouting: []store.PreRoute{{Methods: []string{"paypal"}}}}))
	_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.ErrorIs(t, err, gateway.ErrMethodAbsent)
}
