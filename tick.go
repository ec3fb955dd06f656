package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/retention"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// idle is how long Run waits at most before it looks again: another instance may have left work.
const idle = time.Second

// Tick does what is due now, at most limit items, one after another: open transactions are asked about,
// callbacks delivered, scheduled payments made. It reports how many items it did and when the next one is due; the zero time
// means that nothing is. Tests and hosts with their own scheduler call it; Run does for everybody else.
// Faults of single items are logged and tried again later; an error is a store that does not work.
func (gw *Gateway) Tick(ctx context.Context, limit int) (done int, next time.Time, err error) {
	if err := gw.gate.Enter(); err != nil {
		return 0, time.Time{}, err
	}
	defer gw.gate.Leave()
	for _, kind := range gw.kinds() {
		for done < limit {
			items, err := kind.claim(ctx, min(kind.batch, limit-done))
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
// batch bounds one claim: what is claimed must be done before its lease ends.
type work struct {
	wake    <-chan struct{}
	claim   func(ctx context.Context, limit int) ([]func(context.Context), error)
	batch   int
	workers int
}

// kinds lists the kinds of due work. Each has workers of its own, so that a slow merchant never delays
// recovery.
func (gw *Gateway) kinds() []work {
	return []work{
		{wake: gw.wakeDoubts, claim: gw.engine.Claim, batch: 8, workers: due.CrewWorkers},
		{wake: gw.wakeCallbacks, claim: gw.claimCallbacks, batch: 32, workers: callbackWorkers},
		{wake: gw.wakeDue, claim: gw.agreements.Claim, batch: 8, workers: due.CrewWorkers},
		{claim: gw.claimHeld, batch: 32, workers: 1},
		{claim: gw.sweeper.Claim, batch: 1, workers: 1},
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

// run hands work to workers as they get free: one that is stuck holds up nobody else.
func (gw *Gateway) run(ctx context.Context, kind work) {
	slots := make(chan struct{}, kind.workers)
	var running sync.WaitGroup
	defer running.Wait()
	for ctx.Err() == nil {
		free := takeSlots(ctx, slots, kind.batch)
		items, err := gw.claimed(ctx, kind, free)
		if errors.Is(err, refusal.ErrUnavailable) {
			return
		}
		if err != nil && ctx.Err() == nil {
			gw.cfg.Log.Error("due work could not be claimed", "error", err)
		}
		for range free - len(items) {
			<-slots
		}
		for _, item := range items {
			running.Go(func() {
				defer func() { <-slots; gw.gate.Leave() }()
				item(ctx)
			})
		}
		if len(items) == 0 {
			rest(ctx, kind.wake)
		}
	}
}

// takeSlots waits for one slot and takes what else is free, at most limit.
func takeSlots(ctx context.Context, slots chan struct{}, limit int) (taken int) {
	select {
	case slots <- struct{}{}:
		taken++
	case <-ctx.Done():
		return 0
	}
	for taken < limit {
		select {
		case slots <- struct{}{}:
			taken++
		default:
			return taken
		}
	}
	return taken
}

// claimed claims work and counts every item in, so that Close waits for it.
func (gw *Gateway) claimed(ctx context.Context, kind work, limit int) ([]func(context.Context), error) {
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	items, err := kind.claim(ctx, limit)
	if err != nil {
		return nil, err
	}
	gw.gate.Add(len(items))
	return items, nil
}

// rest waits until something is queued here, or a moment.
func rest(ctx context.Context, wake <-chan struct{}) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
}

// nudge wakes Run because something was queued.
func (gw *Gateway) nudge() {
	for _, wake := range []chan struct{}{gw.wakeDoubts, gw.wakeCallbacks, gw.wakeDue} {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

// anyDue looks, without writing, whether a queue has something to do.
func (gw *Gateway) anyDue(ctx context.Context, queue store.Queue) (some bool, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		ids, err := queue.Due(r, gw.now(), 1)
		some = len(ids) > 0
		return err
	})
	return some, err
}

// nextDue is when the earliest work of any kind is due.
func (gw *Gateway) nextDue(ctx context.Context) (next time.Time, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		for _, queue := range []dueQueueOf{
			{records.RecoveryQueue.Next, gw.engine.Offers}, {callback.Outbox.Next, gw.desk.Offers}, {records.DueQueue.Next, gw.agreements.Offers},
			{records.HeldQueue.Next, nil},
		} {
			at, err := queue.moment(r, gw.now())
			if err != nil {
				return err
			}
			next = due.Earlier(next, at)
		}
		at, err := retention.Due(r)
		next = due.Earlier(next, at)
		return err
	})
	return next, err
}

// dueQueueOf is a queue of due work. offers reports whether a claim would take anything now; nil where what is due is
// always taken.
type dueQueueOf struct {
	next   func(store.Reader) (time.Time, error)
	offers func(store.Reader, time.Time) (bool, error)
}

// moment is when to look at the queue again. What is due already and waits until others have ended, as each party has
// its share of the workers, is looked at after a while and not at once.
func (q dueQueueOf) moment(r store.Reader, now time.Time) (time.Time, error) {
	due, err := q.next(r)
	if err != nil || q.offers == nil || due.IsZero() || due.After(now) {
		return due, err
	}
	some, err := q.offers(r, now)
	if !some && err == nil {
		due = now.Add(idle)
	}
	return due, err
}
