package due

import (
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
	apart share.Apart
	full  bool // the newest Claim may have left items that have to be moved to their party's turns
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
		Skip: c.apart.Skip(),
	}
}

// Offers reports whether a claim would take anything now.
func (c *Crew) Offers(r store.Reader, now time.Time) (bool, error) {
	turns, guard := c.now()
	return c.queue.Offers(r, now, turns, guard)
}

// count counts the items of a claim, after its commit.
func (c *Crew) count(turns *store.Turns, claimed *claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns, c.full = *turns, claimed.full
	first := ""
	for _, j := range claimed.jobs {
		c.busy[j.party]++
		c.all++
		first = j.id
	}
	c.apart.After(claimed.missed, first)
}

// isFull reports whether items that have arrived were left.
func (c *Crew) isFull() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.full
}

func (c *Crew) done(party string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.busy[party]--; c.busy[party] == 0 {
		delete(c.busy, party)
	}
}
