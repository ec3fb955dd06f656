package due

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/internal/share"
	"github.com/tollgatepay/gateway/store"
)

// Crew is the workers for a kind of work with many parties: connectors that are asked, merchants whose payments are
// due. The parties take turns and share the workers (share.Workers), so that a stuck party does not block the
// others.
type Crew struct {
	queue   store.FairQueue
	work    store.Work
	Workers int

	mu    sync.Mutex
	turns store.Turns
	busy  map[string]int // under way, by party
	all   int
}

// CrewWorkers is how many workers one instance has for recovery unless its host sets another number.
const CrewWorkers = 32

// NewCrew returns the workers of one kind of work, for a queue that is sorted by party.
func NewCrew(queue store.FairQueue, work store.Work, workers int) *Crew {
	return &Crew{queue: queue, work: work, Workers: workers, busy: map[string]int{}}
}

// now returns the parties' turns so far, and a guard that limits each party to its share.
func (c *Crew) now() (*store.Turns, store.Guard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy, all := maps.Clone(c.busy), c.all
	return c.turns.Clone(), store.Guard{
		Group: func(party string) bool { return share.Workers(c.Workers).Party(busy[party], all) },
		Took: func(s store.Spot) {
			busy[s.Group]++
			all++
		},
	}
}

// Offers reports whether a claim would take anything now.
func (c *Crew) Offers(r store.Reader, now time.Time) (bool, error) {
	turns, guard := c.now()
	return c.queue.Offers(r, now, turns, guard)
}

// countClaimed counts the items of a claim, after its commit.
func (c *Crew) countClaimed(turns *store.Turns, parties []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns = *turns
	for _, party := range parties {
		c.busy[party]++
		c.all++
	}
}

func (c *Crew) done(party string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.busy[party]--; c.busy[party] == 0 {
		delete(c.busy, party)
	}
}

// job is claimed work of a party.
type job struct {
	party string
	do    func(context.Context)
}

// Claim takes work that is due, one item of each party in turn. take claims an item and returns what to do; nil for
// nothing. Unreadable items are set aside; take writes nothing before it has read all it needs. A claim that only
// changed the queue counts as work too, because there may be more in it.
func (q *Queues) Claim(ctx context.Context, c *Crew, limit int,
	take func(tx store.Tx, id string) (func(context.Context), error),
) ([]func(context.Context), error) {
	var turns *store.Turns
	var jobs []job
	var lost Asides
	did := false
	err := q.Store.Update(ctx, func(tx store.Tx) (err error) {
		var guard store.Guard
		turns, guard = c.now()
		jobs, lost, did, err = q.takeTurns(tx, c, turns, guard, limit, take)
		return err
	})
	if err != nil {
		return nil, err
	}
	parties, items := []string{}, []func(context.Context){}
	for _, j := range jobs {
		parties = append(parties, j.party)
		items = append(items, func(ctx context.Context) {
			defer c.done(j.party)
			j.do(ctx)
		})
	}
	c.countClaimed(turns, parties)
	q.ReportAsides(ctx, lost)
	if len(items) == 0 && did {
		items = append(items, func(context.Context) {})
	}
	return items, nil
}

// arriveBatch is how many due items one claim moves to their party's turns.
const arriveBatch = 100

func (q *Queues) takeTurns(tx store.Tx, c *Crew, turns *store.Turns, guard store.Guard, limit int,
	take func(store.Tx, string) (func(context.Context), error),
) (jobs []job, lost Asides, did bool, err error) {
	now := q.Now()
	arrived, err := c.queue.Arrive(tx, now, arriveBatch)
	if err != nil {
		return nil, nil, false, err
	}
	taken, moved, err := c.queue.Take(tx, now, turns, limit, guard)
	if err != nil {
		return nil, nil, false, err
	}
	for _, entry := range taken {
		do, err := take(tx, entry.ID)
		if IsLost(err) {
			err = lost.Add(tx, store.Aside{Work: c.work, ID: entry.ID, At: now}, err)
		}
		if err != nil {
			return nil, nil, false, err
		}
		if do != nil {
			jobs = append(jobs, job{entry.Group, do})
		}
	}
	return jobs, lost, arrived+moved+len(taken) > 0, nil
}
