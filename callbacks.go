package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/vault"
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

// claimCallbacks takes callbacks that are due for delivery.
func (gw *Gateway) claimCallbacks(ctx context.Context, limit int) ([]func(context.Context), error) {
	var claimed []store.Callback
	if some, err := gw.anyDue(ctx, callback.DueQueue); err != nil || !some {
		return nil, err
	}
	err := gw.cfg.Store.Update(ctx, func(tx store.Tx) (err error) {
		claimed, err = callback.Claim(tx, gw.now(), limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	items := make([]func(context.Context), len(claimed))
	for i, c := range claimed {
		items[i] = func(ctx context.Context) { gw.deliver(ctx, c) }
	}
	return items, nil
}

// deliver makes one attempt and records what came of it.
func (gw *Gateway) deliver(ctx context.Context, c store.Callback) {
	call, cancel := context.WithTimeout(ctx, callback.Lease/2)
	defer cancel()
	if c.SealedBody != nil {
		body, err := gw.seals.open(call, vault.ReturnData, c.MerchantID, c.ID, c.SealedBody)
		if err != nil { // the key provider may be back at the next try
			gw.cfg.Log.Error("a callback does not open", "callback", c.ID, "error", err)
			return
		}
		c.Body = body
	}
	receipt := gw.cfg.Notifier.Deliver(call, callback.Delivery{
		ID: c.ID, Attempt: c.Tries, URL: c.URL, ContentType: callback.ContentType, Body: c.Body, RequireOK: c.RequireOK,
	})
	if ctx.Err() != nil && receipt.Verdict != callback.Accepted {
		return // we were stopped, not refused: the lease runs out and somebody tries again
	}
	err := gw.update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		return callback.Finish(tx, c.ID, c.Tries, receipt, gw.cfg.Retry, gw.now())
	})
	if err != nil {
		gw.cfg.Log.Error("a delivery could not be recorded", "callback", c.ID, "error", err)
		return
	}
	if c.Tries == 1 { // the payment's next callback may have waited for this one
		gw.nudge()
	}
}
