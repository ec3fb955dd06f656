package door_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// While Checkout is switched off, hosted fields keep no card: the new card is refused, and the earlier one that it
// would replace is erased. After Checkout is switched on, cards are accepted again.
func TestHostedFieldsSwitchedOffKeepNothing(t *testing.T) {
	t.Parallel()
	for name, off := range kerneltest.SwitchOffs {
		for _, before := range []bool{false, true} { // a card was collected
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				session, err := kit.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
				require.NoError(t, err)
				if before {
					require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
				}
				off(t, kit)
				require.ErrorIs(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles), gateway.ErrNoMID)
				card, queued := kerneltest.HoldsCard(t, kit)
				require.False(t, card)
				require.Equal(t, before, queued)
				if name == "the merchant" {
					return
				}
				require.NoError(t, kit.SaveMapping(t.Context(),
					store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout}))
				require.Error(t, kerneltest.PayFields(t.Context(), kit, session.Token), "there is no card to charge")
				require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
				require.NoError(t, kerneltest.PayFields(t.Context(), kit, session.Token))
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}

// A protocol that is switched off accepts no follow-ups and no lookups (decision bq). For a Go caller that is the
// payment's protocol unless another is named. The acquirer's notifications are still accepted.
func TestFollowUpsOfAProtocolSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		off, asked store.Protocol
		refused    bool
	}{
		{"the payment's own", store.S2SCard, "", true},
		{"the one of the request", store.Checkout, store.Checkout, true},
		{"the payment's, requested by another", store.S2SCard, store.Checkout, false},
		{"another", store.Checkout, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			viaCard := func(r *gateway.ChargeRequest) { r.Protocol, r.Action = store.S2SCard, "SALE" }
			settled := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, viaCard, kerneltest.BeginsChain).Payment
			hold := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, viaCard, kerneltest.Held).Payment
			kit.Vcard.Next(vcard.SoftDecline("Later"))
			soft := kerneltest.Recurred(t, kit,
				kerneltest.LaterOf(settled, "ORD-3", func(r *gateway.RecurRequest) { r.Protocol = store.S2SCard })).Payment
			require.NoError(t, kit.SaveMapping(t.Context(),
				store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: c.off, Disabled: true}))
			ask := func(p store.Payment) gateway.FollowUp {
				f := kerneltest.FollowUpOf(p, "")
				f.Protocol = c.asked
				return f
			}
			_, retried := kit.Shop().Retry(t.Context(), ask(soft))
			_, captured := kit.Shop().Capture(t.Context(), ask(hold))
			_, refunded := kit.Shop().CreditVoid(t.Context(), ask(hold))
			_, voided := kit.Shop().Void(t.Context(), ask(settled))
			for what, err := range map[string]error{
				"RETRY": retried, "CAPTURE": captured, "CREDITVOID": refunded, "VOID": voided,
			} {
				if c.refused {
					require.ErrorIs(t, err, gateway.ErrNoMID, what)
				} else {
					require.NoError(t, err, what)
				}
			}
			for _, l := range []gateway.Lookup{{PaymentID: settled.ID}, {OrderNumber: "ORD-1"}} {
				_, err := kit.Shop().Status(t.Context(), l)
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
