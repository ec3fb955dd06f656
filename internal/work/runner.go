// Package work does what is due, with workers for each kind of work, so that a slow party of one kind never delays
// another.
package work

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/store"
)

// Gate counts operations, so that a host that closes waits for them.
type Gate interface {
	Enter() error
	Add(n int)
	Leave()
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
		kind.wake, kind.look = make(chan struct{}, 1), &atomic.Bool{}
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

// Nudge wakes the workers of a kind because something was queued for them.
func (r *Runner) Nudge(work store.Work) {
	for i := range r.kinds {
		if kind := &r.kinds[i]; kind.Work == work {
			kind.look.Store(true)
			kind.nudge()
		}
	}
}

// Queued is a Nudge for an item that the gateway has noted for Own.Claim.
func (r *Runner) Queued(work store.Work) {
	for i := range r.kinds {
		if kind := &r.kinds[i]; kind.Work == work {
			kind.nudge()
		}
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
