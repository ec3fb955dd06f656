package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// batch is how many due items one claim takes (design.md, section 3).
const batch = 100

// idle is how long Run waits at most before it looks again: another instance may have left work.
const idle = time.Second

// Tick does what is due now, at most limit items, one after another: open transactions are asked about,
// callbacks delivered. It reports how many items it did and when the next one is due; the zero time
// means that nothing is. Tests and hosts with their own scheduler call it; Run does for everybody else.
// Faults of single items are logged and tried again later; an error is a store that does not work.
func (gw *Gateway) Tick(ctx context.Context, limit int) (done int, next time.Time, err error) {
	if err := gw.enter(); err != nil {
		return 0, time.Time{}, err
	}
	defer gw.leave()
	for _, kind := range gw.kinds() {
		for done < limit {
			items, err := kind.claim(ctx, min(batch, limit-done))
			if err != nil {
				return done, time.Time{}, err
			}
			for _, item := range items {
				item(ctx)
			}
			done += len(items)
			if len(items) == 0 {
				break
			}
		}
	}
	next, err = gw.nextDue(ctx)
	return done, next, err
}

// work is one kind of due work: claim takes up to limit items and hands each back as something to do.
type work struct {
	claim   func(ctx context.Context, limit int) ([]func(context.Context), error)
	workers int
}

// kinds lists the kinds of due work. Each has workers of its own, so that a slow merchant never delays
// recovery.
func (gw *Gateway) kinds() []work {
	return []work{
		{claim: gw.claimDoubts, workers: 4},
		{claim: gw.claimCallbacks, workers: 16},
	}
}

// Run does what is due until ctx ends, with workers for each kind of work, and returns when they have
// finished. Any number of instances may run on one store.
func (gw *Gateway) Run(ctx context.Context) error {
	var running sync.WaitGroup
	for _, kind := range gw.kinds() {
		running.Go(func() { gw.run(ctx, kind) })
	}
	running.Wait()
	return context.Cause(ctx)
}

func (gw *Gateway) run(ctx context.Context, kind work) {
	for ctx.Err() == nil {
		did, err := gw.pass(ctx, kind)
		if errors.Is(err, ErrUnavailable) {
			return
		}
		if err != nil && ctx.Err() == nil {
			gw.cfg.Log.Error("due work could not be claimed", "error", err)
		}
		if did == 0 {
			gw.rest(ctx)
		}
	}
}

// pass claims one batch and does it with the kind's workers.
func (gw *Gateway) pass(ctx context.Context, kind work) (int, error) {
	if err := gw.enter(); err != nil {
		return 0, err
	}
	defer gw.leave()
	items, err := kind.claim(ctx, batch)
	if err != nil {
		return 0, err
	}
	slots := make(chan struct{}, kind.workers)
	var running sync.WaitGroup
	for _, item := range items {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			item(ctx)
		})
	}
	running.Wait()
	return len(items), nil
}

// rest waits until something is queued here, or a moment.
func (gw *Gateway) rest(ctx context.Context) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-gw.wake:
	case <-timer.C:
	}
}

// nudge wakes Run because something was queued.
func (gw *Gateway) nudge() {
	select {
	case gw.wake <- struct{}{}:
	default:
	}
}

// claimDoubts takes transactions that recovery has to look at.
func (gw *Gateway) claimDoubts(ctx context.Context, limit int) ([]func(context.Context), error) {
	var claimed []*store.Transaction
	err := gw.update(ctx, func(tx store.Tx) error {
		claimed = nil
		now := gw.now()
		ids, err := recoveryQueue.Due(tx, now, limit)
		if err != nil {
			return err
		}
		for _, id := range ids {
			t, err := gw.claim(tx, id, now)
			if err != nil {
				return err
			}
			if t != nil {
				claimed = append(claimed, t)
			}
		}
		return nil
	})
	items := make([]func(context.Context), len(claimed))
	for i, t := range claimed {
		items[i] = func(ctx context.Context) {
			if err := gw.resolve(ctx, t); err != nil {
				gw.cfg.Log.Error("a transaction could not be resolved", "transaction", t.ID, "error", err)
			}
		}
	}
	return items, err
}

// claimCallbacks takes callbacks that are due for delivery.
func (gw *Gateway) claimCallbacks(ctx context.Context, limit int) ([]func(context.Context), error) {
	var claimed []store.Callback
	err := gw.update(ctx, func(tx store.Tx) (err error) {
		claimed, err = callback.Claim(tx, gw.now(), limit)
		return err
	})
	items := make([]func(context.Context), len(claimed))
	for i, c := range claimed {
		items[i] = func(ctx context.Context) { gw.deliver(ctx, c) }
	}
	return items, err
}

// deliver makes one attempt and records what came of it.
func (gw *Gateway) deliver(ctx context.Context, c store.Callback) {
	call, cancel := context.WithTimeout(ctx, callback.Lease/2)
	defer cancel()
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
	}
}

// nextDue is when the earliest work of any kind is due.
func (gw *Gateway) nextDue(ctx context.Context) (next time.Time, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		for _, queue := range []store.Queue{recoveryQueue, callback.DueQueue} {
			due, err := queue.Next(r)
			if err != nil {
				return err
			}
			if !due.IsZero() && (next.IsZero() || due.Before(next)) {
				next = due
			}
		}
		return nil
	})
	return next, err
}
