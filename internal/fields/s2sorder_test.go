package fields_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Decision u: within 15 seconds a duplicate request, afterwards a duplicate payment, whatever became of the
// first one.
func TestS2SOrderNumbers(t *testing.T) {
	t.Parallel()
	for _, protocol := range []func(*gateway.ChargeRequest){kerneltest.ViaCard, kerneltest.ViaAPM} {
		kit := kerneltest.Audited(t)
		kerneltest.SaveOtherMerchant(t, kit)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Declines, protocol)
		require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-1", protocol), gateway.ErrDuplicate)
		kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
		for range 2 {
			err := kerneltest.Tries(t, kit, "ORD-1", protocol)
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Equal(t, []gateway.Fault{{Path: "order_id", Text: "Duplicate payment."}}, gateway.AsError(err).Faults())
			kit.Clock.Set(kit.Clock.Now().Add(24 * time.Hour))
		}
		require.NoError(t, kerneltest.Tries(t, kit.As(kerneltest.OtherKey), "ORD-1", protocol),
			"another merchant's numbers are his")
		require.NoError(t, kerneltest.Tries(t, kit.As(gatewaytest.TestKey), "ORD-1", protocol), "and the test key's")
		require.Len(t, kit.Charges(t), 3)
	}
	kit := kerneltest.Audited(t)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Declines)
	kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-1"), "Checkout may use a number again")
}

// Decision h: how each protocol writes amounts.
func TestAmountsByProtocol(t *testing.T) {
	t.Parallel()
	payout := func(r *gateway.ChargeRequest) {
		kerneltest.ViaAPM(r)
		r.Action, r.Kind = "CREDIT2VIRTUAL", store.Credit
	}
	checkout := func(*gateway.ChargeRequest) {}
	for _, c := range []struct {
		name             string
		change           func(*gateway.ChargeRequest)
		currency, amount string
		path             string // of the fault; empty for a good one
	}{
		{"Checkout", checkout, "USD", "10.00", ""}, {"Checkout", checkout, "USD", "10", "order.amount"},
		{"Checkout", checkout, "JPY", "10", ""}, {"Checkout", checkout, "JPY", "10.00", ""}, {"Checkout", checkout, "JPY", "10.50", "order.amount"},
		{"Checkout", checkout, "KWD", "10.000", ""}, {"Checkout", checkout, "KWD", "10.00", "order.amount"}, {"Checkout", checkout, "USD", "", "order.amount"},
		{"S2S CARD", kerneltest.ViaCard, "USD", "10.00", ""}, {"S2S CARD", kerneltest.ViaCard, "USD", "10",
			"order_amount"}, {"S2S CARD", kerneltest.ViaCard, "USD", "1e1", "order_amount"},
		{"S2S CARD", kerneltest.ViaCard, "JPY", "10", ""}, {"S2S CARD", kerneltest.ViaCard, "JPY", "10.00", ""}, {"S2S CARD",
			kerneltest.ViaCard, "JPY", "10.5", "order_amount"},
		{"S2S CARD", kerneltest.ViaCard, "USD", "-1.00", "order_amount"}, {"S2S CARD", kerneltest.ViaCard, "USD", "",
			"order_amount"},
		{"payout", payout, "JPY", "10", ""}, {"payout", payout, "JPY", "10.00", "order_amount"}, {"payout", payout, "USD", "10.00", ""},
	} {
		t.Run(c.name+" "+c.amount+" "+c.currency, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			err := kerneltest.Tries(t, kit, "ORD-1", c.change,
				func(r *gateway.ChargeRequest) { r.Order.Currency, r.Order.Amount = c.currency, c.amount })
			if c.path == "" {
				require.NoError(t, err)
				require.Equal(t, c.amount, kit.Payment(t, "ORD-1").Order.Amount, "as it was sent")
				return
			}
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Len(t, gateway.AsError(err).Faults(), 1)
			require.Equal(t, c.path, gateway.AsError(err).Faults()[0].Path)
			require.Empty(t, kit.Charges(t))
		})
	}
}
