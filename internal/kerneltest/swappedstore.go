package kerneltest

import (
	"context"
	"sync/atomic"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// SwappedStore is a store that can be put in another's place between two trials.
type SwappedStore struct{ now atomic.Pointer[store.Store] }

// Swap puts another store in place.
func (h *SwappedStore) Swap(s store.Store) { h.now.Store(&s) }

func (h *SwappedStore) View(ctx context.Context, fn func(store.Reader) error) error {
	return (*h.now.Load()).View(ctx, fn)
}

func (h *SwappedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return (*h.now.Load()).Update(ctx, fn)
}

func (h *SwappedStore) Close() error { return (*h.now.Load()).Close() }

// Swappable is a store that another can take the place of.
func Swappable(s store.Store) *SwappedStore {
	h := &SwappedStore{}
	h.Swap(s)
	return h
}

// SwappedInbox hands callbacks to the inbox of the trial.
type SwappedInbox struct {
	Inbox atomic.Pointer[gatewaytest.Inbox]
}

func (s *SwappedInbox) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	return s.Inbox.Load().Deliver(ctx, d)
}
