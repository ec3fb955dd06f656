package delivery_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// noting is a Notifier that notes what it gets, and refuses the first try of each callback.
type noting struct{ got *[]callback.Delivery }

func (n noting) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	*n.got = append(*n.got, d)
	if d.Attempt == 1 {
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	}
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// A delivery tells what its callback is about, on every attempt.
func TestDeliveriesTellWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	var got []callback.Delivery
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Notifier = noting{&got} })
	sold := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	at := kit.Clock.Now()
	kit.Advance(t, time.Hour)
	refunded, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: sold.Payment.ID, Amount: "4.00"})
	require.NoError(t, err)
	kit.Advance(t, time.Hour)
	require.Len(t, got, 4)
	for i, d := range got {
		require.Equal(t, gatewaytest.MerchantID, d.MerchantID)
		require.Equal(t, sold.Payment.ID, d.PaymentID)
		require.Equal(t, 1+i%2, d.Attempt)
		if i < 2 {
			require.Equal(t, []string{sold.Transaction.ID, "sale"}, []string{d.TransactionID, d.Type})
			require.Equal(t, at, d.CreatedAt)
			continue
		}
		require.Equal(t, []string{refunded.Transaction.ID, "refund"}, []string{d.TransactionID, d.Type})
		require.Equal(t, at.Add(time.Hour), d.CreatedAt)
	}
}
