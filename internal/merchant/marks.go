package merchant

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// keepMarks records when another password made the old marks useless.
func keepMarks(m *records.Merchant, tx store.Tx, now time.Time) error {
	old, err := records.Merchants.Get(tx, m.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil && !store.IsUnreadable(err): // saving a merchant repairs a damaged record
		return err
	case err == nil && old.HashMarks == m.HashMarks:
		m.HashMarksSince = old.HashMarksSince
	default:
		m.HashMarksSince = now
	}
	return nil
}
