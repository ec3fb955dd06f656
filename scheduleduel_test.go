package gateway_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// dueTwice begins a chain whose two payments are both due, and hands out its schedule.
func (d *duel) dueTwice() (*store.Schedule, store.Payment) {
	set, first := subscribed(d, d.one, days(1, 2))
	d.one.Clock.Set(d.one.Clock.Now().AddDate(0, 0, 5))
	return set, first
}

// schedulePair is a schedule's run and what happens to the schedule meanwhile.
type schedulePair struct {
	name  string
	other func(kit *gatewaytest.Kit, set *store.Schedule, first store.Payment) error
	after func(d *duel, set *store.Schedule)
	least int // payments of the two that must have been made in the end
}

// schedulePairs are those of reliability.md, section 2, that a scheduled payment takes part in: "schedule run x
// PAUSE/DELETE/UPDATE" and "schedule run x schedule run".
var schedulePairs = []schedulePair{
	{"run x run", func(kit *gatewaytest.Kit, _ *store.Schedule, _ store.Payment) error {
		_, _, err := kit.Tick(context.Background(), 100)
		return err
	}, nil, 2},
	{"run x PAUSE, then RUN", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
		return kit.PauseSchedule(context.Background(), gatewaytest.MerchantKey, set.ID)
	}, func(d *duel, set *store.Schedule) {
		require.NoError(d, d.one.RunSchedule(d.Context(), gatewaytest.MerchantKey, set.ID))
	}, 2},
	{"run x UPDATE", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
		_, err := kit.UpdateSchedule(context.Background(), gatewaytest.MerchantKey, set.ID, func(s *store.Schedule) error {
			s.IntervalLength = 2
			return nil
		})
		return err
	}, nil, 2},
	{"run x DELETE", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
		err := kit.DeleteSchedule(context.Background(), gatewaytest.MerchantKey, set.ID)
		if errors.Is(err, gateway.ErrSchedule) {
			return nil
		}
		return err
	}, nil, 2},
	{"run x DESCHEDULE", func(kit *gatewaytest.Kit, set *store.Schedule, first store.Payment) error {
		err := kit.Deschedule(context.Background(), gatewaytest.MerchantKey, first.RecurringToken, set.ID)
		if errors.Is(err, gateway.ErrNoSchedule) { // both were paid before
			return nil
		}
		return err
	}, nil, 0},
}

// Whatever else happens to a schedule, each of its dates is charged once at most, and none is lost.
func TestSchedulePairs(t *testing.T) {
	t.Parallel()
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { announce(t, backend.name+" of=schedules", 2, len(schedulePairs)) })
			for _, pair := range schedulePairs {
				t.Run(pair.name, func(t *testing.T) {
					t.Parallel()
					pair.play(t, backend.open)
				})
			}
		})
	}
}

func (p schedulePair) play(t *testing.T, open func(testing.TB) store.Store) {
	t.Helper()
	var s *stage
	for round := range trials(t) {
		if round%perStage == 0 {
			s = newStage(t, nil, func() store.Store { return open(t) })
		}
		s.next(t)
		d := &duel{T: t, one: s.one, two: s.two, round: round}
		set, first := d.dueTwice()
		var err error
		d.atOnce(tick(d, d.one), func() { err = p.other(d.two, set, first) }, tick(d, d.two))
		require.NoError(t, err)
		if p.after != nil {
			p.after(d, set)
		}
		d.one.Advance(t, 30*24*time.Hour)
		quiet(t, d.one)
		require.Empty(t, s.judge.faults())
		p.judge(t, d.one)
	}
}

// judge counts what was charged: each occurrence once.
func (p schedulePair) judge(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	made := kit.Charges(t)[1:]
	require.LessOrEqual(t, len(made), 2)
	require.GreaterOrEqual(t, len(made), p.least)
	seen := map[int]bool{}
	results, err := kit.Status(t.Context(), gateway.Lookup{MerchantKey: gatewaytest.MerchantKey, OrderNumber: "SUB-1", Size: 10})
	require.NoError(t, err)
	for _, r := range results {
		require.False(t, seen[r.Payment.Occurrence], "each occurrence once")
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

// What happens between the claim of a date and the intent of its payment: the payment begins only if the date
// is still to be paid.
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
			return kit.PauseSchedule(ctx, key, set.ID)
		}, 0, 0},
		{"DESCHEDULE", func(kit *gatewaytest.Kit, set *store.Schedule, first store.Payment) error {
			return kit.Deschedule(ctx, key, first.RecurringToken, set.ID)
		}, 0, 0},
		{"fewer payments", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
			_, err := kit.UpdateSchedule(ctx, key, set.ID, func(s *store.Schedule) error { s.PaymentsCount = 1; return nil })
			return err
		}, 0, 1},
		{"longer intervals", func(kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment) error {
			_, err := kit.UpdateSchedule(ctx, key, set.ID, func(s *store.Schedule) error { s.IntervalLength = 60; return nil })
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
			kit := audited(t)
			keys := &slowKeys{}
			slow := kit.Twin(t, func(cfg *gateway.Config) { keys.KeyProvider, cfg.Keys = cfg.Keys, keys })
			set, first := subscribed(t, kit, days(30, 2))
			_, err := slow.Status(t.Context(), gateway.Lookup{MerchantKey: key, OrderNumber: "SUB-1"})
			require.NoError(t, err) // the merchant's own secrets are open now, and stay so: the card's key is asked for again
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
			quiet(t, kit)
		})
	}
}
