package callback

import (
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// The outbox: callbacks are queued in the transaction that applies the outcome they tell of, claimed in
// batches, and delivered at least once. Each function runs inside the caller's transaction.

// Lease is how long a claimed callback is left to whoever claimed it. Should he die, it is due again.
const Lease = time.Minute

// ContentType is what bodies are.
const ContentType = "application/x-www-form-urlencoded; charset=utf-8"

var (
	callbacks = store.Table[store.Callback]{Prefix: "cb", Version: 1}
	// DueQueue holds what has to be delivered, by time. Callbacks of one payment share a lane.
	DueQueue = store.Queue{Name: "qc"}
)

// ID names the n-th callback of a payment. The ids of a payment ascend.
func ID(paymentID string, number int) string { return fmt.Sprintf("%s.%04d", paymentID, number) }

// Queue stores a callback, due at once. The key is unique: a row of the state table queues one callback
// however often it is applied.
func Queue(tx store.Tx, c store.Callback) error {
	c.ID = ID(c.PaymentID, c.Number)
	c.State, c.Due = store.CallbackDue, c.CreatedAt
	if err := callbacks.Insert(tx, c, c.ID); err != nil {
		return err
	}
	return DueQueue.Move(tx, c.PaymentID, c.ID, time.Time{}, c.Due)
}

// Claim takes up to limit callbacks that are due, in the order they were queued within a payment: a
// later one does not start before an earlier one was tried. What is claimed is counted as tried and
// left alone until its lease ends. Callbacks to a blocked URL are put off to the end of the block.
func Claim(tx store.Tx, now time.Time, limit int) (claimed []store.Callback, err error) {
	ids, err := DueQueue.Due(tx, now, limit)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		c, err := callbacks.Get(tx, id)
		if err != nil {
			return nil, err
		}
		until, err := wait(tx, &c, now)
		if err != nil {
			return nil, err
		}
		if until.IsZero() {
			until = now.Add(Lease)
			c.Tries++
			claimed = append(claimed, c)
		}
		if err := put(tx, c, until); err != nil {
			return nil, err
		}
	}
	return claimed, nil
}

// wait is until when a due callback has to wait, zero when it need not.
func wait(tx store.Tx, c *store.Callback, now time.Time) (time.Time, error) {
	endpoint, err := endpointOf(tx, c.URL)
	if err != nil {
		return time.Time{}, err
	}
	if until, blocked := endpoint.Blocked(now); blocked {
		return until, nil
	}
	if c.Number == 1 || c.Tries > 0 {
		return time.Time{}, nil
	}
	before, err := callbacks.Get(tx, ID(c.PaymentID, c.Number-1))
	if errors.Is(err, store.ErrNotFound) { // so old that it is gone
		return time.Time{}, nil
	} else if err != nil {
		return time.Time{}, err
	}
	if before.State == store.CallbackDue && len(before.Attempts) == 0 {
		return now.Add(Lease), nil
	}
	return time.Time{}, nil
}

// put stores a callback that is due at another time.
func put(tx store.Tx, c store.Callback, due time.Time) error {
	was := c.Due
	c.Due = due
	if err := DueQueue.Move(tx, c.PaymentID, c.ID, was, due); err != nil {
		return err
	}
	return callbacks.Put(tx, c, c.ID)
}

// Finish records an attempt: an accepted callback is done, any other is due again by the schedule or,
// at its end, dead. It keeps the count of time-outs that blocks a URL. An attempt that was overtaken by
// a later one is only logged.
func Finish(tx store.Tx, id string, try int, r Receipt, schedule Schedule, now time.Time) error {
	c, err := callbacks.Get(tx, id)
	if err != nil {
		return err
	}
	logAttempt(&c, r, now)
	if err := count(tx, c.URL, r.Verdict, now); err != nil {
		return err
	}
	if len(c.Attempts) == 1 {
		if err := letNextStart(tx, &c, now); err != nil {
			return err
		}
	}
	if c.State != store.CallbackDue {
		return callbacks.Put(tx, c, id)
	}
	switch due, ok := schedule.Next(try, now, r.RetryAfter); {
	case r.Verdict == Accepted && try <= c.Tries: // else it was asked for again meanwhile
		c.State = store.CallbackDelivered
		return put(tx, c, time.Time{})
	case try != c.Tries:
		return callbacks.Put(tx, c, id)
	case !ok:
		c.State = store.CallbackDead
		return put(tx, c, time.Time{})
	default:
		return put(tx, c, due)
	}
}

// letNextStart makes the callback behind this one due now, should it wait for this one.
func letNextStart(tx store.Tx, c *store.Callback, now time.Time) error {
	next, err := callbacks.Get(tx, ID(c.PaymentID, c.Number+1))
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil || next.State != store.CallbackDue || next.Tries > 0 || !next.Due.After(now) {
		return err
	}
	return put(tx, next, now)
}

func logAttempt(c *store.Callback, r Receipt, now time.Time) {
	c.Attempts = append(c.Attempts, store.Attempt{At: now, Verdict: string(r.Verdict), Status: r.Status, Detail: r.Detail})
	if extra := len(c.Attempts) - store.MaxAttempts; extra > 0 {
		c.Attempts = c.Attempts[extra:]
	}
}

// Resend makes a callback due at once, whatever became of it before: the manual resend of the admin
// panel. The schedule starts over.
func Resend(tx store.Tx, id string, now time.Time) error {
	c, err := callbacks.Get(tx, id)
	if err != nil {
		return err
	}
	c.State, c.Tries = store.CallbackDue, 0
	return put(tx, c, now)
}

// OfPayment reads the callbacks of a payment, oldest first; count is Payment.Callbacks. Those that are so old
// that they are gone are left out.
func OfPayment(r store.Reader, paymentID string, count int) (list []store.Callback, err error) {
	for number := 1; number <= count; number++ {
		c, err := callbacks.Get(r, ID(paymentID, number))
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}
