// Package dbclock tells the time of a database without asking it each time. It measures what that is whenever its owner
// says so, and counts on with the clock of the machine, so that a machine whose date is wrong, or is set meanwhile,
// tells the same time as the others.
package dbclock

import (
	"context"
	"sync"
	"time"
)

// Clock is what one program knows of the clock of a database. It is safe for concurrent use.
type Clock struct {
	machine func() time.Time // of which only differences count
	ask     func(context.Context) (time.Time, error)

	mu     sync.Mutex
	at     time.Time     // of the machine, at the last measurement
	known  time.Time     // by the clock of the database then
	within time.Duration // how far known may be off
	last   time.Time     // of the machine, when the time was told
	told   time.Time
}

const (
	// A measurement is the best of so many questions: what matters is how long the answer took.
	questions = 4
	// drift is the most by which the clock of a machine goes wrong: so many nanoseconds in a millisecond.
	drift = 200
)

// New returns a clock that was not measured yet. machine tells the time of the machine, and ask that of the database.
func New(machine func() time.Time, ask func(context.Context) (time.Time, error)) *Clock {
	return &Clock{machine: machine, ask: ask}
}

// Measure asks some times and takes the answer that took the shortest time: it was given in the middle of that, give
// or take half of it. After an error the clock goes on as it is.
func (c *Clock) Measure(ctx context.Context) error {
	var at, known time.Time
	within := time.Duration(-1)
	for range questions {
		before := c.machine()
		told, err := c.ask(ctx)
		if err != nil {
			return err
		}
		if took := c.machine().Sub(before); within < 0 || took/2 < within {
			at, known, within = before.Add(took/2), told, took/2
		}
	}
	c.learn(at, known, within)
	return nil
}

// learn takes a measurement when it is better than what is known, or contradicts it.
func (c *Clock) learn(at, known time.Time, within time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() {
		age := at.Sub(c.at)
		most := c.within + age/time.Millisecond*drift
		off := c.known.Add(age).Sub(known).Abs()
		if within > most && off <= within+most {
			return
		}
	}
	c.at, c.known, c.within = at, known.UTC(), within
}

// Now returns the time of the database. While that is behind what was told before, it returns that and half of what has
// passed since: it never goes back.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
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
