// Package work does what is due, with workers for each kind of work, so that a slow party of one kind never delays
// another.
package work

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// idle is how long Run waits at most before it checks again, because another instance may have queued work.
const idle = time.Second

// maxClaim bounds how many items one claim of Run takes, since a claim is one transaction.
const maxClaim = 64

// Gate counts operations, so that a host that closes waits for them.
type Gate interface {
	Enter() error
	Add(n int)
	Leave()
}

// Kind is a kind of due work.
type Kind struct {
	Work store.Work
	// Claim takes up to limit items and returns each as a function to run. The runner has looked before whether there
	// is something to take, which another may have taken since.
	Claim func(ctx context.Context, limit int) ([]func(context.Context), error)
	// Batch bounds a claim of Tick, which does one item after another: all must be done before their lease ends.
	Batch int
	// Workers is how many items Run does at a time. It claims for all who are free, up to maxClaim.
	Workers int
	// Next returns when the earliest item is due, or any moment in the past when one is due already; the zero time for
	// none.
	Next func(store.Reader) (time.Time, error)
	// Offers reports whether a claim would take anything now; nil if due items can always be claimed.
	Offers func(store.Reader, time.Time) (bool, error)

	wake chan struct{} // one token: there may be something to do
}

// Runner does the work of its kinds.
type Runner struct {
	Store store.Store
	Now   func() time.Time
	Log   *slog.Logger
	Gate  Gate
	kinds []Kind
	runs  atomic.Int32 // calls of Run
}

// Running reports whether Run does what is due.
func (r *Runner) Running() bool { return r.runs.Load() > 0 }

// Add adds kinds of work, before anything runs.
func (r *Runner) Add(kinds ...Kind) {
	for _, kind := range kinds {
		kind.wake = make(chan struct{}, 1)
		r.kinds = append(r.kinds, kind)
	}
}

// Tick does what is due now, at most limit items, one after another, kind by kind. It returns how many items it did
// and when the next one is due; the zero time means never.
func (r *Runner) Tick(ctx context.Context, limit int) (done int, next time.Time, err error) {
	for from := 0; ; {
		if done >= limit {
			from = len(r.kinds)
		}
		found, next, err := r.look(ctx, from)
		if err != nil || found == len(r.kinds) {
			return done, next, err
		}
		kind := &r.kinds[found]
		items, err := kind.Claim(ctx, min(kind.Batch, limit-done))
		if err != nil {
			return done, time.Time{}, err
		}
		for _, item := range items {
			item(ctx)
		}
		done += len(items)
		if from = found; len(items) == 0 {
			from++
		}
	}
}

// look finds the first kind, from one on, that has something to do now. When there is none it returns the number of
// kinds, and when the earliest work of all is due: only then does it read the kinds before. A queue that cannot be read
// keeps Tick from no other: its error is returned when there is nothing else to do.
func (r *Runner) look(ctx context.Context, from int) (found int, next time.Time, err error) {
	err = r.Store.View(ctx, func(reader store.Reader) error {
		now, faults := r.Now(), []error(nil)
		next = time.Time{}
		for i := range r.kinds {
			found = (from + i) % len(r.kinds)
			at, err := r.kinds[found].moment(reader, now)
			switch {
			case err != nil:
				faults = append(faults, err)
			case found >= from && come(at, now):
				return nil
			default:
				next = due.Earlier(next, at)
			}
		}
		found = len(r.kinds)
		return errors.Join(faults...)
	})
	if err != nil {
		return found, time.Time{}, err
	}
	return found, next, nil
}

// Run does what is due until ctx ends, with workers for each kind of work, and returns nil when they have finished. Any
// number of instances may run on one store. A gateway that was closed before has no work.
func (r *Runner) Run(ctx context.Context) error {
	if err := r.Gate.Enter(); err != nil {
		return err
	}
	r.Gate.Leave()
	r.runs.Add(1)
	defer r.runs.Add(-1)
	var running sync.WaitGroup
	for _, kind := range r.kinds {
		running.Go(func() { r.run(ctx, kind) })
	}
	running.Wait()
	return nil
}

// run gives work to workers as they become free: a stuck worker delays no other.
func (r *Runner) run(ctx context.Context, kind Kind) {
	slots := make(chan struct{}, kind.Workers)
	var running sync.WaitGroup
	defer running.Wait()
	out := outage{Log: r.Log, work: kind.Work}
	for ctx.Err() == nil {
		free := takeSlots(ctx, slots, maxClaim)
		items, err := r.claimed(ctx, kind, free)
		if errors.Is(err, refusal.ErrUnavailable) {
			return
		}
		if ctx.Err() == nil {
			out.note(err, r.Now())
		}
		for range free - len(items) {
			<-slots
		}
		for _, item := range items {
			running.Go(func() {
				defer func() { <-slots; r.Gate.Leave(); kind.nudge() }()
				item(ctx)
			})
		}
		if len(items) == 0 {
			waitForWork(ctx, kind.wake)
		}
	}
}

// takeSlots waits for one slot and takes others that are free, at most limit.
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

// claimed claims work and counts every item in the gate.
func (r *Runner) claimed(ctx context.Context, kind Kind, limit int) ([]func(context.Context), error) {
	if err := r.Gate.Enter(); err != nil {
		return nil, err
	}
	defer r.Gate.Leave()
	if some, err := r.offers(ctx, &kind); err != nil || !some {
		return nil, err
	}
	items, err := kind.Claim(ctx, limit)
	if err != nil {
		return nil, err
	}
	r.Gate.Add(len(items))
	return items, nil
}

// waitForWork waits until something is queued here, or for a moment.
func waitForWork(ctx context.Context, wake <-chan struct{}) {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
}

// Nudge wakes the workers of a kind because something was queued for them.
func (r *Runner) Nudge(work store.Work) {
	for i := range r.kinds {
		if kind := &r.kinds[i]; kind.Work == work {
			kind.nudge()
		}
	}
}

// nudge is also called when an item has ended: another one may have waited for it, or for its party's share of the
// workers.
func (k *Kind) nudge() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// offers reports whether a claim of a kind would take anything now.
func (r *Runner) offers(ctx context.Context, k *Kind) (some bool, err error) {
	err = r.Store.View(ctx, func(reader store.Reader) (err error) {
		if k.Offers != nil {
			some, err = k.Offers(reader, r.Now())
			return err
		}
		at, err := k.Next(reader)
		some = come(at, r.Now())
		return err
	})
	return some, err
}

// come reports whether a moment has come; the zero time never does.
func come(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// moment returns when to check the queue again. Items that are due but wait because their party has its share of
// the workers are checked after a while and not at once.
func (k *Kind) moment(r store.Reader, now time.Time) (time.Time, error) {
	at, err := k.Next(r)
	if err != nil || k.Offers == nil || !come(at, now) {
		return at, err
	}
	some, err := k.Offers(r, now)
	if !some && err == nil {
		at = now.Add(idle)
	}
	return at, err
}
