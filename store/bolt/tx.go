package bolt

import (
	"bytes"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/access"
)

// reader implements store.Reader over a snapshot and, in an Update, the transaction's own writes over it.
type reader struct {
	access.Access
	snapshot
	own writes
}

// Get implements store.Reader.
func (r *reader) Get(key []byte) ([]byte, error) {
	if err := r.ReadsKey(key); err != nil {
		return nil, err
	}
	if pair := r.overFile(key); pair != "" {
		if !pair.HasValue() {
			return nil, store.ErrNotFound
		}
		return []byte(pair.Value()), nil
	}
	value := r.inFile(key)
	if value == nil {
		return nil, store.ErrNotFound
	}
	return bytes.Clone(value), nil
}

// Lend implements store.Lender. What lies over the file is lent as it is; the bytes of the file end with its
// transaction.
func (r *reader) Lend(key []byte) (store.Pair, error) {
	if err := r.ReadsKey(key); err != nil {
		return "", err
	}
	if pair := r.overFile(key); pair != "" {
		return pair, nil
	}
	return store.NewPair(key, r.inFile(key)), nil
}

// overFile returns the entry of a key that lies over the file, the transaction's own first, or "".
func (r *reader) overFile(key []byte) store.Pair {
	if i, found := find(r.own, key); found {
		return r.own[i]
	}
	return r.find(key)
}

// has reports whether key has a value.
func (r *reader) has(key []byte) bool {
	if pair := r.overFile(key); pair != "" {
		return pair.HasValue()
	}
	return r.inFile(key) != nil
}

// State returns the layers that are read: where they are the same ones, nothing has been written in between.
func (r *reader) State() any { return r.seen }

// tx implements store.Tx: a reader with writes of its own.
type tx struct {
	reader
	logged written // what the log has, with the group's writes
	room   [usualWrites]store.Pair
}

// usualWrites is how many keys a step of a payment writes at most.
const usualWrites = 8

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	t.own.give(store.NewPair(key, value))
	return nil
}

// Insert implements store.Tx.
func (t *tx) Insert(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	if t.has(key) {
		return store.ErrExists
	}
	t.own.give(store.NewPair(key, value))
	return nil
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.WritesKey(key); err != nil {
		return err
	}
	t.own.give(store.NewPair(key, nil))
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(pair store.Pair) (bool, error) {
	if err := t.Reads(); err != nil {
		return false, err
	}
	key := []byte(pair.Key())
	if stored := t.overFile(key); stored != "" {
		return stored == pair, nil
	}
	stored := t.inFile(key)
	return (stored != nil) == pair.HasValue() && string(stored) == pair.Value(), nil
}

// HoldsSince is Holds of a pair as it was under layers that were seen before. While the log is the same, a key that it
// does not have was not written since, or came and went. A pair without a value is right then, and one with a value is
// looked for again.
func (t *tx) HoldsSince(state any, pair store.Pair) (bool, error) {
	if seen, ok := state.(*layers); !ok || seen == nil || seen.turns != t.turns || len(t.own) > 0 {
		return t.Holds(pair)
	}
	if err := t.Reads(); err != nil {
		return false, err
	}
	if now, written := t.logged[pair.Key()]; written {
		return now == pair, nil
	}
	if pair.HasValue() {
		return t.Holds(pair)
	}
	return true, nil
}

// Give implements store.Frugal.
func (t *tx) Give(pair store.Pair) error {
	if err := t.Writes(); err != nil {
		return err
	}
	t.own.give(pair)
	return nil
}
