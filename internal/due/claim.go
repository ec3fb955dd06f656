package due

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// job is claimed work of a party.
type job struct {
	party, id string
	do        func(context.Context)
}

// claim is what one claim has taken.
type claim struct {
	jobs   []job
	lost   Asides
	missed string // the id of an entry that another instance had taken; empty for none
	did    bool   // it changed the queue
	full   bool   // there may be more that has arrived
}

// Take claims an item and returns what to do; nil for nothing. It writes nothing before it has read all it needs.
type Take func(tx store.Tx, id string) (func(context.Context), error)

// Claim takes work that is due, one item of each party in turn. Unreadable items are set aside. A claim that only
// changed the queue counts as work too, because there may be more in it.
func (q *Queues) Claim(ctx context.Context, c *Crew, limit int, take Take) ([]func(context.Context), error) {
	var turns *store.Turns
	var claimed *claim
	err := q.Store.Update(ctx, func(tx store.Tx) (err error) {
		var guard store.Guard
		turns, guard = c.now()
		claimed, err = q.takeTurns(tx, c, turns, guard, limit, take)
		return err
	})
	if err != nil {
		return nil, err
	}
	items := q.items(ctx, c, turns, claimed)
	if len(items) == 0 && claimed.did {
		items = append(items, func(context.Context) {})
	}
	return items, nil
}

// ClaimMore takes what Claim would take, but chooses it outside of the transaction, so that instances do not wait for
// each other, and does nothing else for the queue. It takes nothing while the newest Claim has left items that have
// arrived: that has to go on, or else they would wait for those that arrived before.
func (q *Queues) ClaimMore(ctx context.Context, c *Crew, limit int, take Take) ([]func(context.Context), error) {
	if c.isFull() {
		return nil, nil
	}
	var turns *store.Turns
	var chosen []store.Taken
	err := q.Store.View(ctx, func(r store.Reader) (err error) {
		var guard store.Guard
		turns, guard = c.now()
		chosen, _, err = c.queue.Choose(r, q.Now(), turns, limit, guard)
		return err
	})
	if err != nil || len(chosen) == 0 {
		return nil, err
	}
	var claimed *claim
	err = q.update(ctx, func(tx store.Tx) (err error) {
		claimed = &claim{}
		for _, entry := range chosen {
			there, err := c.queue.Pick(tx, entry.Spot, entry.ID, entry.Due)
			if err == nil && there {
				err = q.take(tx, c, claimed, entry, take)
			}
			if err != nil {
				return err
			}
			if !there {
				claimed.missed = entry.ID
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return q.items(ctx, c, turns, claimed), nil
}

// items counts what was claimed, and returns what to do.
func (q *Queues) items(
	ctx context.Context, c *Crew, turns *store.Turns, claimed *claim,
) (items []func(context.Context)) {
	for _, j := range claimed.jobs {
		items = append(items, func(ctx context.Context) {
			defer c.done(j.party)
			j.do(ctx)
		})
	}
	c.count(turns, claimed)
	q.ReportAsides(ctx, claimed.lost)
	return items
}

// arriveBatch is how many due items one claim moves to their party's turns.
const arriveBatch = 100

func (q *Queues) takeTurns(tx store.Tx, c *Crew, turns *store.Turns, guard store.Guard, limit int, take Take,
) (*claim, error) {
	now := q.Now()
	arrived, err := c.queue.Arrive(tx, now, arriveBatch)
	if err != nil {
		return nil, err
	}
	taken, moved, err := c.queue.Take(tx, now, turns, limit, guard)
	if err != nil {
		return nil, err
	}
	claimed := &claim{did: arrived+moved+len(taken) > 0, full: arrived == arriveBatch}
	for _, entry := range taken {
		if err := q.take(tx, c, claimed, entry, take); err != nil {
			return nil, err
		}
	}
	return claimed, nil
}

// take takes the item of an entry that is out of the queue.
func (q *Queues) take(tx store.Tx, c *Crew, claimed *claim, entry store.Taken, take Take) error {
	do, err := take(tx, entry.ID)
	if IsLost(err) {
		err = claimed.lost.Add(tx, store.Aside{Work: c.work, ID: entry.ID, At: q.Now()}, err)
	}
	if err == nil && do != nil {
		claimed.jobs = append(claimed.jobs, job{entry.Group, entry.ID, do})
	}
	return err
}
