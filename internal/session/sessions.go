// Package session owns a session as a record: found by its link, claimed by an attempt, told how that ended, and the
// card it holds until then.
package session

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/store"
)

// Sessions are those of a store, for the cards that have to go when they expire.
type Sessions struct {
	Store  store.Store
	Now    func() time.Time
	Queues *due.Queues
}

func (q *Sessions) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, q.Store, fn)
}
