package store

import (
	"encoding/binary"
	"errors"
	"time"
)

// FairQueue is a queue of work of many parties in which no party waits for the work of another. An item belongs to
// a group (a merchant) and, within it, to a lane (an endpoint). Due items lie in their lane, the oldest first;
// groups take turns, and within a group its lanes do. A lane or group that is blocked is parked under the block
// that holds it: whole, in one step however many items it has. It comes back when the block ends.
//
// An entry is a hint: an item that has moved on may leave one behind. The caller that takes an entry compares it
// with the record. The entry counts only while the record is due at the same time.
//
// Keys, after the name: none for what is due later, by time (a Queue whose values name the spot); "l" for the
// entries of a lane; "r" for the lanes that have entries; "g" for the groups that have such lanes; "p" for what is
// parked, by block and end; "w" for the ends of blocks, by time.
type FairQueue struct{ Name string }

// Spot is the place of an item in a FairQueue.
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
	return Key(q.Name+"l", s.Group, s.Lane, timePart(due), id)
}

// timePart writes a time as a part of a key.
func timePart(at time.Time) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(at.UnixMicro())))
}

// Put makes an item due. An item that is due now goes into its lane, another one waits for its time.
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

// mark puts a lane among those that take turns. Most lanes are there already: then nothing is written.
func (q FairQueue) mark(tx Tx, s Spot) error {
	for _, key := range [][]byte{q.ready(s), q.group(s.Group)} {
		if err := tx.Insert(key, []byte{}); err != nil && !errors.Is(err, ErrExists) {
			return err
		}
	}
	return nil
}

// Remove takes out the entry of an item that was due at a given time.
func (q FairQueue) Remove(tx Tx, s Spot, id string, due, now time.Time) error {
	later := q.later()
	err := tx.Delete(later.key(laneOf(id), due, id))
	if due.After(now) { // otherwise it may be in its lane already
		return err
	}
	return errors.Join(err, tx.Delete(q.entry(s, due, id)))
}

// Pick takes the entry of one item that is due out of its lane, and reports whether it was there. The lane keeps its
// turns.
func (q FairQueue) Pick(tx Tx, s Spot, id string, due time.Time) (bool, error) {
	key := q.entry(s, due, id)
	_, err := tx.Get(key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, tx.Delete(key)
}

// Arrive moves up to limit items whose time has come into their lanes, and returns how many it moved.
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

// spotOf reads the spot from an entry of what is due later. An entry without a spot belongs to the first lane.
func spotOf(value []byte) (Spot, error) {
	parts, err := SplitKey(value)
	if err != nil || len(parts) != 2 {
		return Spot{}, nil //nolint:nilerr // an entry is a hint, and the record decides whether it counts
	}
	return Spot{parts[0], parts[1]}, nil
}

// park takes a lane, or a group when the lane is empty, out of the turns until a block ends.
func (q FairQueue) park(tx Tx, s Spot, whole bool, b Block) error {
	out, under := q.ready(s), q.parked(b, s.Group, s.Lane)
	if whole {
		out, under = q.group(s.Group), q.parked(b, s.Group)
	}
	if err := errors.Join(tx.Delete(out), tx.Put(under, []byte{})); err != nil {
		return err
	}
	return q.ends().Move(tx, b.Name, endOf(b), time.Time{}, b.Until)
}

// parked returns the key under which a block keeps a group or lane; without either, the prefix of all its keys.
// The end of the block is part of the key, so that a later block of the same name keeps its own when this one has
// ended.
func (q FairQueue) parked(b Block, at ...string) []byte {
	return Key(append([]string{q.Name + "p", b.Name, timePart(b.Until)}, at...)...)
}

// endOf returns the key of a block among the ends of blocks.
func endOf(b Block) string { return string(Key(b.Name, timePart(b.Until))) }

// Lift ends a block before its time. The next calls of Wake bring back what is parked under it.
func (q FairQueue) Lift(tx Tx, block string, now time.Time) error {
	prefix := Key(q.Name+"p", block)
	for from := prefix; ; {
		b, err := q.blockFrom(tx, prefix, from)
		if err != nil || b.Until.IsZero() {
			return err
		}
		if err := q.ends().Move(tx, block, endOf(b), b.Until, now); err != nil || !b.Until.Before(farthest) {
			return err
		}
		from = Key(q.Name+"p", block, timePart(b.Until.Add(time.Microsecond)))
	}
}

// blockFrom returns the first block that keeps something, from a key on; zero when none does.
func (q FairQueue) blockFrom(r Reader, prefix, from []byte) (b Block, err error) {
	for entry := range r.Scan(Range{Prefix: prefix, From: from, Limit: 1}) {
		if entry.Err != nil {
			return b, entry.Err
		}
		parts, err := SplitKey(entry.Key)
		if err != nil || len(parts) < 4 || len(parts[2]) != 8 {
			return b, errKeyForm
		}
		b = Block{parts[1], momentOf(parts[2])}
	}
	return b, nil
}

// momentOf reads the time that moment wrote.
func momentOf(part string) time.Time {
	return time.UnixMicro(int64(binary.BigEndian.Uint64([]byte(part)))).UTC()
}

// Wake brings back what is parked under blocks that have ended, a batch at a time, and returns how much it did.
func (q FairQueue) Wake(tx Tx, now time.Time) (done int, err error) {
	over, err := q.ends().Entries(tx, now, 1)
	if err != nil || len(over) == 0 {
		return 0, err
	}
	end, err := SplitKey([]byte(over[0].ID))
	if err != nil {
		return 0, err
	}
	var parked [][]byte
	for entry := range tx.Scan(Range{Prefix: Key(append([]string{q.Name + "p"}, end...)...), Limit: wakeBatch}) {
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
	case err != nil || len(parts) < 4:
		return errKeyForm
	case len(parts) == 4:
		return tx.Put(q.group(parts[3]), []byte{})
	}
	return q.mark(tx, Spot{parts[3], parts[4]})
}

// IDs returns up to limit ids of the queue, due or not, in no special order.
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

// Oldest returns since when the oldest due item has been due, parked lanes included, or else when the next one will be;
// zero when the queue is empty. It looks into at most as many lanes as the argument lanes says.
func (q FairQueue) Oldest(r Reader, lanes int) (oldest time.Time, err error) {
	if oldest, err = q.later().Next(r); err != nil {
		return oldest, err
	}
	prefix := Key(q.Name + "l")
	for from := prefix; lanes > 0 && from != nil; lanes-- {
		at, next, err := q.firstOfLane(r, prefix, from)
		if err != nil {
			return oldest, err
		}
		if from = next; !at.IsZero() && (oldest.IsZero() || at.Before(oldest)) {
			oldest = at
		}
	}
	return oldest, nil
}

// firstOfLane returns the time of the first item at or after a key, and where the next lane begins; nil after the last.
func (q FairQueue) firstOfLane(r Reader, prefix, from []byte) (at time.Time, next []byte, err error) {
	for entry := range r.Scan(Range{Prefix: prefix, From: from, Limit: 1}) {
		parts, err := SplitKey(entry.Key)
		if err = errors.Join(entry.Err, err); err != nil {
			return at, nil, err
		}
		if len(parts) != 5 || len(parts[3]) != 8 {
			return at, nil, errKeyForm
		}
		at = time.UnixMicro(int64(binary.BigEndian.Uint64([]byte(parts[3])))).UTC()
		return at, after(q.lane(Spot{parts[1], parts[2]})), nil
	}
	return at, nil, nil
}

// Next returns when the earliest work is due; zero when the queue is empty.
func (q FairQueue) Next(r Reader) (time.Time, error) {
	for entry := range r.Scan(Range{Prefix: Key(q.Name + "g"), Limit: 1}) {
		return time.Unix(0, 0).UTC(), entry.Err // a lane can be served now
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
