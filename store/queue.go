package store

import (
	"encoding/binary"
	"hash/fnv"
	"time"
)

// Lanes is the number of lanes of a queue. Items that must keep their order share a lane.
const Lanes = 16

// Queue is work by the time it is due: one entry per item under (name, lane, due time, id). Its entries change in
// the transaction that makes or ends the work. A Queue is a value without state.
type Queue struct{ Name string }

// Move moves the entry of an item from one due time to another. The zero time means no entry, so one call makes,
// moves and removes. The lane key chooses the lane.
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

// Due returns up to limit ids whose time has come, lane by lane. It begins with a different lane as time passes,
// so that none starves.
func (q Queue) Due(r Reader, now time.Time, limit int) (ids []string, err error) {
	found, err := q.Entries(r, now, limit)
	for i := range found {
		ids = append(ids, found[i].ID)
	}
	return ids, err
}

// QueueEntry is an entry of a queue as it is stored. Deleting its key removes it, even when the record that has
// its lane and time cannot be read.
type QueueEntry struct {
	Key, Value []byte
	ID         string
	Due        time.Time
}

// Entries is Due with all fields of each entry.
func (q Queue) Entries(r Reader, now time.Time, limit int) (found []QueueEntry, err error) {
	first := byte(now.UnixMilli() % Lanes)
	if found, err = q.collect(r, found, first, Lanes, now, limit); err != nil {
		return nil, err
	}
	return q.collect(r, found, 0, first, now, limit)
}

// collect adds the entries that are due in the lanes from one to another. A scan goes on through all lanes until it
// meets an entry that is not due; then the next one begins with the next lane. So empty lanes cost nothing.
func (q Queue) collect(r Reader, found []QueueEntry, from, to byte, now time.Time, limit int) ([]QueueEntry, error) {
	prefix := Key(q.Name)
	for from < to && len(found) < limit {
		lane := to
		for entry := range r.Scan(Range{Prefix: prefix, From: q.lane(from), Limit: limit - len(found) + 1}) {
			of, due, id, err := q.parse(entry, len(prefix))
			if err != nil {
				return nil, err
			}
			if of >= to || len(found) == limit {
				break
			}
			if due.After(now) {
				lane = of + 1
				break
			}
			found = append(found, QueueEntry{entry.Key, entry.Value, id, due})
		}
		from = lane
	}
	return found, nil
}

// Next returns when the earliest item is due; zero when the queue is empty.
func (q Queue) Next(r Reader) (next time.Time, err error) {
	prefix := Key(q.Name)
	for from := byte(0); from < Lanes; {
		lane := byte(Lanes)
		for entry := range r.Scan(Range{Prefix: prefix, From: q.lane(from), Limit: 1}) {
			of, due, _, err := q.parse(entry, len(prefix))
			if err != nil {
				return time.Time{}, err
			}
			if next.IsZero() || due.Before(next) {
				next = due
			}
			lane = of + 1
		}
		from = lane
	}
	return next, nil
}

func (q Queue) parse(entry Entry, prefix int) (lane byte, due time.Time, id string, err error) {
	if entry.Err != nil {
		return 0, time.Time{}, "", entry.Err
	}
	rest := entry.Key[prefix:]
	if len(rest) < 9 {
		return 0, time.Time{}, "", errKeyForm
	}
	parts, err := SplitKey(rest[9:])
	if err != nil || len(parts) != 1 {
		return 0, time.Time{}, "", errKeyForm
	}
	return rest[0], time.UnixMicro(int64(binary.BigEndian.Uint64(rest[1:]))).UTC(), parts[0], nil
}

func (q Queue) lane(lane byte) []byte {
	return append(appendPart(make([]byte, 0, len(q.Name)+3), q.Name), lane)
}

func (q Queue) key(lane byte, due time.Time, id string) []byte {
	key := append(appendPart(make([]byte, 0, len(q.Name)+len(id)+16), q.Name), lane)
	return appendPart(binary.BigEndian.AppendUint64(key, uint64(due.UnixMicro())), id)
}

func laneOf(key string) byte {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // never fails
	return byte(h.Sum32() % Lanes)
}
