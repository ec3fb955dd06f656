package vcard

import (
	"encoding/json"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const maxKey = 256 // bytes of an idempotency key

// books reads and writes the ledger in the store.
type books struct {
	store  store.Store
	prefix string
}

func (b books) entryKey(key string) []byte     { return []byte(b.prefix + "entry/" + key) }
func (b books) shortKey(payment string) []byte { return []byte(b.prefix + "short/" + payment) }
func (b books) referenceKey(ref string) []byte { return []byte(b.prefix + "ref/" + ref) }

func (b books) get(r store.Reader, key string) (Entry, error) {
	var e Entry
	if key == "" || len(key) > maxKey {
		return e, store.ErrNotFound
	}
	value, err := r.Get(b.entryKey(key))
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(value, &e)
}

// byReference returns an entry by the acquirer's reference.
func (b books) byReference(r store.Reader, ref string) (Entry, error) {
	if ref == "" || len(ref) > maxKey {
		return Entry{}, store.ErrNotFound
	}
	key, err := r.Get(b.referenceKey(ref))
	if err != nil {
		return Entry{}, err
	}
	return b.get(r, string(key))
}

func (b books) put(tx store.Tx, e Entry) error {
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := tx.Put(b.referenceKey(e.Reference), []byte(e.Key)); err != nil {
		return err
	}
	return tx.Put(b.entryKey(e.Key), value)
}

// chargeOf goes from the parent that op names up to the charge. A reference that names neither of them counts as
// none.
func (b books) chargeOf(r store.Reader, op methods.Operation) (Entry, error) {
	parent, err := b.get(r, op.ParentKey)
	if op.ParentKey == "" {
		parent, err = b.byReference(r, op.ParentReference)
	}
	if err != nil {
		return Entry{}, err
	}
	charge := parent
	if parent.Parent != "" {
		if charge, err = b.get(r, parent.Parent); err != nil {
			return Entry{}, err
		}
	}
	if ref := op.ParentReference; ref != "" && ref != parent.Reference && ref != charge.Reference {
		return Entry{}, store.ErrNotFound
	}
	return charge, nil
}
