package store

import "time"

// Block keeps a lane or a group from its turns until a time. The caller chooses the name.
type Block struct {
	Name  string
	Until time.Time
}

// Guard decides whether a group or a lane may have its turn. A nil function allows every turn.
type Guard struct {
	// Skip has Choose begin behind so many entries of each lane, so that others who choose meet less often. In a lane
	// with fewer it begins anywhere.
	Skip int
	// Until leaves what came due after it where it is; the zero time leaves nothing.
	Until time.Time
	// Group and Lane report whether one more item may be under way. They do not read the store.
	Group func(group string) bool
	Lane  func(Spot) bool
	// Keep reports whether an empty lane keeps its turns. Then the next Put has no mark to write, and does not conflict
	// with other Puts of the same moment.
	Keep func(Spot) bool
	// Took is called for every entry that is taken.
	Took func(Spot)
	// GroupBlock and LaneBlock return the block that holds the group or lane, with a zero Until for none.
	GroupBlock func(group string) (Block, error)
	LaneBlock  func(Spot) (Block, error)
}

// Turns remembers which group had its turn last and, for each group, which lane. The zero value begins with the
// first.
type Turns struct {
	group string            // a key
	lanes map[string]string // a key, by group
}

// maxTurns bounds for how many groups Turns remembers a lane.
const maxTurns = 1000

// Clone returns a copy, which is dropped when the transaction fails.
func (t *Turns) Clone() *Turns {
	c := &Turns{group: t.group, lanes: make(map[string]string, len(t.lanes))}
	for group, lane := range t.lanes {
		c.lanes[group] = lane
	}
	return c
}

func (t *Turns) at(group, lane string) {
	if t.lanes == nil || len(t.lanes) >= maxTurns {
		t.lanes = map[string]string{}
	}
	t.lanes[group] = lane
}

// Taken is an entry that was taken out of a lane. Its item belongs to the caller that took it.
type Taken struct {
	Spot
	ID  string
	Due time.Time
}

// The most groups and lanes that one Take looks at, and the most of them that it parks.
const (
	maxLooks = 10_000
	maxMoves = 256
)

// Take takes up to limit entries out of the lanes, one of each group and one of each lane in turn. It parks what
// is blocked, and puts off what a clock that is ahead brought too early. moved is how much else it changed: unless
// it is zero, there may be more to take at once.
func (q FairQueue) Take(
	tx Tx, now time.Time, turns *Turns, limit int, guard Guard,
) (taken []Taken, moved int, err error) {
	w := walk{q: q, tx: tx, now: now, turns: turns, guard: guard, limit: limit}
	if err := w.round(); err != nil {
		return nil, 0, err
	}
	return w.taken, w.moved, nil
}

// Choose returns what Take would take, and leaves it where it is. moved is how much else there is to do. The caller
// takes each entry by Pick.
func (q FairQueue) Choose(
	r Reader, now time.Time, turns *Turns, limit int, guard Guard,
) (chosen []Taken, moved int, err error) {
	w := walk{q: q, r: r, choose: true, now: now, turns: turns, guard: guard, limit: limit}
	if err := w.round(); err != nil {
		return nil, 0, err
	}
	return w.taken, w.moved, nil
}

// Offers reports whether Take, Arrive or Wake would find anything to do.
func (q FairQueue) Offers(r Reader, now time.Time, turns *Turns, guard Guard) (bool, error) {
	for _, queue := range []Queue{q.later(), q.ends()} {
		if found, err := queue.Entries(r, now, 1); err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	begin := Turns{group: turns.group, lanes: turns.lanes} // only a look: the turns do not advance
	w := walk{q: q, r: r, turns: &begin, guard: guard, limit: 1}
	err := w.round()
	return w.moved > 0 || w.looks >= maxLooks, err
}
