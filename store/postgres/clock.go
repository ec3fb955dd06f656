package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// clock tells the time of the database without asking it each time. It measures from time to time what that is, and
// counts on with the monotonic clock of the machine, so that a machine whose date is wrong, or is set meanwhile, tells
// the same time as the others.
type clock struct {
	machine func() time.Time // of which only differences count
	ask     func(context.Context) (time.Time, error)

	running sync.WaitGroup
	stop    context.CancelFunc

	mu     sync.Mutex
	at     time.Time     // of the machine, at the last measurement
	known  time.Time     // by the clock of the database then
	within time.Duration // how far known may be off
	last   time.Time     // of the machine, when the time was told
	told   time.Time
}

const (
	// measured is how often the clock of the database is looked at.
	measured = 10 * time.Second
	// A measurement is the best of so many questions: what matters is how long the answer took.
	questions = 4
	// drift is the most by which the clock of a machine goes wrong: so many nanoseconds in a millisecond.
	drift = 200
)

// newClock measures the clock of the database for the first time, and then now and again until close.
func newClock(ctx context.Context, pool *pgxpool.Pool, machine func() time.Time) (*clock, error) {
	c := &clock{machine: machine, ask: func(ctx context.Context) (at time.Time, err error) {
		return at, pool.QueryRow(ctx, "select clock_timestamp()").Scan(&at)
	}}
	if err := c.measure(ctx); err != nil {
		return nil, err
	}
	ctx, c.stop = context.WithCancel(context.Background())
	c.running.Go(func() { c.follow(ctx) })
	return c, nil
}

func (c *clock) close() {
	c.stop()
	c.running.Wait()
}

// follow measures again and again. While the server is away the clock goes on as it is.
func (c *clock) follow(ctx context.Context) {
	ticker := time.NewTicker(measured)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			within, cancel := context.WithTimeout(ctx, measured/2)
			_ = c.measure(within) // next time then
			cancel()
		}
	}
}

// measure asks some times and takes the answer that took the shortest time: it was given in the middle of that, give
// or take half of it.
func (c *clock) measure(ctx context.Context) error {
	var at, known time.Time
	within := time.Duration(-1)
	for range questions {
		before := c.machine()
		told, err := c.ask(ctx)
		if err != nil {
			return fmt.Errorf("postgres: ask for the time: %w", err)
		}
		if took := c.machine().Sub(before); within < 0 || took/2 < within {
			at, known, within = before.Add(took/2), told, took/2
		}
	}
	c.learn(at, known, within)
	return nil
}

// learn takes a measurement when it is better than what is known, or contradicts it.
func (c *clock) learn(at, known time.Time, within time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() {
		age := at.Sub(c.at)
		most := c.within + age/time.Millisecond*drift
		off := c.known.Add(age).Sub(known).Abs()
		if within > most && off <= within+most {
			return
		}
		c.now() // what was told so far counts
	}
	c.at, c.known, c.within = at, known.UTC(), within
}

// now returns the time of the database, or while that is behind what was told, half of what has passed since then. The
// mutex is held.
func (c *clock) now() time.Time {
	machine := c.machine()
	now := c.known.Add(machine.Sub(c.at))
	if !c.told.IsZero() {
		if slow := c.told.Add(machine.Sub(c.last) / 2); slow.After(now) {
			now = slow
		}
	}
	c.last, c.told = machine, now
	return now
}

// Now implements store.Clock. All instances tell the time of the database, whatever the clocks of their machines say.
// It makes no request: every 10 s the store asks the database, and counts on in between. How far Now is off is half of
// the shortest of four round trips, and 0.2 ms for each second since, which is usually less than 3 ms in all. While the
// server is away it goes on like this: after an hour it may be 0.8 s off. It never goes back: when the clock of the
// database does, as that of a promoted standby may, Now goes at half the speed until both are the same.
func (s *Store) Now() time.Time {
	c := s.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}
