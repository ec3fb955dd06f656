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
	// Outbox is the queue of callbacks to deliver. A callback has an entry, because its record does not tell in what
	// order those of all merchants are due.
	Outbox = store.FairQueue{Name: "qc"}
)

// keyOfFollower is the key of a callback that waits for one of another payment; without an id it is the prefix of
// all that wait for it.
func keyOfFollower(leader string, id ...string) []byte {
	return store.Key(append([]string{"cw", leader}, id...)...)
}

// spotOf returns the place of a callback in the outbox. The lane has the host, so that a desk can count by it.
func spotOf(c *store.CallbackRecord) store.Spot { return spotOfURL(c.MerchantID, c.URL) }

func spotOfURL(merchantID, url string) store.Spot {
	id := endpointID(url)
	return store.Spot{Group: merchantID, Lane: hostOf(url) + "/" + string(id[:])}
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
