package work_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// What a payment queues that is due is done at once, though no time passes in which idle workers would look again.
func TestQueuedWorkIsDoneAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name               string
		do                 func(t *testing.T, kit *gatewaytest.Kit)
		charges, callbacks int
	}{
		{"the callback of a charge", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		}, 1, 1},
		{"the callbacks of a charge and its dispute", func(t *testing.T, kit *gatewaytest.Kit) {
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			synctest.Wait()
			_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
			require.NoError(t, err)
		}, 1, 2},
		{"a callback that is sent again", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			synctest.Wait()
			require.NoError(t, kit.Operator().Resend(t.Context(), kit.Inbox.All()[0].ID))
		}, 1, 2},
		{"the first payment of a schedule that begins today, and its callback", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3), func(r *gateway.ChargeRequest) {
				r.ScheduleStartDate = kit.Clock.Now().Format("2006-01-02")
			})
		}, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := gatewaytest.New(t)
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- kit.Run(ctx) }()
				synctest.Wait()
				c.do(t, kit)
				synctest.Wait()
				charges, callbacks := len(kit.Charges(t)), len(kit.Inbox.All())
				stop()
				require.NoError(t, <-ended)
				require.Equal(t, c.charges, charges)
				require.Equal(t, c.callbacks, callbacks)
			})
		})
	}
}
