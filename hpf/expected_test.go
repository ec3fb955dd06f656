package hpf_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// Updates and payments compare the amount and currency that a backend expects with the session's, and a mapping can
// require them.
func TestExpectedAmount(t *testing.T) {
	t.Parallel()
	const another, missing = "expected_amount: the session is about another amount", "expected_amount" + blank
	const elsewhere, unnamed = "expected_currency: the session is in another currency", "expected_currency" + blank
	dollars := set("expected_currency", "USD")
	for _, c := range []struct {
		name     string
		required bool
		expected []edit
		faults   []string
	}{
		{"none", false, nil, nil},
		{"right", false, []edit{set("expected_amount", "10.00")}, nil},
		{"right in other words", false, []edit{set("expected_amount", "10.0"), dollars}, nil},
		{"wrong", false, []edit{set("expected_amount", "12.00")}, []string{another}},
		{"no amount", false, []edit{set("expected_amount", "ten")}, []string{another}},
		{"another currency", false, []edit{set("expected_currency", "EUR")}, []string{elsewhere}},
		{"none, demanded", true, nil, []string{unnamed, missing}},
		{"empty, demanded", true, []edit{set("expected_amount", ""), dollars}, []string{missing}},
		{"right, demanded", true, []edit{set("expected_amount", "10.00"), dollars}, nil},
		{"no currency, demanded", true, []edit{set("expected_amount", "10.00")}, []string{unnamed}},
		{"another currency, demanded", true, []edit{set("expected_amount", "10.00"), set("expected_currency", "JPY")},
			[]string{elsewhere}},
		{"wrong, demanded", true, []edit{set("expected_amount", "12.00"), dollars}, []string{another}},
		{"no text, demanded", true, []edit{set("expected_amount", 10), dollars},
			[]string{"expected_amount: must be a string"}},
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
				if c.faults != nil {
					requireFaults(t, got, c.faults...)
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
