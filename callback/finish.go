package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Finish records an attempt: an accepted callback is done, any other is due again by the schedule or, at its end,
// dead. It keeps the count of time-outs that blocks a URL. An attempt that ends after a later one is only logged.
func Finish(tx store.Tx, id string, try int, r Receipt, schedule Schedule, now time.Time) (done Finished, err error) {
	c, err := callbacks.Get(tx, id)
	if err != nil {
		return done, err
	}
	logAttempt(&c, r, now)
	c.GivenBack = 0
	if done.Moved, err = count(tx, &c, r.Verdict, now); err != nil {
		return done, err
	}
	if len(c.Attempts) == 1 {
		if done.Released, err = releaseTried(tx, &c, now); err != nil {
			return done, err
		}
	}
	was := c.State
	err = finish(tx, &c, try, r, schedule, now)
	done.Dead = c.State == store.CallbackDead && was != c.State
	return done, err
}

// Finished is what an attempt has changed.
type Finished struct {
	Dead     bool       // it was the last try
	Moved    []Endpoint // those that are blocked since then, or whose block is forgotten
	Released []Noted    // those that waited for it and are due now
}

func finish(tx store.Tx, c *store.CallbackRecord, try int, r Receipt, schedule Schedule, now time.Time) error {
	if c.State != store.CallbackDue {
		return callbacks.Put(tx, *c, c.ID)
	}
	switch due, ok := schedule.Next(try, now, r.RetryAfter); {
	case r.Verdict == Accepted && try <= c.Tries: // otherwise it was sent again by hand meanwhile
		c.State = store.CallbackDelivered
		return put(tx, *c, time.Time{}, now)
	case try != c.Tries:
		return callbacks.Put(tx, *c, c.ID)
	case !ok:
		c.State = store.CallbackDead
		return errors.Join(put(tx, *c, time.Time{}, now), tx.Put(keyOfDead(c.ID), []byte{}))
	default:
		return put(tx, *c, due, now)
	}
}

func logAttempt(c *store.CallbackRecord, r Receipt, now time.Time) {
	c.Attempts = append(c.Attempts, store.Attempt{At: now, Verdict: string(r.Verdict), Status: r.Status, Detail: r.Detail})
	if extra := len(c.Attempts) - store.MaxAttempts; extra > 0 {
		c.Attempts = c.Attempts[extra:]
	}
}

// Leave takes a claimed callback that can never be delivered out of the outbox, and releases what waits for it. It
// returns false when the callback has moved on meanwhile. Resend brings it back.
func Leave(tx store.Tx, id string, try int, now time.Time) (bool, error) {
	c, err := callbacks.Get(tx, id)
	if err != nil || c.State != store.CallbackDue || c.Tries != try {
		return false, err
	}
	logAttempt(&c, Receipt{Verdict: Refused, Detail: "the body does not open"}, now)
	after := release{tx: tx, now: now}
	return true, errors.Join(Outbox.Remove(tx, spotOf(&c), id, c.Due, now), after.of(id, spotOf(&c), c.Leads),
		callbacks.Put(tx, c, id))
}
