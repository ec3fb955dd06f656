package kerneltest

import (
	"context"
	"sync/atomic"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// SwappedStore is a store that can be replaced between two trials.
type SwappedStore struct{ now atomic.Pointer[store.Store] }

// Current returns the store.
func (h *SwappedStore) Current() store.Store { return *h.now.Load() }

// Swap replaces the store.
func (h *SwappedStore) Swap(s store.Store) { h.now.Store(&s) }

// View implements store.Store.
func (h *SwappedStore) View(ctx context.Context, fn func(store.Reader) error) error {
	return h.Current().View(ctx, fn)
}

// Update implements store.Store.
func (h *SwappedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return h.Current().Update(ctx, fn)
}

// Close implements store.Store.
func (h *SwappedStore) Close() error { return h.Current().Close() }

// Swappable makes a store replaceable.
func Swappable(s store.Store) *SwappedStore {
	h := &SwappedStore{}
	h.Swap(s)
	return h
}

// SwappedInbox passes callbacks to the inbox of the current trial.
type SwappedInbox struct {
	Inbox atomic.Pointer[gatewaytest.Inbox]
}

// Deliver implements callback.Notifier.
func (s *SwappedInbox) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	return s.Inbox.Load().Deliver(ctx, d)
}
