package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// Every refund of a payment names the transaction that took the money, the sale or the capture, and never an
// earlier refund.
func TestRefundIsOfWhatTookTheMoney(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]bool{"of a sale": false, "of a capture": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			request := gatewaytest.Request("ORD-1", "10.00")
			request.Hold = hold
			kit.Pay(t, kit.SessionOf(t, request), gatewaytest.Settles)
			p := kit.Payment(t, "ORD-1")
			if hold {
				_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(p, "9.00"))
				require.NoError(t, err)
				p = kit.Payment(t, "ORD-1")
			}
			took := p.Transactions[len(p.Transactions)-1]
			for _, amount := range []string{"2.00", "3.00", ""} {
				r, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, amount))
				require.NoError(t, err)
				require.Equal(t, took.ID, r.Transaction.ParentID, "the refund of %q", amount)
			}
		})
	}
}
