package speed_test

import (
	"context"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// written counts the transactions of a store, plans included, and what its commits write. A deletion is a write.
type written struct {
	store.Store
	mu                        sync.Mutex
	transactions, keys, bytes int
}

// taken returns the counts since it was last called.
func (w *written) taken() (transactions, keys, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	transactions, keys, bytes = w.transactions, w.keys, w.bytes
	w.transactions, w.keys, w.bytes = 0, 0, 0
	return transactions, keys, bytes
}

func (w *written) add(transactions, keys, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.transactions, w.keys, w.bytes = w.transactions+transactions, w.keys+keys, w.bytes+bytes
}

// View implements store.Store.
func (w *written) View(ctx context.Context, fn func(store.Reader) error) error {
	w.add(1, 0, 0)
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
	w.add(1, note.keys, note.bytes)
	return err
}

// writing is a transaction that counts its writes.
type writing struct {
	store.Tx
	keys, bytes int
}

func (w *writing) note(key, value []byte) {
	w.keys, w.bytes = w.keys+1, w.bytes+len(key)+len(value)
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
