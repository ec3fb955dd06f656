package callback

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/internal/share"
	"github.com/tollgatepay/gateway/store"
)

// Desk gives the callbacks that are due to the workers of one instance. It remembers whose turn it was and which
// deliveries are under way. No merchant and no host has more workers than it leaves free, no merchant more than a
// quarter, and the last eighth is for merchants with nothing under way. It is safe for concurrent use.
type Desk struct {
	workers share.Workers

	mu    sync.Mutex
	turns store.Turns
	away  load
	noted noted
	apart share.Apart
	kept  kept
	full  bool // the newest ClaimUntil may have left callbacks that have to be moved into their lanes
}

// load is the number of deliveries under way: in total, by merchant and by host.
type load struct {
	all             int
	merchants, host map[string]int
}

func (l *load) clone() load {
	c := load{l.all, make(map[string]int, len(l.merchants)), make(map[string]int, len(l.host))}
	for merchant, n := range l.merchants {
		c.merchants[merchant] = n
	}
	for host, n := range l.host {
		c.host[host] = n
	}
	return c
}

func (l *load) add(merchant, host string, n int) {
	l.all += n
	if l.merchants[merchant] += n; l.merchants[merchant] == 0 {
		delete(l.merchants, merchant)
	}
	if l.host[host] += n; l.host[host] == 0 {
		delete(l.host, host)
	}
}

// NewDesk makes the desk of an instance with that many workers.
func NewDesk(workers int) *Desk {
	return &Desk{workers: share.Workers(workers), away: load{merchants: map[string]int{}, host: map[string]int{}},
		noted: noted{of: map[string][]notedTo{}}, kept: kept{of: map[store.Spot]int{}}}
}

// Claimed is the result of one claim. Moved reports that the claim did other work too, so that there may be more
// at once. Nothing of it counts before Took.
type Claimed struct {
	Callbacks []store.CallbackRecord
	Moved     bool

	turns *store.Turns
	lost  string // the id of one that was chosen and then taken by another instance; empty for none
	full  bool   // there may be more to wake, or to arrive
}

// Aside sets aside a callback that cannot be read. Such a callback is in no queue.
type Aside func(tx store.Tx, id string, reason error) error

// keep begins a look, and returns which lanes it keeps.
func (d *Desk) keep() func(store.Spot) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept.look()
	return func(s store.Spot) bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.kept.keep(s)
	}
}

// arriveBatch is how many callbacks whose time has come one claim moves into their lanes.
const arriveBatch = 100

// Offers reports whether a claim would find anything to do.
func (d *Desk) Offers(r store.Reader, now time.Time) (bool, error) {
	turns, away := d.now()
	return Outbox.Offers(r, now, turns, d.guard(&away, nil, now))
}

// now returns a copy of the state.
func (d *Desk) now() (*store.Turns, load) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turns.Clone(), d.away.clone()
}

// guard limits merchants and hosts to their share. away grows with what is taken. A merchant or host with
// deliveries under way leaves as many workers free as it has, and an eighth of all: those are for merchants with
// nothing under way, whatever host they share with others. No merchant has more than a quarter.
func (d *Desk) guard(away *load, r store.Reader, now time.Time) store.Guard {
	guard := store.Guard{
		Group: func(merchant string) bool { return d.workers.Party(away.merchants[merchant], away.all) },
		Lane: func(s store.Spot) bool {
			return d.workers.Place(away.host[hostOfLane(s.Lane)], away.all, away.merchants[s.Group] == 0)
		},
		Took: func(s store.Spot) { away.add(s.Group, hostOfLane(s.Lane), 1) },
	}
	if r == nil {
		return guard
	}
	blocks := blocks{r, now, map[string]store.Block{}}
	guard.GroupBlock = func(merchant string) (store.Block, error) { return blocks.of(scopeOfMerchant(merchant).id) }
	guard.LaneBlock = func(s store.Spot) (store.Block, error) {
		host, url, _ := strings.Cut(s.Lane, "/")
		if b, err := blocks.of(url); err != nil || !b.Until.IsZero() {
			return b, err
		}
		return blocks.of(scopeOfHost(host, "").id)
	}
	return guard
}

func hostOfLane(lane string) string {
	host, _, _ := strings.Cut(lane, "/")
	return host
}

// Claim takes up to limit callbacks that are due, one of each merchant in turn. Callbacks of one payment go in the
// order in which they were queued: a later one does not start before an earlier one was tried. A claimed callback
// counts as tried and is left alone until its lease ends. Blocked callbacks are parked until the block ends.
func (d *Desk) Claim(tx store.Tx, now time.Time, limit int, aside Aside) (*Claimed, error) {
	return d.ClaimUntil(tx, now, time.Time{}, limit, aside)
}

// ClaimUntil is Claim without the callbacks that came due after until, unless that is the zero time: the instances that
// queued them take them (Noted, ClaimChosen).
func (d *Desk) ClaimUntil(tx store.Tx, now, until time.Time, limit int, aside Aside) (*Claimed, error) {
	turns, away := d.now()
	guard := d.guard(&away, tx, now)
	guard.Until = until
	if !until.IsZero() {
		guard.Keep = d.keep()
	}
	woken, err := Outbox.Wake(tx, now)
	if err != nil {
		return nil, err
	}
	arrived, err := Outbox.Arrive(tx, now, arriveBatch)
	if err != nil {
		return nil, err
	}
	taken, moved, err := Outbox.Take(tx, now, turns, limit, guard)
	if err != nil {
		return nil, err
	}
	done := &Claimed{Moved: woken+arrived+moved > 0, turns: turns, full: woken > 0 || arrived == arriveBatch}
	for _, t := range taken {
		c, err := take(tx, t, now, aside)
		switch {
		case err != nil:
			return nil, err
		case c == nil:
			done.Moved = true
		default:
			done.Callbacks = append(done.Callbacks, *c)
		}
	}
	return done, nil
}

// take leases the callback of an entry; it returns nil when there is nothing to deliver.
func take(tx store.Tx, t store.Taken, now time.Time, aside Aside) (*store.CallbackRecord, error) {
	c, err := callbacks.Get(tx, t.ID)
	switch {
	case store.IsUnreadable(err), errors.Is(err, store.ErrNotFound):
		after := release{tx: tx, now: now}
		return nil, errors.Join(aside(tx, t.ID, err), after.of(t.ID, t.Spot, true))
	case err != nil:
		return nil, err
	case c.State != store.CallbackDue || !c.Due.Equal(t.Due): // it has moved on
		return nil, nil
	}
	return &c, lease(tx, &c, spotOf(&c), now)
}

// lease counts a callback as tried, and leaves it alone until the lease ends.
func lease(tx store.Tx, c *store.CallbackRecord, at store.Spot, now time.Time) error {
	c.Tries++
	c.Due = now.Add(Lease)
	return errors.Join(Outbox.Put(tx, at, c.ID, c.Due, now), callbacks.Put(tx, *c, c.ID))
}

// Took counts the deliveries of a claim, once it is committed.
func (d *Desk) Took(claimed *Claimed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if claimed.turns != nil {
		d.turns = *claimed.turns
		d.full = claimed.full
	}
	for i := range claimed.Callbacks {
		c := &claimed.Callbacks[i]
		d.away.add(c.MerchantID, hostOf(c.URL), 1)
	}
	first := ""
	if len(claimed.Callbacks) > 0 {
		first = claimed.Callbacks[0].ID
	}
	d.apart.After(claimed.lost, first)
}

// Done removes a delivery from the count.
func (d *Desk) Done(c *store.CallbackRecord) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away.add(c.MerchantID, hostOf(c.URL), -1)
}
