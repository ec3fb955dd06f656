package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// reader implements store.Reader over a bucket and, in an Update, the transaction's own writes over it.
type reader struct {
	base  *bbolt.Bucket
	own   writes
	scans int // scans that are open
	done  bool
}

func (r *reader) end() { r.done = true }

// Get implements store.Reader.
func (r *reader) Get(key []byte) ([]byte, error) {
	if r.done {
		return nil, store.ErrDone
	}
	if err := store.CheckKey(key); err != nil {
		return nil, err
	}
	value := r.lookup(key)
	if value == nil {
		return nil, store.ErrNotFound
	}
	return bytes.Clone(value), nil
}

// lookup returns the value under key, not copied, or nil.
func (r *reader) lookup(key []byte) []byte {
	if i, found := r.own.find(key); found {
		return r.own[i].value
	}
	return r.base.Get(key)
}

// tx implements store.Tx: a reader with writes of its own.
type tx struct{ reader }

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if err := store.CheckValue(value); err != nil {
		return err
	}
	t.own.set(key, value)
	return nil
}

// Insert implements store.Tx.
func (t *tx) Insert(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if err := store.CheckValue(value); err != nil {
		return err
	}
	if t.lookup(key) != nil {
		return store.ErrExists
	}
	t.own.set(key, value)
	return nil
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	t.own.set(key, nil)
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(key, value []byte) (bool, error) {
	if t.done {
		return false, store.ErrDone
	}
	stored := t.lookup(key)
	return (stored == nil) == (value == nil) && bytes.Equal(stored, value), store.CheckKey(key)
}

// Give implements store.Frugal.
func (t *tx) Give(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if value != nil {
		if err := store.CheckValue(value); err != nil {
			return err
		}
	}
	t.own.give(key, value)
	return nil
}

// check returns why key may not be written now, or nil.
func (t *tx) check(key []byte) error {
	switch {
	case t.done:
		return store.ErrDone
	case t.scans > 0:
		return store.ErrScanOpen
	}
	return store.CheckKey(key)
}
