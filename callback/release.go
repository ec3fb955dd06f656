package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// release makes callbacks due that waited for another one. It lists those that it could read.
type release struct {
	tx   store.Tx
	now  time.Time
	list []Noted
}

// releaseTried releases what waits for a callback that was tried for the first time.
func releaseTried(tx store.Tx, c *store.CallbackRecord, now time.Time) ([]Noted, error) {
	r := release{tx: tx, now: now}
	err := r.of(c.ID, spotOf(c), c.Leads)
	if err == nil && c.Follows != "" { // more may wait than one transaction releases
		err = r.followers(c.Follows)
	}
	return r.list, err
}

// of releases what waits for a callback that was tried, or that never can be.
func (r *release) of(id string, at store.Spot, leads bool) error {
	payment, number := store.SplitCallbackID(id)
	if err := r.one(store.CallbackID(payment, number+1), at); err != nil || !leads {
		return err
	}
	return r.followers(id)
}

// followBatch is how many callbacks of later payments one transaction releases; each of them releases more.
const followBatch = 100

// followers releases what waits for the first callback of a chain.
func (r *release) followers(leader string) error {
	var keys [][]byte
	for entry := range r.tx.Scan(store.Range{Prefix: keyOfFollower(leader), Limit: followBatch}) {
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
		if err := errors.Join(r.one(parts[2], store.Spot{}), r.tx.Delete(key)); err != nil {
			return err
		}
	}
	return nil
}

// one makes an untried callback due. One that cannot be read becomes due too, and is set aside then.
func (r *release) one(id string, at store.Spot) error {
	c, err := callbacks.Get(r.tx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case store.IsUnreadable(err):
		return Outbox.Put(r.tx, at, id, r.now, r.now)
	case err != nil || c.State != store.CallbackDue || c.Tries > 0:
		return err
	}
	r.list = append(r.list, Noted{ID: c.ID, MerchantID: c.MerchantID, URL: c.URL})
	return Outbox.Put(r.tx, spotOf(&c), id, c.Due, r.now)
}
