package memory

import (
	"iter"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/access"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// reader implements store.Reader over one root.
type reader struct {
	access.Access
	root *tree.Tree
}

// State is the root: every commit that changes something has one of its own.
func (r *reader) State() any { return r.root }

// Get implements store.Reader.
func (r *reader) Get(key []byte) ([]byte, error) {
	pair, err := r.Lend(key)
	switch {
	case err != nil:
		return nil, err
	case !pair.HasValue():
		return nil, store.ErrNotFound
	}
	return []byte(pair.Value()), nil
}

// Lend implements store.Lender.
func (r *reader) Lend(key []byte) (store.Pair, error) {
	if err := r.ReadsKey(key); err != nil {
		return "", err
	}
	if pair := tree.Get(r.root, key); pair != "" {
		return pair, nil
	}
	return store.NewPair(key, nil), nil
}

// Scan implements store.Reader.
func (r *reader) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if err := r.Reads(); err != nil {
			yield(store.Entry{Err: err})
			return
		}
		if rg.Limit <= 0 {
			return
		}
		r.Scans()
		defer r.ScanEnds()
		left := rg.Limit
		visit := func(pair store.Pair) bool {
			if err := r.Reads(); err != nil { // of a scan that was kept, by iter.Pull
				yield(store.Entry{Err: err})
				return false
			}
			left--
			return yield(store.Entry{Key: []byte(pair.Key()), Value: []byte(pair.Value())}) && left > 0
		}
		low, high := rg.Bounds()
		if rg.Reverse {
			r.root.Descend(low, high, visit)
		} else {
			r.root.Ascend(low, high, visit)
		}
	}
}

// tx implements store.Tx: a reader whose root it replaces by edited copies.
type tx struct {
	reader
	edit tree.Edit
}

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	t.root = t.edit.Put(t.root, store.NewPair(key, value))
	return nil
}

// Insert implements store.Tx.
func (t *tx) Insert(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	if tree.Get(t.root, key) != "" {
		return store.ErrExists
	}
	t.root = t.edit.Put(t.root, store.NewPair(key, value))
	return nil
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.WritesKey(key); err != nil {
		return err
	}
	if pair := tree.Get(t.root, key); pair != "" {
		t.root = t.edit.Delete(t.root, pair.Key())
	}
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(pair store.Pair) (bool, error) {
	if err := t.Reads(); err != nil {
		return false, err
	}
	stored := tree.Get(t.root, pair.Key())
	if !pair.HasValue() {
		return stored == "", nil
	}
	return stored == pair, nil
}

// Give implements store.Frugal.
func (t *tx) Give(pair store.Pair) error {
	if err := t.Writes(); err != nil {
		return err
	}
	switch key := pair.Key(); {
	case pair.HasValue():
		t.root = t.edit.Put(t.root, pair)
	case tree.Get(t.root, key) != "":
		t.root = t.edit.Delete(t.root, key)
	}
	return nil
}
