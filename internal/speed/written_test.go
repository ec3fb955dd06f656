package speed_test

import (
	"context"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// written counts the transactions of a store, plans included, and what its commits write. A deletion is a write.
type written struct {
	store.Store
	mu                  sync.Mutex
	transactions, bytes int
	keys                [][]byte
}

// taken returns what came since it was last called.
func (w *written) taken() (transactions, bytes int, keys [][]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	transactions, bytes, keys = w.transactions, w.bytes, w.keys
	w.transactions, w.bytes, w.keys = 0, 0, nil
	return transactions, bytes, keys
}

func (w *written) add(note writing) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.transactions, w.bytes, w.keys = w.transactions+1, w.bytes+note.bytes, append(w.keys, note.keys...)
}

// View implements store.Store.
func (w *written) View(ctx context.Context, fn func(store.Reader) error) error {
	w.add(writing{})
	return w.Store.View(ctx, fn)
}

// Update implements store.Store.
func (w *written) Update(ctx context.Context, fn func(store.Tx) error) error {
	var note writing
	err := w.Store.Update(ctx, func(tx store.Tx) error {
		note = writing{Tx: tx} // of an earlier try nothing was stored
		return fn(&note)
	})
	if err != nil {
		note = writing{}
	}
	w.add(note)
	return err
}

// writing is a transaction that counts its writes.
type writing struct {
	store.Tx
	bytes int
	keys  [][]byte
}

func (w *writing) note(key, value []byte) {
	w.keys, w.bytes = append(w.keys, slices.Clone(key)), w.bytes+len(key)+len(value)
}

// Put implements store.Tx.
func (w *writing) Put(key, value []byte) error {
	w.note(key, value)
	return w.Tx.Put(key, value)
}

// Insert implements store.Tx.
func (w *writing) Insert(key, value []byte) error {
	w.note(key, value)
	return w.Tx.Insert(key, value)
}

// Delete implements store.Tx.
func (w *writing) Delete(key []byte) error {
	w.note(key, nil)
	return w.Tx.Delete(key)
}
