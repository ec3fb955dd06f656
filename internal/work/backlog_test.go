package work_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// slow is the side of merchants that accept everything within 10 to 20 milliseconds.
type slow struct {
	mu    sync.Mutex
	count int
	first map[string]time.Time // of each merchant
}

func (s *slow) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	s.mu.Lock()
	if s.count++; s.first[d.MerchantID].IsZero() {
		s.first[d.MerchantID] = time.Now()
	}
	took := 10*time.Millisecond + time.Duration(s.count*7919%1000)*10*time.Microsecond
	s.mu.Unlock()
	time.Sleep(took)
	return callback.Receipt{Verdict: callback.Accepted}
}

// had reports whether a merchant was sent anything, and when it was first.
func (s *slow) had(merchant string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first[merchant]
}

// far is a store whose commits take a while.
type far struct{ store.Store }

func (f far) Update(ctx context.Context, fn func(store.Tx) error) error {
	time.Sleep(3 * time.Millisecond)
	return f.Store.Update(ctx, fn)
}

// queued queues callbacks of a merchant, each of a payment of its own. With a schedule they have been refused once.
func queued(t *testing.T, kit *gatewaytest.Kit, merchant string, n int, refused callback.Schedule) {
	t.Helper()
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		for i := range n {
			c := store.Callback{PaymentID: fmt.Sprint(merchant, i), MerchantID: merchant, Number: 1,
				URL: "https://" + merchant + ".example/", Body: "a=b", CreatedAt: time.Now()}
			err := callback.Queue(tx, store.CallbackRecord{Callback: c})
			if err == nil && refused != nil {
				_, err = callback.Finish(tx, store.CallbackID(c.PaymentID, 1), 0, callback.Receipt{Verdict: callback.Refused},
					refused, time.Now())
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// Merchants that keep all workers busy do not delay what comes due meanwhile, however much of it there is.
func TestBacklogDelaysNoRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &slow{first: map[string]time.Time{}}
		kit := gatewaytest.New(t, func(c *gateway.Config) { c.Now, c.Notifier, c.Store = time.Now, s, far{c.Store} })
		for i := range 6 {
			queued(t, kit, fmt.Sprint("busy-", i), 2000, nil)
		}
		queued(t, kit, "other", 3000, callback.Schedule{time.Second})
		// It comes due behind a look, and may be left to the second look after that, which has to claim it: 5 ms on a far
		// store.
		const after = time.Second + 10*time.Millisecond
		due := time.Now().Add(after)
		queued(t, kit, "healthy", 1, callback.Schedule{after})
		stop := working(t, kit)
		time.Sleep(3 * time.Second)
		stop()
		require.NotZero(t, s.had("healthy"), "not within two seconds")
		require.Less(t, s.had("healthy").Sub(due), time.Second)
	})
}
