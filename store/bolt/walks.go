package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// fileWalk goes through the entries of the file between two keys.
type fileWalk struct {
	cursor    *bbolt.Cursor
	low, high []byte
	reverse   bool
	k, v      []byte
}

// begin reports whether there is an entry.
func (w *fileWalk) begin(cursor *bbolt.Cursor, low, high []byte, reverse bool) bool {
	w.cursor, w.low, w.high, w.reverse = cursor, low, high, reverse
	if reverse {
		w.enter(before(cursor, high))
	} else {
		w.enter(cursor.Seek(low))
	}
	return w.k != nil
}

// before places the cursor on the last key before high, or on the last of all without a high.
func before(c *bbolt.Cursor, high []byte) (key, value []byte) {
	if high == nil {
		return c.Last()
	}
	if key, _ := c.Seek(high); key == nil {
		return c.Last()
	}
	return c.Prev()
}

// enter stores the place of the cursor; beyond the bounds the walk has ended.
func (w *fileWalk) enter(key, value []byte) {
	if key == nil || bytes.Compare(key, w.low) < 0 || w.high != nil && bytes.Compare(key, w.high) >= 0 {
		key, value = nil, nil
	}
	w.k, w.v = key, value
}

func (w *fileWalk) key() []byte { return w.k }

func (w *fileWalk) step() {
	if w.reverse {
		w.enter(w.cursor.Prev())
	} else {
		w.enter(w.cursor.Next())
	}
}

func (w *fileWalk) entry() (store.Entry, bool) {
	return store.Entry{Key: bytes.Clone(w.k), Value: bytes.Clone(w.v)}, true
}

// pairWalk is the place of a walk through pairs.
type pairWalk struct {
	at    store.Pair // "" at the end
	bytes []byte     // of its key
}

func (w *pairWalk) enter(pair store.Pair) bool {
	if w.at = pair; pair == "" {
		return false
	}
	w.bytes = append(w.bytes[:0], pair.Key()...)
	return true
}

func (w *pairWalk) key() []byte {
	if w.at == "" {
		return nil
	}
	return w.bytes
}

func (w *pairWalk) entry() (store.Entry, bool) {
	if !w.at.HasValue() {
		return store.Entry{}, false
	}
	return store.Entry{Key: bytes.Clone(w.bytes), Value: []byte(w.at.Value())}, true
}

// treeWalk goes through the entries of a tree between two keys.
type treeWalk struct {
	pairWalk
	cursor    tree.Cursor
	low, high []byte
	reverse   bool
}

// begin reports whether there is an entry.
func (w *treeWalk) begin(t *tree.Tree, low, high []byte, reverse bool) bool {
	w.low, w.high, w.reverse = low, high, reverse
	if reverse {
		return w.within(w.cursor.Last(t, high))
	}
	return w.within(w.cursor.First(t, low))
}

func (w *treeWalk) step() {
	if w.reverse {
		w.within(w.cursor.Prev())
	} else {
		w.within(w.cursor.Next())
	}
}

// within goes to a place, or to the end if that is beyond the bounds.
func (w *treeWalk) within(pair store.Pair) bool {
	if pair != "" && (pair.Key() < string(w.low) || w.high != nil && pair.Key() >= string(w.high)) {
		pair = ""
	}
	return w.enter(pair)
}

// ownWalk goes through the writes of a transaction.
type ownWalk struct {
	pairWalk
	rest    writes
	reverse bool
}

// begin reports whether there is an entry.
func (w *ownWalk) begin(own writes, reverse bool) bool {
	w.rest, w.reverse = own, reverse
	w.step()
	return w.at != ""
}

func (w *ownWalk) step() {
	switch last := len(w.rest) - 1; {
	case last < 0:
		w.enter("")
	case w.reverse:
		w.enter(w.rest[last])
		w.rest = w.rest[:last]
	default:
		w.enter(w.rest[0])
		w.rest = w.rest[1:]
	}
}
