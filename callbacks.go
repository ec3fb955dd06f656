package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// Callbacks answers every callback of a payment, oldest first, with the log of their deliveries.
// Error: ErrNoPayment.
func (gw *Gateway) Callbacks(ctx context.Context, paymentID string) (list []store.Callback, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		p, err := payments.Get(r, paymentID)
		if errors.Is(err, store.ErrNotFound) {
			return ErrNoPayment
		}
		if err != nil {
			return err
		}
		list, err = callback.OfPayment(r, p.ID, p.Callbacks)
		return err
	})
	return list, err
}

// Resend makes a callback due at once, delivered or dead as it may be. Error: ErrNoCallback.
func (gw *Gateway) Resend(ctx context.Context, callbackID string) error {
	err := gw.update(ctx, func(tx store.Tx) error { return callback.Resend(tx, callbackID, gw.now()) })
	if errors.Is(err, store.ErrNotFound) {
		return ErrNoCallback
	}
	gw.nudge()
	return err
}

// Unblock lifts the block of a callback URL before its time.
func (gw *Gateway) Unblock(ctx context.Context, url string) error {
	return gw.update(ctx, func(tx store.Tx) error { return callback.Unblock(tx, url) })
}
