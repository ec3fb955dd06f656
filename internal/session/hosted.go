package session

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// ErrStale means that the session changed while an update was checked. It is retried inside the gateway and not
// returned to merchants.
var ErrStale = errors.New("gateway: the session has changed")

// Replace stores an update that was checked against a version of the session. What the fields collected in the
// meantime stays.
func Replace(tx store.Tx, token string, version int, next *store.Session, at time.Time) error {
	now, _, err := LoadHosted(tx, token, at)
	switch {
	case err != nil:
		return err
	case now.Attempts > 0 || now.State != store.SessionOpen:
		return refusal.ErrNoUpdate
	case now.Version != version:
		return ErrStale
	}
	changed := *next
	changed.HeldCard, changed.HeldUntil = now.HeldCard, now.HeldUntil
	changed.Version++
	return records.Sessions.Put(tx, changed, changed.ID)
}
