package gatewaytest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Clock is a clock that moves only by Set, and by Advance of its kit. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to a time, forwards or back.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Advance moves the clock and does all work that falls due on the way, each piece at its own time, before it
// returns.
func (kit *Kit) Advance(t testing.TB, d time.Duration) {
	t.Helper()
	end := kit.Clock.Now().Add(d)
	for range 100_000 {
		_, next, err := kit.Tick(t.Context(), 10_000)
		require.NoError(t, err)
		if next.IsZero() || next.After(end) {
			kit.Clock.Set(end)
			kit.Work(t)
			return
		}
		if next.After(kit.Clock.Now()) {
			kit.Clock.Set(next)
		}
	}
	t.Fatal("gatewaytest: the due work does not end")
}

// Work does all work that is due now.
func (kit *Kit) Work(t testing.TB) {
	t.Helper()
	for range 1000 {
		done, _, err := kit.Tick(t.Context(), 10_000)
		require.NoError(t, err)
		if done == 0 {
			return
		}
	}
	t.Fatal("gatewaytest: the due work does not end")
}
