package callback

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Note remembers a callback that was queued here and is due at once. The desk gives it out by its key, so that
// instances do not all take from the head of the queue.
func (d *Desk) Note(c Noted) {
	host := hostOf(c.URL)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noted.add(c, host)
}

// Chosen are callbacks that an instance is about to claim. Until then another instance may claim them too.
type Chosen struct {
	list  []string     // ids
	turns *store.Turns // of the queue; nil if they were noted
}

// Empty reports whether there is nothing to claim.
func (c *Chosen) Empty() bool { return len(c.list) == 0 }

// Noted chooses up to limit of the callbacks that were noted, and forgets them. Those whose merchant or host has its
// share of the workers it keeps until a worker is free, for NotedFor at most.
func (d *Desk) Noted(now time.Time, limit int) *Chosen {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.noted.all == 0 {
		return &Chosen{}
	}
	away := d.away.clone()
	return &Chosen{list: d.noted.take(limit, now.Add(-NotedFor), d.guard(&away, nil, time.Time{}))}
}

// Choose chooses what ClaimUntil would take, without a transaction. Instances that choose at the same moment do not
// wait for each other, and those that had chosen the same choose apart for a while. It chooses nothing while the newest
// ClaimUntil has left callbacks outside of their lanes: that has to go on, or else they would wait for those in lanes.
func (d *Desk) Choose(r store.Reader, now, until time.Time, limit int) (*Chosen, error) {
	if d.isFull() {
		return &Chosen{}, nil
	}
	turns, away := d.now()
	guard := d.guard(&away, r, now)
	guard.Until, guard.Skip = until, d.skip()
	found, _, err := Outbox.Choose(r, now, turns, limit, guard)
	chosen := &Chosen{turns: turns}
	for _, t := range found {
		chosen.list = append(chosen.list, t.ID)
	}
	return chosen, err
}

// ClaimChosen takes those of the chosen callbacks that are due in the queue. One that waits for another, is blocked,
// was taken by another instance or cannot be read is left to Claim.
func (d *Desk) ClaimChosen(tx store.Tx, now time.Time, chosen *Chosen) (*Claimed, error) {
	guard := d.guard(nil, tx, now)
	done := &Claimed{turns: chosen.turns}
	for _, id := range chosen.list {
		c, gone, err := takeChosen(tx, guard, id, now)
		switch {
		case err != nil:
			return nil, err
		case c != nil:
			done.Callbacks = append(done.Callbacks, *c)
		case gone && chosen.turns != nil:
			done.lost = id
		}
	}
	return done, nil
}

// takeChosen leases one callback that was chosen. It returns nil when that is not to be delivered now: it is gone when
// another instance has taken it.
func takeChosen(
	tx store.Tx, guard store.Guard, id string, now time.Time,
) (_ *store.CallbackRecord, gone bool, _ error) {
	c, err := callbacks.Get(tx, id)
	switch {
	case store.IsUnreadable(err), errors.Is(err, store.ErrNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case c.State != store.CallbackDue || c.Due.After(now):
		return nil, true, nil
	}
	at := spotOf(&c)
	if blocked, err := isBlocked(guard, at); err != nil || blocked {
		return nil, false, err
	}
	if there, err := Outbox.Pick(tx, at, c.ID, c.Due); err != nil || !there {
		return nil, true, err
	}
	return &c, false, lease(tx, &c, at, now)
}

// isBlocked reports whether a block holds a merchant or an endpoint.
func isBlocked(guard store.Guard, at store.Spot) (bool, error) {
	b, err := guard.GroupBlock(at.Group)
	if err == nil && b.Until.IsZero() {
		b, err = guard.LaneBlock(at)
	}
	return !b.Until.IsZero(), err
}

// isFull reports whether callbacks were left outside of their lanes.
func (d *Desk) isFull() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.full
}

// skip returns how many entries of a lane are left to others.
func (d *Desk) skip() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.apart.Skip()
}
