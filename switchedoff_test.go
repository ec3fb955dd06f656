package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// A protocol that is switched off takes no follow-ups and answers no lookups either (decision bq): by Go that of
// the payment, unless another is named. What the acquirer tells is heard all the same.
func TestFollowUpsOfAProtocolSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		off, asked store.Protocol
		refused    bool
	}{
		{"the payment's own", store.S2SCard, "", true},
		{"the one it is asked by", store.Checkout, store.Checkout, true},
		{"the payment's, asked by another", store.S2SCard, store.Checkout, false},
		{"another", store.Checkout, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := audited(t)
			viaCard := func(r *gateway.ChargeRequest) { r.Protocol, r.Action = store.S2SCard, "SALE" }
			settled := charged(t, kit, "ORD-1", gatewaytest.Settles, viaCard, inits).Payment
			hold := charged(t, kit, "ORD-2", gatewaytest.Settles, viaCard, held).Payment
			kit.Vcard.Next(vcard.SoftDecline("Later"))
			soft := recurred(t, kit, later(settled, "ORD-3", func(r *gateway.RecurRequest) { r.Protocol = store.S2SCard })).Payment
			require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: c.off, Disabled: true}))
			ask := func(p store.Payment) gateway.FollowUp {
				f := of(p, "")
				f.Protocol = c.asked
				return f
			}
			_, retried := kit.Retry(t.Context(), ask(soft))
			_, captured := kit.Capture(t.Context(), ask(hold))
			_, refunded := kit.CreditVoid(t.Context(), ask(hold))
			_, voided := kit.Void(t.Context(), ask(settled))
			for what, err := range map[string]error{"RETRY": retried, "CAPTURE": captured, "CREDITVOID": refunded, "VOID": voided} {
				if c.refused {
					require.ErrorIs(t, err, gateway.ErrNoMID, what)
				} else {
					require.NoError(t, err, what)
				}
			}
			for _, l := range []gateway.Lookup{{PaymentID: settled.ID}, {OrderNumber: "ORD-1"}} {
				l.MerchantKey = gatewaytest.MerchantKey
				_, err := kit.Status(t.Context(), l)
				if c.off == store.S2SCard {
					require.ErrorIs(t, err, gateway.ErrNoMID)
				} else {
					require.NoError(t, err)
				}
			}
			if c.refused {
				_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: settled.ID})
				require.NoError(t, err)
			}
		})
	}
}
