package session

import (
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// Leave closes the session of a token, as its payer asks. A session that is over, or has an attempt running, stays as
// it is.
func Leave(tx store.Tx, token string, now time.Time) error {
	s, err := Load(tx, token)
	if err != nil {
		return err
	}
	if s.State != store.SessionOpen || s.Running || !now.Before(s.ExpiresAt) {
		return nil
	}
	s.State = store.SessionClosed
	s.Version++
	return records.Sessions.Put(tx, *s, s.ID)
}
