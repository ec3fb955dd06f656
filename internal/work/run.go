package work

import (
	"context"
	"errors"
	"sync"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/refusal"
)

// maxClaim bounds how many items one claim of Run takes, since a claim is one transaction.
const maxClaim = 64

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
	out := due.Outage{Log: r.Log, Work: kind.Work}
	looks := newLooks(r, &kind)
	defer looks.stop()
	for ctx.Err() == nil {
		free := takeSlots(ctx, slots, maxClaim)
		items, err := r.claimed(ctx, looks, free)
		if errors.Is(err, refusal.ErrUnavailable) {
			return
		}
		if ctx.Err() == nil {
			out.Note(err, r.Now())
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
			looks.wait(ctx)
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
func (r *Runner) claimed(ctx context.Context, looks *looks, limit int) ([]func(context.Context), error) {
	if err := r.Gate.Enter(); err != nil {
		return nil, err
	}
	defer r.Gate.Leave()
	items, err := looks.claim(ctx, limit)
	if err != nil {
		return nil, err
	}
	r.Gate.Add(len(items))
	return items, nil
}
