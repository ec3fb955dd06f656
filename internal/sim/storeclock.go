package sim

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/internal/dbclock"
)

// storeClock is the clock of a store as an instance tells it: the real one of store/postgres, on a machine whose date is
// up to an hour wrong and whose clock goes wrong further. It asks the store over a network where each way takes its own
// time.
type storeClock struct {
	w        *World
	mu       sync.Mutex // a timer of the kernel may wake its goroutine beside another
	clock    *dbclock.Clock
	rng      *rand.Rand
	skew     time.Duration // of the machine
	rate     int64         // nanoseconds that it gains in a millisecond
	begun    time.Time
	away     time.Duration // that the last round trip took, though no time of the world has passed
	measured time.Time     // by the clock of the world
}

const (
	// machinesOff is how far the clocks of machines are off.
	machinesOff = time.Hour
	// machineGains is how many nanoseconds a machine gains or loses in a millisecond.
	machineGains = 190
	// longestWay is how long a question, or its answer, is on its way at most.
	longestWay = 80 * time.Millisecond
	// lookedAt is how often the clock of the store is looked at, at least.
	lookedAt = 10 * time.Second
	// knownWithin is how well an instance then knows the clock of the store.
	knownWithin = 50 * time.Millisecond
)

func newStoreClock(w *World) *storeClock {
	c := &storeClock{w: w, rng: random(w.rng.Uint64()), begun: w.now()}
	c.skew = between(c.rng, -machinesOff, machinesOff)
	c.rate = c.rng.Int64N(2*machineGains+1) - machineGains
	c.clock = dbclock.New(c.machine, c.ask)
	return c
}

// machine is the clock of the machine. After a round trip it shows once that this took time.
func (c *storeClock) machine() time.Time {
	gained := time.Duration(c.w.now().Sub(c.begun).Milliseconds() * c.rate)
	now := c.w.now().Add(c.skew + gained + c.away)
	c.away = 0
	return now
}

// ask is a round trip.
func (c *storeClock) ask(context.Context) (time.Time, error) {
	there, back := between(c.rng, 0, longestWay), between(c.rng, 0, longestWay)
	c.away = there + back
	return c.w.now().Add(there), nil
}

// now tells the time of the store. It looks at the clock of that first when it has not done so for long.
func (c *storeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.w.now(); c.measured.IsZero() || now.Sub(c.measured) >= lookedAt {
		c.measured = now
		_ = c.clock.Measure(context.Background()) // ask does not fail
	}
	told := c.clock.Now()
	if off := told.Sub(c.w.now()); off.Abs() > knownWithin {
		c.w.fail("T2: an instance tells the time of the store %s off", off)
	}
	return told
}
