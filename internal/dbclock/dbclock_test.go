package dbclock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/dbclock"
)

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
			clock := dbclock.New(func() time.Time { return w.machine },
				func(context.Context) (time.Time, error) { return w.database, w.away })
			measure := func() error { return clock.Measure(t.Context()) }
			require.NoError(t, measure())
			pass := func(d time.Duration) { w.machine, w.database = w.machine.Add(d), w.database.Add(d) }
			c.steps(t, w, pass, measure, func() time.Duration { return clock.Now().Sub(start) })
		})
	}
}

// A measurement that took long is no better than what is known, unless they cannot both be right.
func TestClockKeepsTheBest(t *testing.T) {
	t.Parallel()
	start := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	machine, database, took := start, start, time.Duration(0)
	clock := dbclock.New(func() time.Time { return machine }, func(context.Context) (time.Time, error) {
		machine = machine.Add(took)
		return database, nil
	})
	require.NoError(t, clock.Measure(t.Context()))
	took, database = time.Second, start.Add(200*time.Millisecond) // by rights about half a second
	require.NoError(t, clock.Measure(t.Context()))
	require.Equal(t, 4*time.Second, clock.Now().Sub(start))
	took, database = time.Second, start.Add(time.Hour)
	require.NoError(t, clock.Measure(t.Context()))
	require.WithinDuration(t, start.Add(time.Hour), clock.Now(), 4*time.Second)
}
