package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Callbacks returns every callback of a payment, oldest first, with the log of their deliveries.
// Error: ErrNoPayment.
func (gw *Gateway) Callbacks(ctx context.Context, paymentID string) (list []store.Callback, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		p, err := records.Payments.Get(r, paymentID)
		if err != nil {
			return records.NoPayment(err)
		}
		list, err = callback.OfPayment(r, p.ID, p.Callbacks)
		return err
	})
	return list, err
}

// Resend makes a callback due at once, whether it is delivered or dead. Error: ErrNoCallback.
func (gw *Gateway) Resend(ctx context.Context, callbackID string) error {
	err := gw.update(ctx, func(tx store.Tx) error {
		if err := callback.Resend(tx, callbackID, gw.now()); err != nil {
			return err
		}
		_, err := due.Unlist(tx, store.WorkCallback, callbackID)
		return err
	})
	if records.Absent(err) {
		return refusal.ErrNoCallback
	}
	gw.runner.Nudge()
	return err
}

// Unblock lifts the block of a callback URL before its time.
func (gw *Gateway) Unblock(ctx context.Context, url string) error {
	return gw.unblock(ctx, url, func(tx store.Tx) error { return callback.Unblock(tx, url, gw.now()) })
}

// UnblockHost lifts the block of a host whose URLs do not answer.
func (gw *Gateway) UnblockHost(ctx context.Context, host string) error {
	return gw.unblock(ctx, "host "+host, func(tx store.Tx) error { return callback.UnblockHost(tx, host, gw.now()) })
}

// UnblockMerchant lifts the block of a merchant whose URLs do not answer.
func (gw *Gateway) UnblockMerchant(ctx context.Context, id string) error {
	return gw.unblock(ctx, "merchant "+id, func(tx store.Tx) error { return callback.UnblockMerchant(tx, id, gw.now()) })
}

func (gw *Gateway) unblock(ctx context.Context, endpoint string, fn func(store.Tx) error) error {
	err := gw.update(ctx, fn)
	if err == nil {
		gw.queues.Watch.Tell(ctx, observe.EndpointFreed{Endpoint: delivery.Shown(endpoint), ByHand: true, At: gw.now()})
	}
	gw.runner.Nudge()
	return err
}
