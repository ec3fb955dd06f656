package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/store"
)

// update runs fn as one transaction. fn may run more than once: it sets what it hands out anew each
// time.
func (gw *Gateway) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, gw.cfg.Store, fn)
}

func (gw *Gateway) payment(ctx context.Context, id string) (*store.Payment, error) {
	return records.Read(ctx, gw.cfg.Store, records.Payments, id)
}

func (gw *Gateway) session(ctx context.Context, token string) (s *store.Session, p *merchant.Profile, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		s, err = session.Load(r, token)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if s.Parameters, err = gw.seals.OpenParameters(ctx, s.MerchantID, s.ID, s.SealedParameters); err != nil {
		return nil, nil, err
	}
	p, err = gw.merchants.For(ctx, s.MerchantID, store.Checkout)
	return s, p, err
}
