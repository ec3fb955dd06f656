package sim

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/internal/dbclock"
)

// storeClock is the clock of a store as an instance tells it: the real one of store/postgres, on a machine whose date
// is up to an hour wrong and whose clock goes wrong further. It asks the store over a network where each way takes its
// own time.
type storeClock struct {
	store func() time.Time // its clock
	fail  func(format string, args ...any)

	mu       sync.Mutex // a timer of the kernel may wake its goroutine beside another
	clock    *dbclock.Clock
	rng      *rand.Rand
	skew     time.Duration // of the machine
	rate     int64         // nanoseconds that it gains in a millisecond
	begun    time.Time
	away     time.Duration // that the last round trip took, though no time of the world has passed
	measured time.Time     // by the clock of the store
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

// newStoreClock makes the clock of an instance that starts. fail is told when it is further off than is known.
func newStoreClock(rng *rand.Rand, store func() time.Time, fail func(format string, args ...any)) *storeClock {
	c := &storeClock{rng: rng, store: store, fail: fail, begun: store()}
	c.skew = c.upTo(2*machinesOff) - machinesOff
	c.rate = rng.Int64N(2*machineGains+1) - machineGains
	c.clock = dbclock.New(c.machine, c.ask)
	return c
}

func (c *storeClock) upTo(d time.Duration) time.Duration {
	return time.Duration(c.rng.Int64N(int64(d) + 1))
}

// machine is the clock of the machine. After a round trip it shows once that this took time.
func (c *storeClock) machine() time.Time {
	at := c.store()
	now := at.Add(c.skew + time.Duration(at.Sub(c.begun).Milliseconds()*c.rate) + c.away)
	c.away = 0
	return now
}

// ask is a round trip.
func (c *storeClock) ask(context.Context) (time.Time, error) {
	there, back := c.upTo(longestWay), c.upTo(longestWay)
	c.away = there + back
	return c.store().Add(there), nil
}

// now tells the time of the store. It looks at the clock of that first when it has not done so for long.
func (c *storeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.store()
	if c.measured.IsZero() || at.Sub(c.measured) >= lookedAt {
		c.measured = at
		_ = c.clock.Measure(context.Background()) // ask does not fail
	}
	told := c.clock.Now()
	if off := told.Sub(at); off.Abs() > knownWithin {
		c.fail("T2: an instance tells the time of the store %s off", off)
	}
	return told
}
