package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// reader implements store.Reader over a bucket and, in an Update, the transaction's own writes over it.
type reader struct {
	base   *bbolt.Bucket
	cursor *bbolt.Cursor // for single keys
	own    writes
	scans  int // scans that are open
	done   bool
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

// Lend implements store.Lender. bbolt's bytes end with its transaction, so this is a copy too, but a single one.
func (r *reader) Lend(key []byte) (store.Pair, error) {
	if r.done {
		return "", store.ErrDone
	}
	if err := store.CheckKey(key); err != nil {
		return "", err
	}
	return store.NewPair(key, r.lookup(key)), nil
}

// lookup returns the value under key, not copied, or nil.
func (r *reader) lookup(key []byte) []byte {
	if i, found := r.own.find(key); found {
		return r.own[i].value
	}
	if found, value := r.cursor.Seek(key); bytes.Equal(found, key) {
		return value
	}
	return nil
}

// tx implements store.Tx: a reader with writes of its own.
type tx struct {
	reader
	arena *[]byte // where the bytes of the writes are
}

// keep returns a copy of a key or a value. bbolt needs it unchanged until the commit.
func keep[T string | []byte](t *tx, text T) []byte {
	from := len(*t.arena)
	*t.arena = append(*t.arena, text...)
	return (*t.arena)[from:len(*t.arena):len(*t.arena)]
}

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if err := store.CheckValue(value); err != nil {
		return err
	}
	t.own.give(write{keep(t, key), keep(t, value)})
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
	t.own.give(write{keep(t, key), keep(t, value)})
	return nil
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	t.own.give(write{key: keep(t, key)})
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(pair store.Pair) (bool, error) {
	if t.done {
		return false, store.ErrDone
	}
	before := len(*t.arena)
	stored := t.lookup(keep(t, pair.Key()))
	*t.arena = (*t.arena)[:before]
	return (stored != nil) == pair.HasValue() && string(stored) == pair.Value(), nil
}

// Give implements store.Frugal.
func (t *tx) Give(pair store.Pair) error {
	if err := t.writable(); err != nil {
		return err
	}
	w := write{key: keep(t, pair.Key())}
	if pair.HasValue() {
		w.value = keep(t, pair.Value())
	}
	t.own.give(w)
	return nil
}

// check returns why key may not be written now, or nil.
func (t *tx) check(key []byte) error {
	if err := t.writable(); err != nil {
		return err
	}
	return store.CheckKey(key)
}

// writable returns why nothing may be written now, or nil.
func (t *tx) writable() error {
	switch {
	case t.done:
		return store.ErrDone
	case t.scans > 0:
		return store.ErrScanOpen
	}
	return nil
}
