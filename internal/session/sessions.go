// Package session owns a session as a record: it is found by its link, claimed by an attempt, updated with the
// outcome, and holds the collected card until then.
package session

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/store"
)

// Sessions erases the collected cards of a store's sessions when they expire.
type Sessions struct {
	Store  store.Store
	Now    func() time.Time
	Queues *due.Queues
}

func (q *Sessions) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, q.Store, fn)
}
