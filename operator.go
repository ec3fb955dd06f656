package gateway

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/operator"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/store"
)

// Operator is what the people of a platform see and do. It is for the host: it checks no merchant. A list has at most
// limit items, so zero gives none; where there is an after, it is the id of the last item of the list before, empty for
// the first list. What cannot be read is left out of lists (SetAside).
type Operator struct{ gw *Gateway }

// Operator returns the operators' view.
func (gw *Gateway) Operator() Operator { return Operator{made(gw)} }

func (o Operator) desk() *operator.Desk { return made(o.gw).desk }

func (gw *Gateway) newDesk(w *watch.Watch) *operator.Desk {
	return &operator.Desk{
		Store: gw.cfg.Store, Now: gw.cfg.now, Watch: w, Nudge: gw.runner.Nudge,
		Requeue: map[store.Work]func(store.Tx, string) error{
			store.WorkCallback: func(tx store.Tx, id string) error { return callback.Resend(tx, id, gw.Now()) },
			store.WorkRecovery: gw.engine.Requeue,
			store.WorkSchedule: gw.agreements.Requeue,
			store.WorkExpiry:   gw.sessions.RequeueHeld,
			store.WorkPurge:    func(store.Tx, string) error { return nil }, // the next lap comes by again
		},
		Queues: []operator.Queue{
			operator.Fair(store.WorkRecovery, records.RecoveryQueue), operator.Fair(store.WorkCallback, callback.Outbox),
			operator.Fair(store.WorkSchedule, records.DueQueue), {Work: store.WorkExpiry, Oldest: records.HeldQueue.Next},
		},
	}
}

// PaymentFilter chooses payments. The zero value chooses all; each field that is set narrows the choice.
type PaymentFilter = store.PaymentFilter

// Payments returns the payments that a filter chooses, the newest first. A caller who stops goes on by Before with the
// id of the last payment. It yields one error at most, and then ends: ErrInvalid for a filter that cannot be used, or
// that of the store.
func (o Operator) Payments(ctx context.Context, f PaymentFilter) iter.Seq2[store.Payment, error] {
	return o.desk().Payments(ctx, f)
}

// Transactions returns every transaction of a payment, oldest first. Error: ErrNoPayment.
func (o Operator) Transactions(ctx context.Context, paymentID string) ([]store.Transaction, error) {
	return o.desk().Transactions(ctx, paymentID)
}

// Configuration is what is saved of a merchant, without passwords, secrets and keys of wallets.
type Configuration = store.Configuration

// Merchants returns merchants in the order of their ids, without their passwords.
func (o Operator) Merchants(ctx context.Context, after string, limit int) ([]store.Merchant, error) {
	return o.desk().Merchants(ctx, after, limit)
}

// Configuration returns what is saved of a merchant, by its id. Error: store.ErrNotFound.
func (o Operator) Configuration(ctx context.Context, merchantID string) (Configuration, error) {
	return o.desk().Configuration(ctx, merchantID)
}

// Schedules returns schedules of a merchant in the order of their ids.
func (o Operator) Schedules(ctx context.Context, merchantID, after string, limit int) ([]store.Schedule, error) {
	return o.desk().Schedules(ctx, merchantID, after, limit)
}

// Agreement is an agreement on later payments, without the token that charges its card.
type Agreement = store.Agreement

// Agreements returns agreements of a merchant on later payments, at most limit.
func (o Operator) Agreements(ctx context.Context, merchantID string, limit int) ([]Agreement, error) {
	return o.desk().Agreements(ctx, merchantID, limit)
}

// Callbacks returns every callback of a payment, oldest first, with the log of their deliveries. Error: ErrNoPayment.
func (o Operator) Callbacks(ctx context.Context, paymentID string) ([]store.Callback, error) {
	return o.desk().Callbacks(ctx, paymentID)
}

// DeadCallbacks returns callbacks whose last try failed, so that none follows; those of the oldest payments first.
func (o Operator) DeadCallbacks(ctx context.Context, after string, limit int) ([]store.Callback, error) {
	return o.desk().Dead(ctx, after, limit)
}

// Resend makes a callback due at once, whether it is delivered or dead. Error: ErrNoCallback.
func (o Operator) Resend(ctx context.Context, callbackID string) error {
	return o.desk().Resend(ctx, callbackID)
}

// BlockedEndpoints returns where nothing is sent now, with the end: a URL, "host NAME" or "merchant ID" (field URL).
func (o Operator) BlockedEndpoints(ctx context.Context, limit int) ([]callback.Endpoint, error) {
	return o.desk().Blocked(ctx, limit)
}

// Unblock lifts the block of a callback URL before its time. A URL without a block is no error.
func (o Operator) Unblock(ctx context.Context, url string) error {
	return o.desk().Unblock(ctx, delivery.Shown(url), func(tx store.Tx, now time.Time) error {
		return callback.Unblock(tx, url, now)
	})
}

// UnblockHost lifts the block of a host whose URLs do not answer.
func (o Operator) UnblockHost(ctx context.Context, host string) error {
	return o.desk().Unblock(ctx, "host "+host, func(tx store.Tx, now time.Time) error {
		return callback.UnblockHost(tx, host, now)
	})
}

// UnblockMerchant lifts the block of a merchant whose URLs do not answer.
func (o Operator) UnblockMerchant(ctx context.Context, id string) error {
	return o.desk().Unblock(ctx, "merchant "+id, func(tx store.Tx, now time.Time) error {
		return callback.UnblockMerchant(tx, id, now)
	})
}

// What cannot be read is set aside, and everything else goes on: due work whose record is damaged, missing, of an
// unknown schema or sealed under a key that is gone; a MID, a mapping or the wallets of a merchant. When a store or a
// key provider does not answer, nothing is set aside, and the work is tried again.

// Work is a kind of due work or of configuration. Items of each kind may be set aside.
type Work = store.Work

// The kinds of work. Each comment says what the id of an item is.
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

// SetAside returns what was set aside because it cannot be read, by kind and id, at most limit. Work that ends
// otherwise, by a notification, a decision or a request of the merchant, leaves the list by itself.
func (o Operator) SetAside(ctx context.Context, limit int) ([]store.Aside, error) {
	return o.desk().Asides(ctx, limit)
}

// Resume puts an item that was set aside back into its queue, due now, after its record was repaired. The redeliveries
// of a callback start over. What still cannot be read is set aside again. Error: ErrNoAside if it is not on the list.
func (o Operator) Resume(ctx context.Context, work Work, id string) error {
	return o.desk().Resume(ctx, work, id)
}

// Forget takes an item off the list of what was set aside. It stays undone. Error: ErrNoAside.
func (o Operator) Forget(ctx context.Context, work Work, id string) error {
	return o.desk().Forget(ctx, work, id)
}

// Health is what a probe of a platform asks.
type Health struct {
	Running bool               // Run does due work in this process
	Due     map[Work]time.Time // since when the oldest work of each kind is due, or from when on; absent without work
}

// Health reads the store, and reports what is due. An error means that the store cannot be read.
func (o Operator) Health(ctx context.Context) (Health, error) {
	earliest, err := o.desk().Due(ctx)
	if err != nil {
		return Health{}, fmt.Errorf("gateway: the store cannot be read: %w", err)
	}
	return Health{Running: o.gw.runner.Running(), Due: earliest}, nil
}
