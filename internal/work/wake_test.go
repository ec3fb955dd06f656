package work_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
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
				stop := working(t, kit)
				synctest.Wait()
				c.do(t, kit)
				synctest.Wait()
				charges, callbacks := len(kit.Charges(t)), len(kit.Inbox.All())
				stop()
				require.Equal(t, c.charges, charges)
				require.Equal(t, c.callbacks, callbacks)
			})
		})
	}
}

// held keeps deliveries back until it is closed.
type held struct {
	callback.Notifier
	until chan struct{}
}

func (h held) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	<-h.until
	return h.Notifier.Deliver(ctx, d)
}

// What had to wait is done as soon as it need not, though no time passes: for a callback before it, and for workers.
func TestWhatWaitedIsDoneAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		do        func(t *testing.T, kit *gatewaytest.Kit)
		callbacks int
	}{
		{"a capture's callback, for that of the hold", func(t *testing.T, kit *gatewaytest.Kit) {
			hold := func(r *gateway.ChargeRequest) { r.Hold = true }
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, hold).Payment
			_, err := kit.Shop().Capture(t.Context(), gateway.FollowUp{PaymentID: p.ID})
			require.NoError(t, err)
		}, 2},
		{"callbacks of more payments than one merchant has workers", func(t *testing.T, kit *gatewaytest.Kit) {
			for i := range 200 {
				kerneltest.Charged(t, kit, fmt.Sprint("ORD-", i), gatewaytest.Settles)
			}
		}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				until := make(chan struct{})
				kit := gatewaytest.New(t, func(c *gateway.Config) { c.Notifier = held{c.Notifier, until} })
				stop := working(t, kit)
				synctest.Wait()
				c.do(t, kit)
				synctest.Wait()
				require.Empty(t, kit.Inbox.All())
				close(until)
				synctest.Wait()
				arrived := delivered(t, kit)
				stop()
				require.Len(t, arrived, c.callbacks)
			})
		})
	}
}
