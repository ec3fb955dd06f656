package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// The outbox: callbacks are queued in the transaction that applies the outcome they report, claimed in batches
// (Desk), and delivered at least once. Each function runs inside the caller's transaction.
//
// Merchants take turns, and so do the endpoints of one: Outbox is a fair queue whose groups are merchants and
// whose lanes are URLs. A callback that has to be sent after another one is in no queue until that one was tried,
// which releases it.

// Lease is how long a claimed callback belongs to the instance that claimed it. When that instance dies, the
// callback is due again after it.
const Lease = time.Minute

// ContentType is the content type of every body.
const ContentType = "application/x-www-form-urlencoded; charset=utf-8"

var (
	callbacks = store.Table[store.CallbackRecord]{Prefix: "cb", Version: 1}
	// Outbox is the queue of callbacks to deliver.
	Outbox = store.FairQueue{Name: "qc"}
)

// keyOfFollower is the key of a callback that waits for one of another payment; without an id it is the prefix of
// all that wait for it.
func keyOfFollower(leader string, id ...string) []byte {
	return store.Key(append([]string{"cw", leader}, id...)...)
}

// spotOf returns the place of a callback in the outbox. The lane has the host, so that a desk can count by it.
func spotOf(c *store.CallbackRecord) store.Spot {
	id := endpointID(c.URL)
	return store.Spot{Group: c.MerchantID, Lane: hostOf(c.URL) + "/" + string(id[:])}
}

// Queue stores a callback that is due at once. The key is unique: an event queues one callback however often it is
// applied.
func Queue(tx store.Tx, c store.CallbackRecord) error {
	c.ID = store.CallbackID(c.PaymentID, c.Number)
	c.State, c.Due = store.CallbackDue, c.CreatedAt
	if err := callbacks.Insert(tx, c, c.ID); err != nil {
		return err
	}
	return start(tx, &c, c.CreatedAt)
}

// start makes a callback due, once the one before it was tried.
func start(tx store.Tx, c *store.CallbackRecord, now time.Time) error {
	before := c.Follows
	if c.Number > 1 {
		before = store.CallbackID(c.PaymentID, c.Number-1)
	}
	waits, err := untried(tx, before)
	switch {
	case err != nil:
		return err
	case waits && c.Number > 1:
		return nil // the one before it will release it by its number
	case waits:
		return tx.Put(keyOfFollower(before, c.ID), []byte{})
	}
	return Outbox.Put(tx, spotOf(c), c.ID, c.Due, now)
}

// untried reports whether a callback was never tried and will be. No other callback waits for one that is gone,
// was set aside, or never existed.
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

// put stores a callback whose due time has changed.
func put(tx store.Tx, c store.CallbackRecord, due, now time.Time) error {
	was := c.Due
	due = store.Moment(due)
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
	was := c.State
	err = finish(tx, &c, try, r, schedule, now)
	done.Dead = c.State == store.CallbackDead && was != c.State
	return done, err
}

// Finished is what an attempt has changed.
type Finished struct {
	Dead  bool       // it was the last try
	Moved []Endpoint // those that are blocked since then, or whose block is forgotten
}

func finish(tx store.Tx, c *store.CallbackRecord, try int, r Receipt, schedule Schedule, now time.Time) error {
	if len(c.Attempts) == 1 {
		if err := releaseAfter(tx, c.ID, spotOf(c), c.Leads, now); err != nil {
			return err
		}
		if c.Follows != "" { // more may wait than one transaction releases
			if err := releaseFollowers(tx, c.Follows, now); err != nil {
				return err
			}
		}
	}
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

// releaseAfter releases what waits for a callback that was tried, or that never can be.
func releaseAfter(tx store.Tx, id string, at store.Spot, leads bool, now time.Time) error {
	payment, number := store.SplitCallbackID(id)
	if err := release(tx, store.CallbackID(payment, number+1), at, now); err != nil || !leads {
		return err
	}
	return releaseFollowers(tx, id, now)
}

// followBatch is how many callbacks of later payments one transaction releases; each of them releases more.
const followBatch = 100

// releaseFollowers releases what waits for the first callback of a chain.
func releaseFollowers(tx store.Tx, leader string, now time.Time) error {
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

// release makes an untried callback due. One that cannot be read becomes due too, and is set aside then.
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
	return true, errors.Join(Outbox.Remove(tx, spotOf(&c), id, c.Due, now), releaseAfter(tx, id, spotOf(&c), c.Leads, now),
		callbacks.Put(tx, c, id))
}

// Resend makes a callback due at once, whatever its state: the manual resend of the admin panel. The schedule
// starts again.
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
	return errors.Join(callbacks.Put(tx, c, id), start(tx, &c, now), Unlist(tx, id))
}

// OfPayment returns the callbacks of a payment, oldest first; count is Payment.Callbacks. Old ones that were
// purged are left out.
func OfPayment(r store.Reader, paymentID string, count int) (list []store.CallbackRecord, err error) {
	for number := 1; number <= count; number++ {
		c, err := callbacks.Get(r, store.CallbackID(paymentID, number))
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

// Dead returns callbacks whose last try failed, oldest payment first, at most limit, after the one with an id. One
// whose record cannot be read is left out.
func Dead(r store.Reader, after string, limit int) (list []store.CallbackRecord, err error) {
	of := store.Range{Prefix: keyOfDead(), Limit: limit}
	if after != "" {
		of.From = append(keyOfDead(after), 0)
	}
	for entry := range r.Scan(of) {
		if entry.Err != nil {
			return nil, entry.Err
		}
		parts, err := store.SplitKey(entry.Key)
		if err != nil || len(parts) != 2 {
			return nil, &store.Unreadable{Table: "cd", Cause: errors.Join(err, errors.New("a mark of no callback"))}
		}
		c, err := callbacks.Get(r, parts[1])
		if errors.Is(err, store.ErrNotFound) || store.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}
