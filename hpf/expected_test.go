package hpf_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// Updates and payments compare the amount that a backend expects with the session's, and a mapping can require it.
func TestExpectedAmount(t *testing.T) {
	t.Parallel()
	const another, missing = "expected_amount: the session is about another amount", "expected_amount" + blank
	for _, c := range []struct {
		name     string
		required bool
		expected []edit
		fault    string
	}{
		{"none", false, nil, ""},
		{"right", false, []edit{set("expected_amount", "10.00")}, ""},
		{"right in other words", false, []edit{set("expected_amount", "10.0"), set("expected_currency", "USD")}, ""},
		{"wrong", false, []edit{set("expected_amount", "12.00")}, another},
		{"no amount", false, []edit{set("expected_amount", "ten")}, another},
		{"another currency", false, []edit{set("expected_currency", "EUR")}, "expected_currency: the session is in another currency"},
		{"none, demanded", true, nil, missing},
		{"empty, demanded", true, []edit{set("expected_amount", "")}, missing},
		{"right, demanded", true, []edit{set("expected_amount", "10.00")}, ""},
		{"wrong, demanded", true, []edit{set("expected_amount", "12.00")}, another},
		{"no text, demanded", true, []edit{set("expected_amount", 10)}, "expected_amount: must be a string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			require.NoError(t, s.SaveMapping(t.Context(),
				store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, RequireExpected: c.required}))
			for _, door := range []struct {
				path string
				body object
			}{{pathUpdate, object{"order_amount": "12.00"}}, {pathUpdate, object{"custom_data": object{"a": "b"}}},
				{pathUpdate, object{"recurring_init": true}}, {pathPurchase, payment()}} {
				token := s.collected(t, gatewaytest.Settles, set("order.number", "ORD-"+door.path))
				for _, e := range c.expected {
					e(door.body)
				}
				got := s.under(t, token, door.path, door.body)
				if c.fault != "" {
					requireFaults(t, got, c.fault)
				} else {
					require.Equal(t, 200, got.status, got.body)
				}
				s.Advance(t, 16*time.Second)
			}
		})
	}
}

// An expected amount is no change: alone it updates nothing.
func TestExpectedAmountAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireFaults(t, s.under(t, s.token(t), pathUpdate, object{"expected_amount": "10.00"}),
		"body: must have at least one parameter")
}
