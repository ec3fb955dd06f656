package bolt

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"
)

// write is one change: a value under a key, or without a value (nil) the removal of the key.
type write struct{ key, value []byte }

func (w write) apply(b *bbolt.Bucket) error {
	if w.value == nil {
		return b.Delete(w.key)
	}
	return b.Put(w.key, w.value)
}

// writes is what a transaction has written, ordered by key, each key once. A sorted slice is the
// quickest for the few writes of a payment, and still bearable for some ten thousand.
type writes []write

// find returns the place of the first write at or after key, and whether it is key's.
func (ws writes) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(ws, key, func(w write, key []byte) int { return bytes.Compare(w.key, key) })
}

// give records the change with the caller's own bytes.
func (ws *writes) give(key, value []byte) {
	i, found := ws.find(key)
	if !found {
		*ws = slices.Insert(*ws, i, write{key: key})
	}
	(*ws)[i].value = value
}

// set records a copy of the change. The caller's value is nil for a removal.
func (ws *writes) set(key, value []byte) {
	ws.give(bytes.Clone(key), bytes.Clone(value))
}
