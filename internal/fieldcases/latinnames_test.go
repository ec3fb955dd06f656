package fieldcases_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// TestAnyName: names in Latin letters are governed by Protocol Mapping (SPEC1, customer.name). A merchant that
// allows every script gets it accepted in every name field of Checkout.
func TestAnyName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ door, field string }{
		{"purchase", "customer.name"}, {"debit", "customer.name"}, {"credit", "customer.name"}, {"transfer", "customer.name"},
		{"credit", "payee.name"}, {"transfer", "payee.name"}, {"token of a purchase", "customer.name"}, {"token of a debit",
			"customer.name"},
		{"payment of a purchase", "name"}, {"payment of a debit", "name"}, {"recurring", "customer.name"},
		{"card credit to a number", "payee_first_name"}, {"card credit to a number", "payee_last_name"},
		{"card credit to a token", "payee_first_name"}, {"card credit to a token", "payee_last_name"},
	} {
		t.Run(c.door+" "+c.field, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			require.NoError(t, b.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID,
				Protocol: store.Checkout, AnyName: true}))
			doors := slices.Concat(sessionDoors, hostedDoors, followUpDoors)
			d := doors[slices.IndexFunc(doors, func(d door) bool { return d.name == c.door })]
			for _, name := range []string{"Jörg", "Иван", "محمد علي"} {
				require.NoError(t, d.try(b, f(c.field), try{value: name, ok: true}), name)
			}
			for _, name := range []string{"John 2", "<b>", long(201)} {
				require.NoError(t, d.try(b, f(c.field), try{value: name}), name)
			}
		})
	}
}

// TestHolderOfSubmission: a host's own page has the limit of customer.name too, because the name on the card
// becomes customer.name.
func TestHolderOfSubmission(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, c := range []struct {
		length int
		fault  string
	}{{200, ""}, {201, "holder: This value is too long. It should have 200 characters or less."}} {
		card := gatewaytest.Settles
		card.Holder = strings.Repeat("é", c.length)
		link := b.SessionOf(t, gatewaytest.Request(b.order(), "10.00"))
		b.writes = 0
		_, err := b.PaySession(t.Context(), link, gateway.Submission{Card: card, IP: "203.0.113.7"})
		if c.fault == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, []string{c.fault}, faultTexts(gateway.AsError(err)))
		require.Zero(t, b.writes)
	}
}

func faultTexts(err *gateway.Error) (list []string) {
	for _, fault := range err.Faults() {
		list = append(list, fault.Path+": "+fault.Text)
	}
	return list
}
