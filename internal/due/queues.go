// Package due claims work whose time has come: parties take turns and share the workers, unreadable work is set
// aside, work that cannot begin is put off, and claims that fail are logged.
package due

import (
	"context"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/store"
)

// Queues are the queues of due work of one store.
type Queues struct {
	Store store.Store
	Now   func() time.Time
	Log   *slog.Logger
	Watch *watch.Watch

	putOffs putOffs
}

func (q *Queues) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, q.Store, fn)
}

// Logged returns work whose error is logged; the work is tried again later.
func (q *Queues) Logged(text, id string, do func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		if err := do(ctx); err != nil {
			q.Log.Error(text, "id", id, "error", err)
		}
	}
}
