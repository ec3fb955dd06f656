package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// switchOffs are the ways to switch Checkout off for a merchant.
var switchOffs = map[string]func(testing.TB, *gatewaytest.Kit){
	"Checkout": func(t testing.TB, kit *gatewaytest.Kit) {
		require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, Disabled: true}))
	},
	"the merchant": func(t testing.TB, kit *gatewaytest.Kit) {
		require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Key: gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password), Disabled: true}))
	},
}

// While Checkout is switched off hosted fields keep no card: neither the one that comes, nor the one that it was to
// stand for. What is switched on again takes cards again.
func TestHostedFieldsSwitchedOffKeepNothing(t *testing.T) {
	t.Parallel()
	for name, off := range switchOffs {
		for _, before := range []bool{false, true} { // a card was collected
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				session, err := kit.CreateHosted(t.Context(), hostedRequest("ORD-1"))
				require.NoError(t, err)
				if before {
					require.NoError(t, kit.CollectHosted(t.Context(), session.Token, gatewaytest.Settles))
				}
				off(t, kit)
				require.ErrorIs(t, kit.CollectHosted(t.Context(), session.Token, gatewaytest.Settles), gateway.ErrNoMID)
				card, queued := holdsCard(t, kit)
				require.False(t, card)
				require.Equal(t, before, queued)
				if name == "the merchant" {
					return
				}
				require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout}))
				require.Error(t, payFields(t.Context(), kit, session.Token), "there is no card to charge")
				require.NoError(t, kit.CollectHosted(t.Context(), session.Token, gatewaytest.Settles))
				require.NoError(t, payFields(t.Context(), kit, session.Token))
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}

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
