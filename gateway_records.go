package gateway

import (
	"context"
	"errors"

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

// create is update for a transaction that inserts a record of an id made for it. Should the store not
// know whether it committed, the record itself tells (design.md, section 3): it is read back, and
// nothing is repeated.
func (gw *Gateway) create(ctx context.Context, record func(store.Reader) error, fn func(store.Tx) error) error {
	err := gw.update(ctx, fn)
	if errors.Is(err, store.ErrUnknownCommit) && gw.cfg.Store.View(context.WithoutCancel(ctx), record) == nil {
		return nil
	}
	return err
}

func (gw *Gateway) createIntent(ctx context.Context, id string, fn func(store.Tx) error) error {
	return gw.create(ctx, func(r store.Reader) error {
		_, err := records.Transactions.Get(r, id)
		return err
	}, fn)
}

func (gw *Gateway) payment(ctx context.Context, id string) (p *store.Payment, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := records.Payments.Get(r, id)
		p = &found
		return err
	})
	return p, err
}

func (gw *Gateway) transaction(ctx context.Context, id string) (t *store.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := records.Transactions.Get(r, id)
		t = &found
		return err
	})
	return t, err
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
	p, err = gw.profileFor(ctx, s.MerchantID, store.Checkout)
	return s, p, err
}
