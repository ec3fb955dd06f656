package gateway

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// What cannot be read is set aside, and everything else goes on: due work whose record is damaged, missing, of an
// unknown schema or sealed under a key that is gone; a MID, a mapping or the wallets of a merchant. When a store or a
// key provider does not answer, nothing is set aside, and the work is tried again.

// Work is a kind of due work or of configuration. Items of each kind may be set aside.
type Work = store.Work

// The kinds.
const (
	WorkCallback = store.WorkCallback // the id is the callback's
	WorkRecovery = store.WorkRecovery // "payment/number" of the transaction
	WorkSchedule = store.WorkSchedule // of the queue: "c:merchant/token" of a chain, "p:merchant/id" of a schedule
	WorkExpiry   = store.WorkExpiry   // the session's
	WorkPurge    = store.WorkPurge    // the record's key; the record stays where it is
	WorkMID      = store.WorkMID      // "merchant/id"; only reported, never listed
	WorkMapping  = store.WorkMapping  // "merchant/protocol"; only reported, never listed
	WorkWallets  = store.WorkWallets  // the merchant's; only reported, never listed
	WorkMerchant = store.WorkMerchant // the merchant's; only reported, never listed
)

// Aside is an item that was set aside, with the time and the reason.
type Aside = store.Aside

// SetAside returns what was set aside, by kind and id, at most limit. Resume puts an item back into its queue. Work
// that ends otherwise, by a notification, a decision or a request of the merchant, leaves the list by itself.
func (gw *Gateway) SetAside(ctx context.Context, limit int) (list []store.Aside, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		list = nil
		for a, err := range records.Asides.Scan(r, limit) {
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		return nil
	})
	return list, err
}

// Resume puts an item back into its queue, due now, after its record was repaired. The redeliveries of a callback start
// over. What still cannot be read is set aside again. Error: ErrNoAside if the item is not on the list.
func (gw *Gateway) Resume(ctx context.Context, work store.Work, id string) error {
	err := gw.update(ctx, func(tx store.Tx) error {
		key := records.Short(id)
		if _, err := records.Asides.Get(tx, string(work), key); records.Absent(err) {
			return refusal.ErrNoAside
		}
		if err := gw.requeue(tx, work, id); err != nil {
			return err
		}
		return records.Asides.Delete(tx, string(work), key)
	})
	gw.runner.Nudge()
	return err
}

// requeue gives an item its place in its queue again.
func (gw *Gateway) requeue(tx store.Tx, work store.Work, id string) error {
	switch work {
	case store.WorkCallback:
		return callback.Resend(tx, id, gw.now())
	case store.WorkRecovery:
		return gw.engine.Requeue(tx, id)
	case store.WorkSchedule:
		return gw.agreements.Requeue(tx, id)
	case store.WorkExpiry:
		return gw.sessions.RequeueHeld(tx, id)
	case store.WorkPurge: // the next lap comes by again
		return nil
	case store.WorkMID, store.WorkMapping, store.WorkWallets, store.WorkMerchant: // never listed
	}
	return fmt.Errorf("gateway: no queue for work %q, which is set aside", work)
}
