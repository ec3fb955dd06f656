package work

import (
	"context"
	"sync/atomic"
	"time"
)

// looks decides when Run looks into the queue of a kind. A kind without items of its own is looked at whenever it is
// woken. Another one takes its own items then, and is looked at after a nudge, or now and then. Such a look now and
// then takes what was due already at the one before: what came due later is likely to be with the gateway that queued
// it. As long as a look finds something, the next one follows, in turn with own items; so does one for each item of a
// look that ends, because its party may have had its share of the workers.
type looks struct {
	runner      *Runner
	kind        *Kind
	ticker      *time.Ticker
	now         bool // it looks until it finds nothing
	own         bool // it was the turn of own items
	more        bool // it has begun, and goes on
	nudged      bool // it was nudged and has not looked since
	again       atomic.Bool
	until, last time.Time // what it takes, and when it began to look last
}

func newLooks(r *Runner, k *Kind) *looks {
	every := idle
	if k.Own != nil {
		every /= 2 // what another gateway leaves is taken at the second look
	}
	return &looks{runner: r, kind: k, ticker: time.NewTicker(every), now: true, last: r.Now()}
}

func (l *looks) stop() { l.ticker.Stop() }

// claim takes up to limit items.
func (l *looks) claim(ctx context.Context, limit int) ([]func(context.Context), error) {
	l.begin()
	if l.kind.Own == nil {
		return l.look(ctx, limit)
	}
	if l.own = !l.own; l.now && !l.own {
		if items, err := l.look(ctx, limit); err != nil || len(items) > 0 {
			return items, err
		}
	}
	items, err := l.kind.Own.Claim(ctx, limit)
	if l.now = l.now || err != nil; err != nil || len(items) > 0 || !l.now {
		return items, err
	}
	return l.look(ctx, limit)
}

// begin begins a look if its time has come.
func (l *looks) begin() {
	select {
	case <-l.ticker.C:
		l.turn()
	default:
	}
	if l.again.Swap(false) {
		l.now = true
	}
	if l.kind.look.Swap(false) {
		l.now, l.more, l.nudged, l.until = true, false, true, time.Time{}
	}
}

// turn begins a look now and then.
func (l *looks) turn() {
	l.now, l.more = true, false
	if l.kind.Own == nil {
		return
	}
	if !l.nudged {
		l.until = l.last
	}
	l.last = l.runner.Now()
}

// look takes up to limit items of the whole queue.
func (l *looks) look(ctx context.Context, limit int) ([]func(context.Context), error) {
	if some, err := l.runner.offers(ctx, l.kind); err != nil || !some {
		l.now, l.nudged = err != nil, l.nudged && err != nil
		return nil, err
	}
	items, err := l.found(ctx, limit)
	l.now, l.nudged = err != nil || len(items) > 0, l.nudged && err != nil
	for i, item := range items {
		items[i] = func(ctx context.Context) {
			defer l.again.Store(true)
			item(ctx)
		}
	}
	return items, err
}

// found begins with what the queue needs, and goes on until there is no more.
func (l *looks) found(ctx context.Context, limit int) (items []func(context.Context), err error) {
	if l.more {
		items, err = l.kind.More(ctx, limit, l.until)
	}
	if len(items) > 0 || err != nil {
		return items, err
	}
	if l.kind.Own != nil {
		items, err = l.kind.Own.Rest(ctx, limit, l.until)
	} else {
		items, err = l.kind.Claim(ctx, limit)
	}
	l.more = err == nil && l.kind.More != nil
	return items, err
}

// wait waits until the kind is woken, or until the next look.
func (l *looks) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-l.kind.wake:
	case <-l.ticker.C:
		l.turn()
	}
}
