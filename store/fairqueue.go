package store

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

// FairQueue is work of many parties, of which none has to wait for the work of another. An item belongs to a
// group (a merchant) and, within it, to a lane (an endpoint). What is due lies in its lane, the oldest first;
// groups take turns, and within a group its lanes do. A lane or group that is blocked is parked under what
// blocks it, whole, in one step however much lies in it, and comes back when the block ends.
//
// An entry is a hint: an item that has moved on may leave one behind. Whoever takes an entry holds it against
// the record, whose due time is the entry's as long as the entry counts.
//
// Keys, after the name: none for what is due later, by time (a Queue whose values name the spot); "l" for the
// entries of a lane; "r" for the lanes that have any; "g" for the groups that have such lanes; "p" for what is
// parked, by block; "w" for the ends of blocks, by time.
type FairQueue struct{ Name string }

// Spot is where an item of a FairQueue lies.
type Spot struct{ Group, Lane string }

// wakeBatch is how many lanes one call of Wake brings back.
const wakeBatch = 100

func (q FairQueue) later() Queue { return Queue(q) }
func (q FairQueue) ends() Queue  { return Queue{Name: q.Name + "w"} }

func (q FairQueue) lane(s Spot) []byte  { return Key(q.Name+"l", s.Group, s.Lane) }
func (q FairQueue) ready(s Spot) []byte { return Key(q.Name+"r", s.Group, s.Lane) }
func (q FairQueue) group(g string) []byte {
	return Key(q.Name+"g", g)
}

func (q FairQueue) entry(s Spot, due time.Time, id string) []byte {
	return appendPart(appendPart(q.lane(s), moment(due)), id)
}

// moment is a time as a part of keys.
func moment(at time.Time) string {
	if at.After(farthest) {
		at = farthest
	}
	return string(binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())))
}

// Put makes an item due: at once in its lane, else at its time.
func (q FairQueue) Put(tx Tx, s Spot, id string, due, now time.Time) error {
	if !due.After(now) {
		return q.enter(tx, s, id, due)
	}
	later := q.later()
	return tx.Put(later.key(laneOf(id), due, id), Key(s.Group, s.Lane))
}

func (q FairQueue) enter(tx Tx, s Spot, id string, due time.Time) error {
	if err := tx.Put(q.entry(s, due, id), []byte{}); err != nil {
		return err
	}
	return q.mark(tx, s)
}

// mark gives a lane its turns.
func (q FairQueue) mark(tx Tx, s Spot) error {
	return errors.Join(tx.Put(q.ready(s), []byte{}), tx.Put(q.group(s.Group), []byte{}))
}

// Remove takes out the entry of an item that was due at a time.
func (q FairQueue) Remove(tx Tx, s Spot, id string, due, now time.Time) error {
	later := q.later()
	err := tx.Delete(later.key(laneOf(id), due, id))
	if due.After(now) { // else it may have come into its lane
		return err
	}
	return errors.Join(err, tx.Delete(q.entry(s, due, id)))
}

// Arrive brings up to limit items whose time has come into their lanes, and says how many.
func (q FairQueue) Arrive(tx Tx, now time.Time, limit int) (int, error) {
	found, err := q.later().Entries(tx, now, limit)
	if err != nil {
		return 0, err
	}
	for _, e := range found {
		s, err := spotOf(e.Value)
		if err == nil {
			err = errors.Join(tx.Delete(e.Key), q.enter(tx, s, e.ID, e.Due))
		}
		if err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// spotOf reads what an entry of what is due later says of its spot. One without is of the first lane.
func spotOf(value []byte) (Spot, error) {
	parts, err := SplitKey(value)
	if err != nil || len(parts) != 2 {
		return Spot{}, nil //nolint:nilerr // an entry is a hint, and the record tells what it is worth
	}
	return Spot{parts[0], parts[1]}, nil
}

// park takes a lane, or with an empty one a group, out of the turns until a block ends.
func (q FairQueue) park(tx Tx, s Spot, whole bool, b Block) error {
	out, under := q.ready(s), Key(q.Name+"p", b.Name, s.Group, s.Lane)
	if whole {
		out, under = q.group(s.Group), Key(q.Name+"p", b.Name, s.Group)
	}
	if err := errors.Join(tx.Delete(out), tx.Put(under, []byte{})); err != nil {
		return err
	}
	return q.ends().Move(tx, b.Name, b.Name, time.Time{}, b.Until)
}

// Lift ends a block before its time: what is parked under it comes back with the next calls of Wake.
func (q FairQueue) Lift(tx Tx, block string, now time.Time) error {
	return q.ends().Move(tx, block, block, time.Time{}, now)
}

// Wake brings back what is parked under blocks that have ended, and says how much it did. It does some at a time.
func (q FairQueue) Wake(tx Tx, now time.Time) (done int, err error) {
	over, err := q.ends().Entries(tx, now, 1)
	if err != nil || len(over) == 0 {
		return 0, err
	}
	var parked [][]byte
	for entry := range tx.Scan(Range{Prefix: Key(q.Name+"p", over[0].ID), Limit: wakeBatch}) {
		if entry.Err != nil {
			return 0, entry.Err
		}
		parked = append(parked, entry.Key)
	}
	for _, key := range parked {
		if err := errors.Join(q.unpark(tx, key), tx.Delete(key)); err != nil {
			return 0, err
		}
	}
	if len(parked) < wakeBatch {
		err = tx.Delete(over[0].Key)
	}
	return len(parked) + 1, err
}

func (q FairQueue) unpark(tx Tx, key []byte) error {
	parts, err := SplitKey(key)
	switch {
	case err != nil || len(parts) < 3:
		return errKeyForm
	case len(parts) == 3:
		return tx.Put(q.group(parts[2]), []byte{})
	}
	return q.mark(tx, Spot{parts[2], parts[3]})
}

// IDs reads up to limit ids of what is queued, due or not.
func (q FairQueue) IDs(r Reader, limit int) (ids []string, err error) {
	if ids, err = q.later().Due(r, farthest, limit); err != nil {
		return nil, err
	}
	for entry := range r.Scan(Range{Prefix: Key(q.Name + "l"), Limit: limit - len(ids)}) {
		parts, err := SplitKey(entry.Key)
		if err = errors.Join(entry.Err, err); err != nil {
			return nil, err
		}
		ids = append(ids, parts[len(parts)-1])
	}
	return ids, nil
}

// Next is when the earliest work is due; zero when there is none.
func (q FairQueue) Next(r Reader) (time.Time, error) {
	for entry := range r.Scan(Range{Prefix: Key(q.Name + "g"), Limit: 1}) {
		return time.Unix(0, 0).UTC(), entry.Err // something has its turn now
	}
	later, err := q.later().Next(r)
	if err != nil {
		return later, err
	}
	end, err := q.ends().Next(r)
	if later.IsZero() || !end.IsZero() && end.Before(later) {
		later = end
	}
	return later, err
}

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

// walk is one look through the turns. Without a transaction it only says, by moved, that there is something.
type walk struct {
	q     FairQueue
	r     Reader
	tx    Tx
	now   time.Time
	turns *Turns
	guard Guard
	limit int
	looks int
	taken []Taken
	moved int
}

func (w *walk) reader() Reader {
	if w.tx != nil {
		return w.tx
	}
	return w.r
}

func (w *walk) over() bool {
	return len(w.taken) >= w.limit || w.looks >= maxLooks || w.moved >= maxMoves || w.tx == nil && w.moved > 0
}

// round gives groups their turns until enough is taken or a whole round brings nothing.
func (w *walk) round() error {
	ring := ring{r: w.reader(), prefix: Key(w.q.Name + "g")}
	for fruitless := false; !fruitless && !w.over(); {
		ring.begin(w.turns.group)
		before := len(w.taken)
		for !w.over() {
			parts, key, err := ring.next()
			if err != nil {
				return err
			}
			if parts == nil {
				break
			}
			w.turns.group = key
			if err := w.serve(parts[1]); err != nil {
				return err
			}
		}
		fruitless = len(w.taken) == before
	}
	return nil
}

// serve takes one entry of a group whose turn it is.
func (w *walk) serve(group string) error {
	w.looks++
	if w.guard.Group != nil && !w.guard.Group(group) {
		return nil
	}
	if w.tx != nil && w.guard.GroupBlock != nil {
		b, err := w.guard.GroupBlock(group)
		if err != nil {
			return err
		}
		if !b.Until.IsZero() {
			w.moved++
			return w.q.park(w.tx, Spot{Group: group}, true, b)
		}
	}
	return w.lanes(group)
}

// lanes gives the lanes of a group their turns until one has something to take.
func (w *walk) lanes(group string) error {
	ring := ring{r: w.reader(), prefix: Key(w.q.Name+"r", group)}
	ring.begin(w.turns.lanes[group])
	for first := true; !w.over(); first = false {
		parts, key, err := ring.next()
		if err != nil {
			return err
		}
		if parts == nil {
			if first {
				return w.leave(group)
			}
			return nil
		}
		w.looks++
		if w.tx != nil {
			w.turns.at(group, key)
		}
		s := Spot{parts[1], parts[2]}
		if w.guard.Lane != nil && !w.guard.Lane(s) {
			continue
		}
		if w.tx == nil {
			w.moved++
			return nil
		}
		if done, err := w.from(s); err != nil || done {
			return err
		}
	}
	return nil
}

// leave takes a group without lanes out of the turns.
func (w *walk) leave(group string) error {
	w.moved++
	if w.tx == nil {
		return nil
	}
	delete(w.turns.lanes, group)
	return w.tx.Delete(w.q.group(group))
}

// close takes an empty lane out of the turns, and its group should it have no other.
func (w *walk) close(s Spot) error {
	if err := w.tx.Delete(w.q.ready(s)); err != nil {
		return err
	}
	for entry := range w.tx.Scan(Range{Prefix: Key(w.q.Name+"r", s.Group), Limit: 1}) {
		return entry.Err
	}
	delete(w.turns.lanes, s.Group)
	return w.tx.Delete(w.q.group(s.Group))
}

// from takes the oldest entry of a lane, unless the lane is blocked or empty.
func (w *walk) from(s Spot) (done bool, err error) {
	if w.guard.LaneBlock != nil {
		b, err := w.guard.LaneBlock(s)
		if err != nil {
			return false, err
		}
		if !b.Until.IsZero() {
			w.moved++
			return false, w.q.park(w.tx, s, false, b)
		}
	}
	var oldest []byte
	left := 0
	for entry := range w.tx.Scan(Range{Prefix: w.q.lane(s), Limit: 2}) {
		if entry.Err != nil {
			return false, entry.Err
		}
		if left++; left == 1 {
			oldest = entry.Key
		}
	}
	if left < 2 { // the last, if any
		if err := w.close(s); err != nil {
			return false, err
		}
	}
	if left == 0 {
		w.moved++
		return false, nil
	}
	return w.take(s, oldest)
}

func (w *walk) take(s Spot, key []byte) (bool, error) {
	parts, err := SplitKey(key)
	if err != nil || len(parts) != 5 || len(parts[3]) != 8 {
		return false, errKeyForm
	}
	due := time.Unix(0, int64(binary.BigEndian.Uint64([]byte(parts[3])))).UTC()
	if err := w.tx.Delete(key); err != nil {
		return false, err
	}
	if due.After(w.now) {
		w.moved++
		return false, w.q.Put(w.tx, s, parts[4], due, w.now)
	}
	w.taken = append(w.taken, Taken{s, parts[4], due})
	if w.guard.Took != nil {
		w.guard.Took(s)
	}
	return true, nil
}

// ring walks over the keys of a prefix once, from behind one of them to that one.
type ring struct {
	r       Reader
	prefix  []byte
	from    []byte // first key to look at
	end     string // the last key of the second half, empty when there is no second half
	wrapped bool
}

func (g *ring) begin(last string) {
	*g = ring{r: g.r, prefix: g.prefix}
	if strings.HasPrefix(last, string(g.prefix)) {
		g.from, g.end = append([]byte(last), 0), last
	}
}

// next is the parts of the next key, and the key; nil after the last.
func (g *ring) next() (parts []string, key string, err error) {
	for entry := range g.r.Scan(Range{Prefix: g.prefix, From: g.from, Limit: 1}) {
		if entry.Err != nil {
			return nil, "", entry.Err
		}
		key = string(entry.Key)
	}
	switch {
	case key != "" && (!g.wrapped || key <= g.end):
		g.from = append([]byte(key), 0)
		parts, err = SplitKey([]byte(key))
		return parts, key, err
	case g.wrapped || g.end == "":
		return nil, "", nil
	}
	g.wrapped, g.from = true, nil
	return g.next()
}
