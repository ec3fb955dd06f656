package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// fileWalk goes through the file.
type fileWalk struct {
	low, high []byte
	next      func() (key, value []byte)
	k, v      []byte
}

// walkFile goes through the entries of the file between two keys.
func walkFile(cursor *bbolt.Cursor, low, high []byte, reverse bool) *fileWalk {
	w := &fileWalk{low: low, high: high}
	if reverse {
		w.next = cursor.Prev
		w.enter(before(cursor, high))
	} else {
		w.next = cursor.Next
		w.enter(cursor.Seek(low))
	}
	return w
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

func (w *fileWalk) step() { w.enter(w.next()) }

func (w *fileWalk) entry() (store.Entry, bool) {
	return store.Entry{Key: bytes.Clone(w.k), Value: bytes.Clone(w.v)}, true
}

// pairWalk goes through pairs.
type pairWalk struct {
	at    store.Pair // "" at the end
	next  func() store.Pair
	bytes []byte // of the key
}

func (w *pairWalk) enter(pair store.Pair) {
	w.at = pair
	if pair != "" {
		w.bytes = append(w.bytes[:0], pair.Key()...)
	}
}

func (w *pairWalk) key() []byte {
	if w.at == "" {
		return nil
	}
	return w.bytes
}

func (w *pairWalk) step() { w.enter(w.next()) }

func (w *pairWalk) entry() (store.Entry, bool) {
	if !w.at.HasValue() {
		return store.Entry{}, false
	}
	return store.Entry{Key: bytes.Clone(w.bytes), Value: []byte(w.at.Value())}, true
}

// walkTree goes through the entries of a tree between two keys.
func walkTree(t *tree.Tree, low, high []byte, reverse bool) *pairWalk {
	cursor := &tree.Cursor{}
	if reverse {
		w := &pairWalk{next: func() store.Pair { return atLeast(cursor.Prev(), low) }}
		w.enter(atLeast(cursor.Last(t, high), low))
		return w
	}
	w := &pairWalk{next: func() store.Pair { return below(cursor.Next(), high) }}
	w.enter(below(cursor.First(t, low), high))
	return w
}

func atLeast(pair store.Pair, low []byte) store.Pair {
	if pair != "" && pair.Key() < string(low) {
		return ""
	}
	return pair
}

func below(pair store.Pair, high []byte) store.Pair {
	if pair != "" && high != nil && pair.Key() >= string(high) {
		return ""
	}
	return pair
}

// walkOwn goes through the writes of a transaction.
func walkOwn(own writes, reverse bool) *pairWalk {
	w := &pairWalk{next: func() (at store.Pair) {
		switch last := len(own) - 1; {
		case last < 0:
		case reverse:
			at, own = own[last], own[:last]
		default:
			at, own = own[0], own[1:]
		}
		return at
	}}
	w.step()
	return w
}
