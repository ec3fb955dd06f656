package postgres

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// RunAlone runs fn as after it has lost against others.
func (s *Store) RunAlone(ctx context.Context, fn func(store.Tx) error) error {
	return s.runAlone(ctx, fn)
}
