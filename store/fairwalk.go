package store

import (
	"bytes"
	"time"
)

// walk is one pass over the turns. Without a transaction it chooses entries and leaves them where they are, or only
// reports, by moved, that there is something to do.
type walk struct {
	q      FairQueue
	r      Reader
	tx     Tx
	choose bool
	now    time.Time
	turns  *Turns
	guard  Guard
	limit  int
	looks  int
	taken  []Taken
	moved  int
	behind map[Spot][]byte // the first key of a lane that is not taken yet
}

// looksOnly reports whether the walk ends with the first thing to do.
func (w *walk) looksOnly() bool { return w.tx == nil && !w.choose }

func (w *walk) reader() Reader {
	if w.tx != nil {
		return w.tx
	}
	return w.r
}

func (w *walk) over() bool {
	return len(w.taken) >= w.limit || w.looks >= maxLooks || w.moved >= maxMoves || w.looksOnly() && w.moved > 0
}

// round gives groups their turns until enough is taken or a whole round takes nothing.
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
	if !w.looksOnly() && w.guard.GroupBlock != nil {
		b, err := w.guard.GroupBlock(group)
		if err != nil {
			return err
		}
		if !b.Until.IsZero() {
			return w.park(Spot{Group: group}, true, b)
		}
	}
	return w.lanes(group)
}

// park takes what is blocked out of the turns.
func (w *walk) park(s Spot, whole bool, b Block) error {
	w.moved++
	if w.tx == nil {
		return nil
	}
	return w.q.park(w.tx, s, whole, b)
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
		if !w.looksOnly() {
			w.turns.at(group, key)
		}
		s := Spot{parts[1], parts[2]}
		if w.guard.Lane != nil && !w.guard.Lane(s) {
			continue
		}
		if w.looksOnly() {
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

// close takes an empty lane out of the turns, and its group too if it has no other lane.
func (w *walk) close(s Spot) error {
	if w.tx == nil {
		return nil
	}
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
			return false, w.park(s, false, b)
		}
	}
	oldest, left, err := w.oldest(s)
	if err != nil {
		return false, err
	}
	if left == 0 {
		if w.keeps(s) {
			return false, nil
		}
		if w.behind[s] == nil {
			w.moved++
		}
		return false, w.close(s)
	}
	first, err := entryOf(oldest)
	if err != nil || w.fresh(first.Due) {
		return false, err
	}
	if left == 1 && !w.keeps(s) {
		if err := w.close(s); err != nil {
			return false, err
		}
	}
	return w.take(first, oldest)
}

// oldest returns the oldest entry of a lane that is not taken yet, and how many there are: none, one, or two for more.
func (w *walk) oldest(s Spot) (key []byte, left int, err error) {
	lane := w.q.lane(s)
	if w.behind[s] == nil && w.choose && w.guard.Skip > 0 {
		if err := w.skip(s, lane); err != nil {
			return nil, 0, err
		}
	}
	for entry := range w.reader().Scan(Range{Prefix: lane, From: w.behind[s], Limit: 2}) {
		if entry.Err != nil {
			return nil, 0, entry.Err
		}
		if left++; left == 1 {
			key = entry.Key
		}
	}
	return key, left, nil
}

// skip begins a lane behind some of its entries.
func (w *walk) skip(s Spot, lane []byte) error {
	var keys [][]byte
	for entry := range w.r.Scan(Range{Prefix: lane, Limit: w.guard.Skip + 1}) {
		if entry.Err != nil {
			return entry.Err
		}
		keys = append(keys, entry.Key)
	}
	if n := len(keys); n > 0 {
		w.leaveBehind(s, keys[w.guard.Skip%n])
	}
	return nil
}

// leaveBehind has the lane go on with a key.
func (w *walk) leaveBehind(s Spot, key []byte) {
	if w.behind == nil {
		w.behind = map[Spot][]byte{}
	}
	w.behind[s] = key
}

// keeps reports whether a lane that is empty, or is about to be, keeps its turns.
func (w *walk) keeps(s Spot) bool { return w.tx != nil && w.guard.Keep != nil && w.guard.Keep(s) }

// fresh reports whether an item came due so late that it is left where it is.
func (w *walk) fresh(due time.Time) bool {
	return !w.guard.Until.IsZero() && due.After(w.guard.Until) && !due.After(w.now)
}

// entryOf reads the key of an entry of a lane.
func entryOf(key []byte) (Taken, error) {
	parts, err := SplitKey(key)
	if err != nil || len(parts) != 5 || len(parts[3]) != 8 {
		return Taken{}, errKeyForm
	}
	return Taken{Spot{parts[1], parts[2]}, parts[4], momentOf(parts[3])}, nil
}

// take takes an entry, or puts it off if its time has not come.
func (w *walk) take(t Taken, key []byte) (bool, error) {
	w.leaveBehind(t.Spot, append(bytes.Clone(key), 0))
	early := t.Due.After(w.now)
	if early {
		w.moved++
	}
	if w.tx != nil {
		if err := w.tx.Delete(key); err != nil {
			return false, err
		}
		if early {
			return false, w.q.Put(w.tx, t.Spot, t.ID, t.Due, w.now)
		}
	}
	if early {
		return false, nil
	}
	w.taken = append(w.taken, t)
	if w.guard.Took != nil {
		w.guard.Took(t.Spot)
	}
	return true, nil
}
