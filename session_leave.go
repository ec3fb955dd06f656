package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/store"
)

// LeaveSession is the payer closing the form. A session with an attempt running cannot be left; the
// answer is then the turn as it stands.
func (gw *Gateway) LeaveSession(ctx context.Context, token string) (*Turn, error) {
	err := gw.update(ctx, func(tx store.Tx) error {
		s, err := session.Load(tx, token)
		if err != nil {
			return err
		}
		if s.State != store.SessionOpen || s.Running || !gw.now().Before(s.ExpiresAt) {
			return nil
		}
		s.State = store.SessionClosed
		s.Version++
		return records.Sessions.Put(tx, *s, s.ID)
	})
	if err != nil {
		return nil, err
	}
	return gw.Turn(ctx, token)
}
