package records

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/store"
)

// Create runs fn as one transaction that inserts a record with a new id. If the store does not know whether it
// committed, record reads the inserted record back, and nothing is repeated.
func Create(ctx context.Context, s store.Store, record func(store.Reader) error, fn func(store.Tx) error) error {
	err := store.Optimistic(ctx, s, fn)
	if errors.Is(err, store.ErrUnknownCommit) && s.View(context.WithoutCancel(ctx), record) == nil {
		return nil
	}
	return err
}

// Read reads one record of a table.
func Read[T any](ctx context.Context, s store.Store, table store.Table[T], id ...string) (record *T, err error) {
	err = s.View(ctx, func(r store.Reader) error {
		found, err := table.Get(r, id...)
		record = &found
		return err
	})
	return record, err
}
