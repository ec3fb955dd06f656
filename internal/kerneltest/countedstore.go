package kerneltest

import (
	"context"
	"iter"
	"sync"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// StoreCalls are the calls of a store for a request. Key, Revision and Profile are reads of the merchant's tables:
// of the key that names it, of the revision of its configuration, and of that configuration's records.
type StoreCalls struct{ Views, Updates, Key, Revision, Profile int }

// CountedStore counts the calls of a store.
type CountedStore struct {
	store.Store
	mu    sync.Mutex
	calls StoreCalls
}

// Calls returns the calls since it was last called.
func (s *CountedStore) Calls() StoreCalls {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = StoreCalls{}
	return calls
}

func (s *CountedStore) count(add func(*StoreCalls)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	add(&s.calls)
}

// View implements store.Store. What a function reads when it runs again is not counted.
func (s *CountedStore) View(ctx context.Context, fn func(store.Reader) error) error {
	s.count(func(c *StoreCalls) { c.Views++ })
	again := false
	return s.Store.View(ctx, func(r store.Reader) error {
		if again {
			return fn(r)
		}
		again = true
		return fn(countedReader{r, s})
	})
}

// Update implements store.Store.
func (s *CountedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	s.count(func(c *StoreCalls) { c.Updates++ })
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(countedTx{tx, countedReader{tx, s}}) })
}

type countedReader struct {
	store.Reader
	counts *CountedStore
}

func (r countedReader) Get(key []byte) ([]byte, error) {
	r.note(key)
	return r.Reader.Get(key)
}

func (r countedReader) Scan(within store.Range) iter.Seq[store.Entry] {
	r.note(within.Prefix)
	return r.Reader.Scan(within)
}

// note counts a read of a merchant's table.
func (r countedReader) note(key []byte) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) == 0 {
		return
	}
	r.counts.count(func(c *StoreCalls) {
		switch parts[0] {
		case records.MerchantKeys:
			c.Key++
		case records.Revisions:
			c.Revision++
		case records.Merchants.Prefix, records.Mappings.Prefix, records.MIDs.Prefix,
			records.Wallets.Prefix, records.Passwords:
			c.Profile++
		}
	})
}

// countedTx writes as the transaction does, and counts its reads.
type countedTx struct {
	store.Tx
	reads countedReader
}

func (tx countedTx) Get(key []byte) ([]byte, error)                { return tx.reads.Get(key) }
func (tx countedTx) Scan(within store.Range) iter.Seq[store.Entry] { return tx.reads.Scan(within) }
