package store

import "time"

// walk is one pass over the turns. Without a transaction it only reports, by moved, that there is something to do.
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

// close takes an empty lane out of the turns, and its group too if it has no other lane.
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
	due := momentOf(parts[3])
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
