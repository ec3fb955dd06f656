package race_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// The pairs with the work of a schedule. Whatever else happens to a schedule, each of its dates is charged at most
// once, and none is lost.

var runMeetsRun = []way{
	{"two dates due", func(d *duel) {
		d.dueTwice()
		d.race(work(d, d.one), work(d, d.two))
		d.chargedOnce(2)
	}, store.Settled},
}

var runMeetsChange = []way{
	{"PAUSE, then RUN", func(d *duel) {
		set := d.runAgainst(func(ctx context.Context, set *store.Schedule, _ store.Payment) error {
			return d.two.Shop().PauseSchedule(ctx, set.ID)
		})
		require.NoError(d, d.one.Shop().RunSchedule(d.Context(), set.ID))
		d.chargedOnce(2)
	}, store.Settled},
	{"DELETE", func(d *duel) {
		d.runAgainst(func(ctx context.Context, set *store.Schedule, _ store.Payment) error {
			err := d.two.Shop().DeleteSchedule(ctx, set.ID)
			if errors.Is(err, gateway.ErrSchedule) { // a chain is on it
				return nil
			}
			return err
		})
		d.chargedOnce(2)
	}, store.Settled},
	{"UPDATE", func(d *duel) {
		d.runAgainst(func(ctx context.Context, set *store.Schedule, _ store.Payment) error {
			_, err := d.two.Shop().UpdateSchedule(ctx, set.ID, func(s *store.Schedule) error {
				s.IntervalLength = 2
				return nil
			})
			return err
		})
		d.chargedOnce(2)
	}, store.Settled},
	{"DESCHEDULE", func(d *duel) {
		d.runAgainst(func(ctx context.Context, set *store.Schedule, first store.Payment) error {
			err := d.two.Shop().Deschedule(ctx, first.RecurringToken, set.ID)
			if errors.Is(err, gateway.ErrNoSchedule) { // both were paid before
				return nil
			}
			return err
		})
		d.chargedOnce(0)
	}, store.Settled},
}

// dueTwice begins a chain whose two payments are both due, and returns its schedule.
func (d *duel) dueTwice() (*store.Schedule, store.Payment) {
	set, first := kerneltest.Subscribed(d, d.one, kerneltest.EveryDays(1, 2))
	d.one.Clock.Set(d.one.Clock.Now().AddDate(0, 0, 5))
	return set, first
}

// runAgainst makes both instances do the due payments while the second one also gets a request for a change.
func (d *duel) runAgainst(
	change func(ctx context.Context, set *store.Schedule, first store.Payment) error) *store.Schedule {
	d.Helper()
	set, first := d.dueTwice()
	var err error
	d.race(work(d, d.one), func(ctx context.Context) { err = change(ctx, set, first) }, work(d, d.two))
	require.NoError(d, err)
	return set
}

// chargedOnce counts the charges some days later: each occurrence once, and at least so many.
func (d *duel) chargedOnce(least int) {
	d.Helper()
	require.LessOrEqual(d, len(d.one.Charges(d)), 1+2)
	d.one.Advance(d, 5*24*time.Hour)
	made := d.one.Charges(d)[1:]
	require.LessOrEqual(d, len(made), 2)
	require.GreaterOrEqual(d, len(made), least)
	seen := map[int]bool{}
	results, err := d.one.Shop().Status(d.Context(),
		gateway.Lookup{OrderNumber: "SUB-1", Size: 10})
	require.NoError(d, err)
	for _, r := range results {
		require.False(d, seen[r.Payment.Occurrence], "each occurrence once")
		seen[r.Payment.Occurrence] = true
	}
}

// slowKeys is a key provider whose next Unwrap waits while something else happens.
type slowKeys struct {
	gateway.KeyProvider
	meanwhile func()
}

func (k *slowKeys) Unwrap(ctx context.Context, wrapped gateway.WrappedKey) ([]byte, error) {
	if meanwhile := k.meanwhile; meanwhile != nil {
		k.meanwhile = nil
		meanwhile()
	}
	return k.KeyProvider.Unwrap(ctx, wrapped)
}

// Changes between the claim of a date and the intent of its payment: the payment begins only if the date is still
// unpaid.
func TestScheduleChangesAfterTheClaim(t *testing.T) {
	t.Parallel()
	ctx, key := context.Background(), gatewaytest.MerchantKey
	for _, c := range []struct {
		name      string
		meanwhile func(kit *gatewaytest.Kit, set *store.Schedule, first store.Payment) error
		during    int // payments made when that was over
		after     int // and when the slow one was done
	}{
		{"nothing", func(*gatewaytest.Kit, *store.Schedule, store.Payment) error { return nil }, 0, 1},
		{"PAUSE", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
			return kit.Merchant(key).PauseSchedule(ctx, set.ID)
		}, 0, 0},
		{"DESCHEDULE", func(kit *gatewaytest.Kit, set *store.Schedule, first store.Payment) error {
			return kit.Merchant(key).Deschedule(ctx, first.RecurringToken, set.ID)
		}, 0, 0},
		{"fewer payments", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
			_, err := kit.Merchant(key).UpdateSchedule(ctx, set.ID,
				func(s *store.Schedule) error { s.PaymentsCount = 1; return nil })
			return err
		}, 0, 1},
		{"longer intervals", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
			_, err := kit.Merchant(key).UpdateSchedule(ctx, set.ID,
				func(s *store.Schedule) error { s.IntervalLength = 60; return nil })
			return err
		}, 0, 0},
		{"the lease ends and another instance pays", func(kit *gatewaytest.Kit, _ *store.Schedule, _ store.Payment) error {
			kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
			_, _, err := kit.Tick(ctx, 100)
			return err
		}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			keys := &slowKeys{}
			slow := kit.Twin(t, func(cfg *gateway.Config) { keys.KeyProvider, cfg.Keys = cfg.Keys, keys })
			set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(30, 2))
			_, err := slow.Merchant(key).Status(t.Context(), gateway.Lookup{OrderNumber: "SUB-1"})
			require.NoError(t, err) // the merchant's own secrets stay cached, and the card's key is asked for again
			kit.Clock.Set(kit.Clock.Now().AddDate(0, 0, 35))
			keys.meanwhile = func() {
				if err := c.meanwhile(kit, set, first); err != nil {
					t.Error(err)
				}
				require.Len(t, kit.Charges(t), 1+c.during)
			}
			slow.Work(t)
			require.Nil(t, keys.meanwhile, "it happened")
			require.Len(t, kit.Charges(t), 1+c.after)
			kerneltest.Quiet(t, kit)
		})
	}
}
