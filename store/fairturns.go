package store

import "time"

// Block is what keeps a lane or a group from its turns, and until when. The name is of the host's choice.
type Block struct {
	Name  string
	Until time.Time
}

// Guard decides about a group, and about a lane, when it has its turn. A nil function lets everything pass.
type Guard struct {
	// Group and Lane pass over what has enough under way. They read nothing.
	Group func(group string) bool
	Lane  func(Spot) bool
	// Took hears of every entry that is taken.
	Took func(Spot)
	// GroupBlock and LaneBlock answer what blocks, with a zero Until when nothing does.
	GroupBlock func(group string) (Block, error)
	LaneBlock  func(Spot) (Block, error)
}

// Turns remembers whose turn it was last: a group and, within each group, a lane. The zero value begins with
// the first.
type Turns struct {
	group string            // a key
	lanes map[string]string // a key, by group
}

// maxTurns bounds how many groups Turns remembers a lane of.
const maxTurns = 1000

// Clone is a copy that can be thrown away, as a transaction that failed does.
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

// Taken is an entry that was taken out of a lane: its item is whoever's took it.
type Taken struct {
	Spot
	ID  string
	Due time.Time
}

// How many groups and lanes one Take looks at, and how many of them it parks, at most.
const (
	maxLooks = 10_000
	maxMoves = 256
)

// Take takes up to limit entries out of the lanes, one of each group and one of each lane in turn. It parks what
// is blocked, and puts off what a clock that is ahead brought too early. moved is how much it changed besides: with any, there may be more at once.
func (q FairQueue) Take(
	tx Tx, now time.Time, turns *Turns, limit int, guard Guard,
) (taken []Taken, moved int, err error) {
	w := walk{q: q, tx: tx, now: now, turns: turns, guard: guard, limit: limit}
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
	begin := Turns{group: turns.group, lanes: turns.lanes} // a look moves no lane on
	w := walk{q: q, r: r, turns: &begin, guard: guard, limit: 1}
	err := w.round()
	return w.moved > 0 || w.looks >= maxLooks, err
}
