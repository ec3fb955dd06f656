// Package delivery delivers the callbacks that are due.
package delivery

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/store"
)

// Courier delivers callbacks. Parties take turns and share its workers (callback.Desk).
type Courier struct {
	Ports
	desk *callback.Desk
}

// Ports are what a courier needs from outside. All of them are required.
type Ports struct {
	Store    store.Store
	Now      func() time.Time
	Log      *slog.Logger
	Watch    *watch.Watch
	Seals    *seal.Sealer
	Queues   *due.Queues
	Notifier callback.Notifier
	Retry    callback.Schedule
	Workers  int // how many callbacks one instance delivers at a time
	Runner   Runner
}

// Runner has workers for the callbacks.
type Runner interface {
	Running() bool
	Queued(store.Work) // something was noted
}

// New returns a courier over its ports.
func New(p Ports) *Courier { return &Courier{Ports: p, desk: callback.NewDesk(p.Workers)} }

// Offers reports whether Claim would take anything now.
func (d *Courier) Offers(r store.Reader, now time.Time) (bool, error) { return d.desk.Offers(r, now) }

// Workers is how many callbacks one instance delivers at a time, unless its host sets another number.
const Workers = 64

// Claim takes callbacks that are due for delivery. A claim that only moves callbacks within the queue counts as
// work too, because there may be more in it.
func (d *Courier) Claim(ctx context.Context, limit int) ([]func(context.Context), error) {
	return d.ClaimUntil(ctx, limit, time.Time{})
}

// ClaimUntil is Claim without the callbacks that came due after until, unless that is the zero time.
func (d *Courier) ClaimUntil(ctx context.Context, limit int, until time.Time) ([]func(context.Context), error) {
	var claimed *callback.Claimed
	var lost due.Asides
	err := d.Store.Update(ctx, func(tx store.Tx) (err error) {
		lost = nil
		claimed, err = d.desk.ClaimUntil(tx, d.Now(), until, limit, func(tx store.Tx, id string, reason error) error {
			return lost.Add(tx, store.Aside{Work: store.WorkCallback, ID: id, At: d.Now()}, reason)
		})
		return err
	})
	if err != nil {
		d.unclaim(ctx, claimed, err)
		return nil, err
	}
	d.Queues.ReportAsides(ctx, lost)
	items := d.items(claimed)
	if len(items) == 0 && claimed.Moved {
		items = append(items, func(context.Context) {})
	}
	return items, nil
}

// Queued has a callback of a payment that was queued here sent at once, by its number, if workers run.
func (d *Courier) Queued(p *store.Payment, number int) {
	d.note(callback.Noted{ID: store.CallbackID(p.ID, number), MerchantID: p.MerchantID, URL: p.NotificationURL})
}

func (d *Courier) note(list ...callback.Noted) {
	if len(list) == 0 || !d.Runner.Running() {
		return
	}
	for _, c := range list {
		c.At = d.Now()
		d.desk.Note(c)
	}
	d.Runner.Queued(store.WorkCallback)
}

// ClaimQueued takes callbacks that were queued here, by their keys. It reads nothing when there are none.
func (d *Courier) ClaimQueued(ctx context.Context, limit int) (items []func(context.Context), err error) {
	for len(items) == 0 && err == nil {
		noted := d.desk.Noted(d.Now(), limit)
		if noted.Empty() {
			return nil, nil
		}
		items, err = d.claim(ctx, noted)
	}
	return items, err
}

// ClaimMore takes what ClaimUntil would take, but chooses it outside of the transaction, and does nothing else for the
// queue.
func (d *Courier) ClaimMore(ctx context.Context, limit int, until time.Time) ([]func(context.Context), error) {
	var chosen *callback.Chosen
	err := d.Store.View(ctx, func(r store.Reader) (err error) {
		chosen, err = d.desk.Choose(r, d.Now(), until, limit)
		return err
	})
	if err != nil || chosen.Empty() {
		return nil, err
	}
	return d.claim(ctx, chosen)
}

func (d *Courier) claim(ctx context.Context, chosen *callback.Chosen) ([]func(context.Context), error) {
	var claimed *callback.Claimed
	err := store.Optimistic(ctx, d.Store, func(tx store.Tx) (err error) {
		claimed, err = d.desk.ClaimChosen(tx, d.Now(), chosen)
		return err
	})
	if err != nil {
		d.unclaim(ctx, claimed, err)
		return nil, err
	}
	return d.items(claimed), nil
}

// items counts what was claimed, and returns its deliveries.
func (d *Courier) items(claimed *callback.Claimed) []func(context.Context) {
	d.desk.Took(claimed)
	items := make([]func(context.Context), 0, len(claimed.Callbacks))
	for _, c := range claimed.Callbacks {
		items = append(items, func(ctx context.Context) { d.deliver(ctx, c) })
	}
	return items
}

// deliver makes one attempt and records its result.
func (d *Courier) deliver(ctx context.Context, c records.Callback) {
	defer d.desk.Done(&c)
	call, cancel := context.WithTimeout(ctx, callback.Lease/2)
	defer cancel()
	if c.SealedBody != nil {
		body, err := d.Seals.OpenBytes(call, vault.ReturnData, c.MerchantID, c.ID, c.SealedBody)
		if due.IsShut(err) {
			d.shutCallback(ctx, &c, err)
			return
		}
		if err != nil { // the key provider may be back by the next try
			d.Queues.PutOff(ctx, store.WorkCallback, c.ID, err)
			d.giveBackTry(ctx, &c)
			return
		}
		c.Body = string(body)
	}
	began := d.Now()
	receipt := d.Notifier.Deliver(call, callback.Delivery{
		ID: c.ID, Attempt: c.Tries, URL: c.URL, ContentType: callback.ContentType, Body: []byte(c.Body),
		RequireOK: c.RequireOK, MerchantID: c.MerchantID, PaymentID: c.PaymentID, TransactionID: c.TransactionID,
		Type: c.Type, CreatedAt: c.CreatedAt,
	})
	if ctx.Err() != nil && receipt.Verdict != callback.Accepted {
		d.giveBackTry(ctx, &c) // we were stopped, not refused
		return
	}
	ended := d.Now()
	var done callback.Finished
	err := store.Optimistic(context.WithoutCancel(ctx), d.Store, func(tx store.Tx) (err error) {
		done, err = callback.Finish(tx, c.ID, c.Tries, receipt, d.Retry, ended)
		return err
	})
	if err != nil {
		d.Log.Error("a delivery could not be recorded", "callback", c.ID, "error", err)
		return
	}
	d.note(done.Released...)
	d.report(ctx, &attempt{&c, receipt, done, began, ended})
}

// report tells what became of a try, and of the endpoints that it blocked or freed.
func (d *Courier) report(ctx context.Context, a *attempt) {
	for _, e := range a.endpoints() {
		d.Watch.Tell(ctx, e)
	}
	if a.done.Dead || d.Watch.Listens(ctx) {
		d.Watch.Tell(ctx, a.event())
	}
}

// giveBackTry gives back the try of a callback that was claimed and not sent. If the store fails, the lease runs
// out.
func (d *Courier) giveBackTry(ctx context.Context, c *records.Callback) {
	err := store.Optimistic(context.WithoutCancel(ctx), d.Store,
		func(tx store.Tx) error { return callback.GiveBack(tx, c, d.Now()) })
	if err != nil {
		d.Log.Error("a try could not be given back", "callback", c.ID, "error", err)
	}
}

// unclaim gives back the tries of a claim that failed, and of which nothing is sent, if the store may have committed
// it.
func (d *Courier) unclaim(ctx context.Context, claimed *callback.Claimed, err error) {
	if claimed == nil || !errors.Is(err, store.ErrUnknownCommit) {
		return
	}
	for i := range claimed.Callbacks {
		d.giveBackTry(ctx, &claimed.Callbacks[i])
	}
}

// shutCallback sets aside a claimed callback whose body can never be opened, and releases the callbacks that wait
// for it.
func (d *Courier) shutCallback(ctx context.Context, c *records.Callback, reason error) {
	err := d.Queues.SetAside(ctx, store.Aside{Work: store.WorkCallback, ID: c.ID, At: d.Now()}, reason,
		func(tx store.Tx) (bool, error) {
			return callback.Leave(tx, c.ID, c.Tries, d.Now())
		})
	if err != nil {
		d.Log.Error("the body of a callback cannot be opened", "callback", c.ID, "error", err)
	}
}
