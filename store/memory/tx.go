package memory

import (
	"iter"

	"github.com/tollgatepay/gateway/store"
)

// reader implements store.Reader over one root.
type reader struct {
	root  *node
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
	value, found := r.root.get(key)
	if !found {
		return nil, store.ErrNotFound
	}
	return []byte(value), nil
}

// Scan implements store.Reader.
func (r *reader) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if r.done {
			yield(store.Entry{Err: store.ErrDone})
			return
		}
		if rg.Limit <= 0 {
			return
		}
		r.scans++
		defer func() { r.scans-- }()
		left := rg.Limit
		visit := func(it *item) bool {
			left--
			return yield(store.Entry{Key: []byte(it.key), Value: []byte(it.value)}) && left > 0
		}
		low, high := rg.Bounds()
		if rg.Reverse {
			r.root.descend(low, high, visit)
		} else {
			r.root.ascend(low, high, visit)
		}
	}
}

// tx implements store.Tx: a reader whose root it replaces by edited copies.
type tx struct {
	reader
	stamp uint64
}

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if err := store.CheckValue(value); err != nil {
		return err
	}
	t.put(key, value)
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
	if _, found := t.root.get(key); found {
		return store.ErrExists
	}
	t.put(key, value)
	return nil
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if _, found := t.root.get(key); found {
		t.delete(key)
	}
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(key, value []byte) (bool, error) {
	if t.done {
		return false, store.ErrDone
	}
	stored, found := t.root.get(key)
	return found == (value != nil) && stored == string(value), store.CheckKey(key)
}

// Give implements store.Frugal. Items are strings, so the bytes are copied here too.
func (t *tx) Give(key, value []byte) error {
	if value == nil {
		return t.Delete(key)
	}
	return t.Put(key, value)
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
