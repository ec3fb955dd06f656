package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Callbacks answers every callback of a payment, oldest first, with the log of their deliveries.
// Error: ErrNoPayment.
func (gw *Gateway) Callbacks(ctx context.Context, paymentID string) (list []store.Callback, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		p, err := records.Payments.Get(r, paymentID)
		if errors.Is(err, store.ErrNotFound) {
			return refusal.ErrNoPayment
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
	err := gw.update(ctx, func(tx store.Tx) error {
		if err := callback.Resend(tx, callbackID, gw.now()); err != nil {
			return err
		}
		_, err := due.Unlist(tx, store.WorkCallback, callbackID)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return refusal.ErrNoCallback
	}
	gw.nudge()
	return err
}

// Unblock lifts the block of a callback URL before its time.
func (gw *Gateway) Unblock(ctx context.Context, url string) error {
	return gw.lift(ctx, func(tx store.Tx) error { return callback.Unblock(tx, url, gw.now()) })
}

// UnblockHost lifts the block of a host whose URLs do not answer.
func (gw *Gateway) UnblockHost(ctx context.Context, host string) error {
	return gw.lift(ctx, func(tx store.Tx) error { return callback.UnblockHost(tx, host, gw.now()) })
}

// UnblockMerchant lifts the block of a merchant whose URLs do not answer.
func (gw *Gateway) UnblockMerchant(ctx context.Context, id string) error {
	return gw.lift(ctx, func(tx store.Tx) error { return callback.UnblockMerchant(tx, id, gw.now()) })
}

func (gw *Gateway) lift(ctx context.Context, fn func(store.Tx) error) error {
	err := gw.update(ctx, fn)
	gw.nudge()
	return err
}

// callbackWorkers is how many callbacks one instance delivers at a time.
const callbackWorkers = 64

// claimCallbacks takes callbacks that are due for delivery. A claim that only parks or brings back is work too:
// behind it there may be more.
func (gw *Gateway) claimCallbacks(ctx context.Context, limit int) ([]func(context.Context), error) {
	some := false
	err := gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		some, err = gw.desk.Offers(r, gw.now())
		return err
	})
	if err != nil || !some {
		return nil, err
	}
	var claimed *callback.Claimed
	var lost due.Asides
	err = gw.cfg.Store.Update(ctx, func(tx store.Tx) (err error) {
		lost = nil
		claimed, err = gw.desk.Claim(tx, gw.now(), limit, func(tx store.Tx, id string, reason error) error {
			return lost.Add(tx, store.Aside{Work: store.WorkCallback, ID: id, At: gw.now()}, reason)
		})
		return err
	})
	if err != nil {
		if errors.Is(err, store.ErrUnknownCommit) {
			gw.unclaim(ctx, claimed)
		}
		return nil, err
	}
	gw.desk.Took(claimed)
	gw.queues.Tell(ctx, lost)
	items := make([]func(context.Context), 0, len(claimed.Callbacks))
	for _, c := range claimed.Callbacks {
		items = append(items, func(ctx context.Context) { gw.deliver(ctx, c) })
	}
	if len(items) == 0 && claimed.Moved {
		items = append(items, func(context.Context) {})
	}
	return items, nil
}

// deliver makes one attempt and records what came of it.
func (gw *Gateway) deliver(ctx context.Context, c store.Callback) {
	defer func() { // a worker is free, and the payment's next callback may have waited for this one
		gw.desk.Done(&c)
		gw.nudge()
	}()
	call, cancel := context.WithTimeout(ctx, callback.Lease/2)
	defer cancel()
	if c.SealedBody != nil {
		body, err := gw.seals.OpenBytes(call, vault.ReturnData, c.MerchantID, c.ID, c.SealedBody)
		if due.IsShut(err) {
			gw.shutCallback(ctx, &c, err)
			return
		}
		if err != nil { // the key provider may be back by the next try
			gw.queues.PutOff(ctx, store.WorkCallback, c.ID, err)
			gw.giveBackTry(ctx, &c)
			return
		}
		c.Body = body
	}
	receipt := gw.cfg.Notifier.Deliver(call, callback.Delivery{
		ID: c.ID, Attempt: c.Tries, URL: c.URL, ContentType: callback.ContentType, Body: c.Body, RequireOK: c.RequireOK,
	})
	if ctx.Err() != nil && receipt.Verdict != callback.Accepted {
		gw.giveBackTry(ctx, &c) // we were stopped, not refused
		return
	}
	err := gw.update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		return callback.Finish(tx, c.ID, c.Tries, receipt, gw.cfg.Retry, gw.now())
	})
	if err != nil {
		gw.cfg.Log.Error("a delivery could not be recorded", "callback", c.ID, "error", err)
	}
}

// giveBackTry gives back the try of a callback that was claimed and not delivered. Should the store fail, the lease
// runs out.
func (gw *Gateway) giveBackTry(ctx context.Context, c *store.Callback) {
	err := gw.update(context.WithoutCancel(ctx), func(tx store.Tx) error { return callback.GiveBack(tx, c, gw.now()) })
	if err != nil {
		gw.cfg.Log.Error("a try could not be given back", "callback", c.ID, "error", err)
	}
}

// unclaim gives back the tries of a claim that the store may have committed, and of which nothing is delivered.
func (gw *Gateway) unclaim(ctx context.Context, claimed *callback.Claimed) {
	if claimed == nil {
		return
	}
	for i := range claimed.Callbacks {
		gw.giveBackTry(ctx, &claimed.Callbacks[i])
	}
}

// shutCallback sets a claimed callback aside whose body will never open, and lets go what waits for it.
func (gw *Gateway) shutCallback(ctx context.Context, c *store.Callback, reason error) {
	err := gw.queues.SetAside(ctx, store.Aside{Work: store.WorkCallback, ID: c.ID, At: gw.now()}, reason, func(tx store.Tx) (bool, error) {
		return callback.Leave(tx, c.ID, c.Tries, gw.now())
	})
	if err != nil {
		gw.cfg.Log.Error("a callback does not open", "callback", c.ID, "error", err)
	}
}
