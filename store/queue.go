package store

import (
	"encoding/binary"
	"hash/fnv"
	"time"
)

// Lanes is how many lanes a queue has. What must keep its order shares a lane.
const Lanes = 16

// Queue is work by the time it is due: one entry per item under (name, lane, due time, id). It is part
// of the transaction that makes or ends the work, and it is a value that holds nothing.
type Queue struct{ Name string }

// Move puts the entry of an item from one due time to another. The zero time stands for no entry, so
// that one call makes, moves and removes. The lane is the item's, told by its lane key.
func (q Queue) Move(tx Tx, laneKey, id string, was, due time.Time) error {
	if was.Equal(due) {
		return nil
	}
	lane := laneOf(laneKey)
	if !was.IsZero() {
		if err := tx.Delete(q.key(lane, was, id)); err != nil {
			return err
		}
	}
	if due.IsZero() {
		return nil
	}
	return tx.Put(q.key(lane, due, id), []byte{})
}

// Due reads up to limit ids whose time has come, lane by lane, beginning with another lane from
// moment to moment so that none starves.
func (q Queue) Due(r Reader, now time.Time, limit int) (ids []string, err error) {
	found, err := q.Entries(r, now, limit)
	for i := range found {
		ids = append(ids, found[i].ID)
	}
	return ids, err
}

// QueueEntry is an entry of a queue as it lies in the store: deleting its key takes it out, also where the record
// that would tell lane and time cannot be read.
type QueueEntry struct {
	Key, Value []byte
	ID         string
	Due        time.Time
}

// Entries is Due with all there is to know of each entry.
func (q Queue) Entries(r Reader, now time.Time, limit int) (found []QueueEntry, err error) {
	first := int(now.UnixMilli() % Lanes)
	for i := range Lanes {
		lane := byte((first + i) % Lanes)
		prefix := q.lane(lane)
		for entry := range r.Scan(Range{Prefix: prefix, Limit: limit - len(found)}) {
			due, id, err := q.parse(entry, len(prefix))
			if err != nil {
				return nil, err
			}
			if due.After(now) {
				break
			}
			found = append(found, QueueEntry{entry.Key, entry.Value, id, due})
		}
	}
	return found, nil
}

// Next is when the earliest item is due; zero when there is none.
func (q Queue) Next(r Reader) (next time.Time, err error) {
	for lane := range byte(Lanes) {
		prefix := q.lane(lane)
		for entry := range r.Scan(Range{Prefix: prefix, Limit: 1}) {
			due, _, err := q.parse(entry, len(prefix))
			if err != nil {
				return time.Time{}, err
			}
			if next.IsZero() || due.Before(next) {
				next = due
			}
		}
	}
	return next, nil
}

func (q Queue) parse(entry Entry, prefix int) (due time.Time, id string, err error) {
	if entry.Err != nil {
		return time.Time{}, "", entry.Err
	}
	rest := entry.Key[prefix:]
	if len(rest) < 8 {
		return time.Time{}, "", errKeyForm
	}
	parts, err := SplitKey(rest[8:])
	if err != nil || len(parts) != 1 {
		return time.Time{}, "", errKeyForm
	}
	return time.Unix(0, int64(binary.BigEndian.Uint64(rest))).UTC(), parts[0], nil
}

func (q Queue) lane(lane byte) []byte { return append(Key(q.Name), lane) }

// farthest is the last moment that an entry can say: nanoseconds end a little later, and what lies beyond would
// come out as long ago.
var farthest = time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC)

func (q Queue) key(lane byte, due time.Time, id string) []byte {
	if due.After(farthest) {
		due = farthest
	}
	key := binary.BigEndian.AppendUint64(q.lane(lane), uint64(due.UnixNano()))
	return appendPart(key, id)
}

func laneOf(key string) byte {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // never fails
	return byte(h.Sum32() % Lanes)
}
