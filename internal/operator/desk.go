// Package operator is what the people of a platform see and do: payments with filters, what waits for a decision, what
// could not be delivered or read, and what is due.
package operator

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/watch"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Desk reads and changes the records of one store. All fields are required.
type Desk struct {
	Store store.Store
	Now   func() time.Time // in UTC, without the monotonic part
	Watch *watch.Watch
	Nudge func(store.Work) // is called when some of it may be due
	// Requeue gives an item that was set aside its place in its queue again.
	Requeue map[store.Work]func(tx store.Tx, id string) error
	// Queues tell since when, or from when on, the oldest item of each kind of due work is due.
	Queues []Queue
}

// Queue is a queue of due work.
type Queue struct {
	Work   store.Work
	Oldest func(store.Reader) (time.Time, error)
}

// Fair returns a row of a fair queue.
func Fair(work store.Work, q store.FairQueue) Queue {
	return Queue{work, func(r store.Reader) (time.Time, error) { return q.Oldest(r, maxLanes) }}
}

// maxLanes is how many lanes one look for the oldest item reads.
const maxLanes = 1000

func (d *Desk) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, d.Store, fn)
}

// Transactions returns every transaction of a payment, oldest first. Error: ErrNoPayment.
func (d *Desk) Transactions(ctx context.Context, paymentID string) (list []store.Transaction, err error) {
	p, err := records.Read(ctx, d.Store, records.Payments, paymentID)
	if err != nil {
		return nil, records.NoPayment(err)
	}
	for _, t := range p.Transactions {
		list = append(list, t.Transaction)
	}
	return list, nil
}

// Callbacks returns every callback of a payment, oldest first. Error: ErrNoPayment.
func (d *Desk) Callbacks(ctx context.Context, paymentID string) ([]store.Callback, error) {
	return d.callbacks(ctx, func(r store.Reader) ([]records.Callback, error) {
		p, err := records.Payments.Get(r, paymentID)
		if err != nil {
			return nil, records.NoPayment(err)
		}
		return callback.OfPayment(r, p.ID, p.Callbacks)
	})
}

// Dead returns callbacks whose last try failed, oldest payment first, at most limit, after the one with an id.
func (d *Desk) Dead(ctx context.Context, after string, limit int) ([]store.Callback, error) {
	return d.callbacks(ctx, func(r store.Reader) ([]records.Callback, error) { return callback.Dead(r, after, limit) })
}

// callbacks returns what operators get of the callbacks that read finds.
func (d *Desk) callbacks(ctx context.Context,
	read func(store.Reader) ([]records.Callback, error)) (list []store.Callback, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		found, err := read(r)
		list = make([]store.Callback, len(found))
		for i := range found {
			list[i] = found[i].Callback
		}
		return err
	})
	return list, err
}

// Blocked returns the endpoints that are blocked now, at most limit.
func (d *Desk) Blocked(ctx context.Context, limit int) (list []callback.Endpoint, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		list = nil
		for e, err := range records.Endpoints.Scan(r, maxScan) {
			if err != nil && !store.IsUnreadable(err) {
				return err
			}
			if _, blocked := e.Blocked(d.Now()); err == nil && blocked && len(list) < limit {
				list = append(list, e)
			}
		}
		return nil
	})
	return list, err
}

// Resend makes a callback due at once, whether it is delivered or dead. Error: ErrNoCallback.
func (d *Desk) Resend(ctx context.Context, callbackID string) error {
	err := d.update(ctx, func(tx store.Tx) error {
		if err := callback.Resend(tx, callbackID, d.Now()); err != nil {
			return err
		}
		_, err := due.Unlist(tx, store.WorkCallback, callbackID)
		return err
	})
	if records.Absent(err) {
		return refusal.ErrNoCallback
	}
	d.Nudge(store.WorkCallback)
	return err
}

// Unblock lifts the block of an endpoint: lift does it, and shown names it in the event.
func (d *Desk) Unblock(ctx context.Context, shown string, lift func(store.Tx, time.Time) error) error {
	err := d.update(ctx, func(tx store.Tx) error { return lift(tx, d.Now()) })
	if err == nil {
		d.Watch.Tell(ctx, observe.EndpointFreed{Endpoint: shown, ByHand: true, At: d.Now()})
	}
	d.Nudge(store.WorkCallback)
	return err
}

// Asides returns what was set aside, by kind and id, at most limit.
func (d *Desk) Asides(ctx context.Context, limit int) (list []store.Aside, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
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

// Resume puts an item that was set aside back into its queue, due now. Error: ErrNoAside.
func (d *Desk) Resume(ctx context.Context, work store.Work, id string) error {
	return d.takeAside(ctx, work, id, func(tx store.Tx) error {
		requeue, ok := d.Requeue[work]
		if !ok {
			return fmt.Errorf("gateway: no queue for work %q, which is set aside", work)
		}
		return requeue(tx, id)
	})
}

// Forget takes an item off the list of what was set aside; nothing else changes. Error: ErrNoAside.
func (d *Desk) Forget(ctx context.Context, work store.Work, id string) error {
	return d.takeAside(ctx, work, id, func(store.Tx) error { return nil })
}

func (d *Desk) takeAside(ctx context.Context, work store.Work, id string, do func(store.Tx) error) error {
	err := d.update(ctx, func(tx store.Tx) error {
		listed, err := due.Unlist(tx, work, id)
		switch {
		case err != nil:
			return err
		case !listed:
			return refusal.ErrNoAside
		}
		return do(tx)
	})
	d.Nudge(work)
	return err
}

// Due returns since when, or from when on, the oldest item of each kind of work is due; kinds without any are left out.
func (d *Desk) Due(ctx context.Context) (earliest map[store.Work]time.Time, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		earliest = map[store.Work]time.Time{}
		for _, q := range d.Queues {
			next, err := q.Oldest(r)
			if err != nil {
				return err
			}
			if !next.IsZero() {
				earliest[q.Work] = next
			}
		}
		return nil
	})
	return earliest, err
}
