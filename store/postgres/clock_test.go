package postgres_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// machines are the clocks of machines that are an hour apart, and go on together.
type machines struct{ passed atomic.Int64 }

func (m *machines) off(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by + time.Duration(m.passed.Load())) }
}

func (m *machines) pass(d time.Duration) { m.passed.Add(int64(d)) }

// hourApart returns two stores on one schema, on machines whose clocks are two hours apart.
func hourApart(t *testing.T) (m *machines, ahead, behind *postgres.Store) {
	t.Helper()
	m = &machines{}
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 8}
	var both [2]*postgres.Store
	for i, by := range []time.Duration{time.Hour, -time.Hour} {
		var err error
		both[i], err = postgres.Open(t.Context(), cfg.On(m.off(by)))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, both[i].Close()) })
	}
	return m, both[0], both[1]
}

// Two instances tell the time of the database, whatever their machines say.
func TestOneClock(t *testing.T) {
	t.Parallel()
	m, ahead, behind := hourApart(t)
	const slack = 500 * time.Millisecond // of a machine that is busy
	for range 3 {
		for _, s := range []*postgres.Store{ahead, behind} {
			before := ask[time.Time](t, shared.URL(), "select clock_timestamp()")
			now := s.Now()
			after := ask[time.Time](t, shared.URL(), "select clock_timestamp()")
			require.WithinRange(t, now, before.Add(-slack), after.Add(slack))
			require.Equal(t, time.UTC, now.Location())
			require.NoError(t, s.Measure(t.Context()))
		}
	}
	require.NoError(t, ahead.Close())
	m.pass(time.Minute)
	require.WithinDuration(t, ahead.Now(), behind.Now(), slack, "a closed store still tells the time")
}

// TestClock: what happens to the time that is told when the clocks of the machine and of the database do odd things.
func TestClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	gone := errors.New("gone")
	type world struct {
		machine, database time.Time
		away              error
	}
	for _, c := range []struct {
		name  string
		steps func(t *testing.T, w *world, pass func(time.Duration), measure func() error, told func() time.Duration)
	}{
		{"it goes on without a measurement", func(t *testing.T, _ *world, pass func(time.Duration), _ func() error,
			told func() time.Duration) {
			require.Zero(t, told())
			pass(time.Hour)
			require.Equal(t, time.Hour, told())
		}},
		{"it goes on while the server is away", func(t *testing.T, w *world, pass func(time.Duration), measure func() error,
			told func() time.Duration) {
			w.away = gone
			pass(time.Minute)
			require.ErrorIs(t, measure(), gone)
			require.Equal(t, time.Minute, told())
		}},
		{"the machine is slow", func(t *testing.T, w *world, _ func(time.Duration), measure func() error,
			told func() time.Duration) {
			w.database = w.database.Add(time.Minute)
			require.Zero(t, told())
			require.NoError(t, measure())
			require.Equal(t, time.Minute, told())
		}},
		{"the database goes back", func(t *testing.T, w *world, pass func(time.Duration), measure func() error,
			told func() time.Duration) {
			pass(time.Hour)
			require.Equal(t, time.Hour, told())
			w.database = w.database.Add(-time.Hour)
			require.NoError(t, measure())
			require.Equal(t, time.Hour, told(), "never goes back")
			pass(time.Hour)
			require.Equal(t, 90*time.Minute, told(), "at half the speed")
			pass(time.Hour)
			require.Equal(t, 2*time.Hour, told(), "both are the same")
			pass(time.Hour)
			require.Equal(t, 3*time.Hour, told())
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &world{machine: start.Add(-5 * time.Hour), database: start}
			now, measure := postgres.Clock(func() time.Time { return w.machine },
				func() (time.Time, error) { return w.database, w.away })
			require.NoError(t, measure())
			pass := func(d time.Duration) { w.machine, w.database = w.machine.Add(d), w.database.Add(d) }
			c.steps(t, w, pass, measure, func() time.Duration { return now().Sub(start) })
		})
	}
}

// A measurement that took long is no better than what is known, unless they cannot both be right.
func TestClockKeepsTheBest(t *testing.T) {
	t.Parallel()
	start := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	machine, database, took := start, start, time.Duration(0)
	now, measure := postgres.Clock(func() time.Time { return machine }, func() (time.Time, error) {
		machine = machine.Add(took)
		return database, nil
	})
	require.NoError(t, measure())
	took, database = time.Second, start.Add(200*time.Millisecond) // by rights about half a second
	require.NoError(t, measure())
	require.Equal(t, 4*time.Second, now().Sub(start))
	took, database = time.Second, start.Add(time.Hour)
	require.NoError(t, measure())
	require.WithinDuration(t, start.Add(time.Hour), now(), 4*time.Second)
}

// TestClocksOfGateways: two gateways on machines two hours apart agree on windows, leases and deadlines, because both
// take the clock of the store.
func TestClocksOfGateways(t *testing.T) {
	t.Parallel()
	for _, order := range []struct {
		name  string
		first int
	}{{"the first is ahead", 0}, {"the first is behind", 1}} {
		t.Run(order.name, func(t *testing.T) {
			t.Parallel()
			m, ahead, behind := hourApart(t)
			stores := []*postgres.Store{ahead, behind}
			one, two := stores[order.first], stores[1-order.first]
			byStore := func(s store.Store) gatewaytest.Option {
				return func(c *gateway.Config) { c.Store, c.Now, c.NewID = s, nil, nil }
			}
			kit := gatewaytest.On(t, one, byStore(one))
			twin := kit.Twin(t, byStore(two))
			kit.Clock.Set(one.Now()) // of acquirer and merchant
			windowsAgree(t, m, kit, twin)
			leasesAgree(t, m, kit, twin)
		})
	}
}

// windowsAgree sells an order again by the other instance, within 15 seconds and after.
func windowsAgree(t *testing.T, m *machines, kit, twin *gatewaytest.Kit) {
	t.Helper()
	sell := func(kit *gatewaytest.Kit) error {
		_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
		return err
	}
	require.NoError(t, sell(kit))
	require.ErrorIs(t, gateway.AsError(sell(twin)), gateway.ErrDuplicate)
	m.pass(16 * time.Second)
	require.NoError(t, sell(twin))
	require.ErrorIs(t, gateway.AsError(sell(kit)), gateway.ErrDuplicate)
	twin.Work(t)
	require.Len(t, kit.Inbox.All(), 2, "callbacks are due for both")
}

// leasesAgree looks after a call that is under way, before and after the time it may take.
func leasesAgree(t *testing.T, m *machines, kit, twin *gatewaytest.Kit) {
	t.Helper()
	hang, sold := make(chan struct{}), make(chan error, 1)
	kit.Vcard.Next(vcard.Block(hang))
	go func() {
		_, err := kit.Shop().Charge(context.Background(), kerneltest.ChargeOf("ORD-2", gatewaytest.Settles))
		sold <- err
	}()
	require.Eventually(t, func() bool { return kit.Vcard.Scripted() == 0 }, kerneltest.Patience, time.Millisecond)
	done, _, err := twin.Tick(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, done, "the call is under way")
	m.pass(time.Hour)
	done, _, err = twin.Tick(t.Context(), 100)
	require.NoError(t, err)
	require.NotZero(t, done, "the call has taken too long")
	close(hang)
	require.NoError(t, <-sold)
	kit.Clock.Set(kit.Clock.Now().Add(2 * time.Hour))
	m.pass(time.Hour)
	twin.Work(t)
	require.Equal(t, store.Settled, twin.Payment(t, "ORD-2").Status)
}
