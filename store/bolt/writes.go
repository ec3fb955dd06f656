package bolt

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"
)

// write is one change: a value under a key, or with a nil value the removal of the key.
type write struct{ key, value []byte }

func (w write) apply(b *bbolt.Bucket) error {
	if w.value == nil {
		return b.Delete(w.key)
	}
	return b.Put(w.key, w.value)
}

// writes is what a transaction has written, ordered by key, each key once. A sorted slice is fastest for the few
// writes of a payment, and acceptable for ten thousand.
type writes []write

// find returns the place of the first write at or after key, and whether that write has the key.
func (ws writes) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(ws, key, func(w write, key []byte) int { return bytes.Compare(w.key, key) })
}

// give records a change and keeps its bytes.
func (ws *writes) give(w write) {
	i, found := ws.find(w.key)
	if !found {
		*ws = slices.Insert(*ws, i, write{})
	}
	(*ws)[i] = w
}
