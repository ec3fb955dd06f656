package callback

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// The outbox: callbacks are queued in the transaction that applies the outcome they report, claimed in
// batches (Desk), and delivered at least once. Each function runs inside the caller's transaction.
//
// Merchants take turns, and so do the endpoints of one: Outbox is a fair queue whose groups are merchants and
// whose lanes are URLs. A callback that has to be sent after another one is in no queue until that one was
// tried, which lets it go.

// Lease is how long a claimed callback is left to the instance that claimed it; should that one die, it is due
// again.
const Lease = time.Minute

// ContentType is what bodies are.
const ContentType = "application/x-www-form-urlencoded; charset=utf-8"

var (
	callbacks = store.Table[store.Callback]{Prefix: "cb", Version: 1}
	// Outbox holds what has to be delivered.
	Outbox = store.FairQueue{Name: "qc"}
)

// ID names the n-th callback of a payment. The ids of a payment ascend.
func ID(paymentID string, number int) string { return fmt.Sprintf("%s.%04d", paymentID, number) }

// numberOf is a callback's payment and number.
func numberOf(id string) (paymentID string, number int) {
	at := strings.LastIndexByte(id, '.')
	if at < 0 {
		return id, 0
	}
	number, _ = strconv.Atoi(id[at+1:])
	return id[:at], number
}

// keyOfFollower holds a callback that waits for one of another payment; without an id it is the prefix of all
// that wait for it.
func keyOfFollower(leader string, id ...string) []byte {
	return store.Key(append([]string{"cw", leader}, id...)...)
}

// spotOf is where a callback lies in the outbox. The lane names the host, so that a desk can count by it.
func spotOf(c *store.Callback) store.Spot {
	return store.Spot{Group: c.MerchantID, Lane: hostOf(c.URL) + "/" + endpointID(c.URL)}
}

// Queue stores a callback, due at once. The key is unique: a row of the state table queues one callback
// however often it is applied.
func Queue(tx store.Tx, c store.Callback) error {
	c.ID = ID(c.PaymentID, c.Number)
	c.State, c.Due = store.CallbackDue, c.CreatedAt
	if err := callbacks.Insert(tx, c, c.ID); err != nil {
		return err
	}
	return start(tx, &c, c.CreatedAt)
}

// start makes a callback due in its turn, once the one before it was tried.
func start(tx store.Tx, c *store.Callback, now time.Time) error {
	before := c.Follows
	if c.Number > 1 {
		before = ID(c.PaymentID, c.Number-1)
	}
	waits, err := untried(tx, before)
	switch {
	case err != nil:
		return err
	case waits && c.Number > 1:
		return nil // the one before it finds it by its number
	case waits:
		return tx.Put(keyOfFollower(before, c.ID), []byte{})
	}
	return Outbox.Put(tx, spotOf(c), c.ID, c.Due, now)
}

// untried reports a callback that is still to be tried for the first time. One that is gone, was set aside, or
// never was, is waited for by none.
func untried(r store.Reader, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	c, err := callbacks.Get(r, id)
	if errors.Is(err, store.ErrNotFound) || store.IsUnreadable(err) {
		return false, nil
	}
	return err == nil && c.State == store.CallbackDue && len(c.Attempts) == 0, err
}

// put stores a callback that is due at another time.
func put(tx store.Tx, c store.Callback, due, now time.Time) error {
	was := c.Due
	c.Due = due
	if !was.IsZero() {
		if err := Outbox.Remove(tx, spotOf(&c), c.ID, was, now); err != nil {
			return err
		}
	}
	if !due.IsZero() {
		if err := Outbox.Put(tx, spotOf(&c), c.ID, due, now); err != nil {
			return err
		}
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
	c.GivenBack = 0
	if err := count(tx, &c, r.Verdict, now); err != nil {
		return err
	}
	if len(c.Attempts) == 1 {
		if err := letGo(tx, id, spotOf(&c), c.Leads, now); err != nil {
			return err
		}
		if c.Follows != "" { // more may wait than one transaction lets go
			if err := letFollow(tx, c.Follows, now); err != nil {
				return err
			}
		}
	}
	if c.State != store.CallbackDue {
		return callbacks.Put(tx, c, id)
	}
	switch due, ok := schedule.Next(try, now, r.RetryAfter); {
	case r.Verdict == Accepted && try <= c.Tries: // else it was asked for again meanwhile
		c.State = store.CallbackDelivered
		return put(tx, c, time.Time{}, now)
	case try != c.Tries:
		return callbacks.Put(tx, c, id)
	case !ok:
		c.State = store.CallbackDead
		return put(tx, c, time.Time{}, now)
	default:
		return put(tx, c, due, now)
	}
}

// letGo makes due what waits for a callback that was now tried, or that never can be.
func letGo(tx store.Tx, id string, at store.Spot, leads bool, now time.Time) error {
	payment, number := numberOf(id)
	if err := release(tx, ID(payment, number+1), at, now); err != nil || !leads {
		return err
	}
	return letFollow(tx, id, now)
}

// followBatch is how many callbacks of later payments one transaction lets go; each of them lets more go.
const followBatch = 100

// letFollow makes due what waits for the first callback of a chain.
func letFollow(tx store.Tx, leader string, now time.Time) error {
	var keys [][]byte
	for entry := range tx.Scan(store.Range{Prefix: keyOfFollower(leader), Limit: followBatch}) {
		if entry.Err != nil {
			return entry.Err
		}
		keys = append(keys, entry.Key)
	}
	for _, key := range keys {
		parts, err := store.SplitKey(key)
		if err != nil {
			return err
		}
		if err := errors.Join(release(tx, parts[2], store.Spot{}, now), tx.Delete(key)); err != nil {
			return err
		}
	}
	return nil
}

// release makes a callback due that has not been tried. One that cannot be read gets its turn all the same, and
// is set aside then.
func release(tx store.Tx, id string, at store.Spot, now time.Time) error {
	c, err := callbacks.Get(tx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case store.IsUnreadable(err):
		return Outbox.Put(tx, at, id, now, now)
	case err != nil || c.State != store.CallbackDue || c.Tries > 0:
		return err
	}
	return Outbox.Put(tx, spotOf(&c), id, c.Due, now)
}

func logAttempt(c *store.Callback, r Receipt, now time.Time) {
	c.Attempts = append(c.Attempts, store.Attempt{At: now, Verdict: string(r.Verdict), Status: r.Status, Detail: r.Detail})
	if extra := len(c.Attempts) - store.MaxAttempts; extra > 0 {
		c.Attempts = c.Attempts[extra:]
	}
}

// Leave takes a claimed callback out of the outbox that can never be delivered as it is, and lets go what waits
// for it. It reports false when the callback went on meanwhile. Resend brings it back.
func Leave(tx store.Tx, id string, try int, now time.Time) (bool, error) {
	c, err := callbacks.Get(tx, id)
	if err != nil || c.State != store.CallbackDue || c.Tries != try {
		return false, err
	}
	logAttempt(&c, Receipt{Verdict: Refused, Detail: "the body does not open"}, now)
	return true, errors.Join(Outbox.Remove(tx, spotOf(&c), id, c.Due, now), letGo(tx, id, spotOf(&c), c.Leads, now),
		callbacks.Put(tx, c, id))
}

// Resend makes a callback due at once, whatever became of it before: the manual resend of the admin
// panel. The schedule starts over.
func Resend(tx store.Tx, id string, now time.Time) error {
	c, err := callbacks.Get(tx, id)
	if err != nil {
		return err
	}
	if !c.Due.IsZero() {
		if err := Outbox.Remove(tx, spotOf(&c), id, c.Due, now); err != nil {
			return err
		}
	}
	c.State, c.Tries, c.GivenBack, c.Due = store.CallbackDue, 0, 0, now
	return errors.Join(callbacks.Put(tx, c, id), start(tx, &c, now))
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
