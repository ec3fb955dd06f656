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
	if l.kind.Own == nil {
		return l.offered(ctx, func() ([]func(context.Context), error) { return l.kind.Claim(ctx, limit) })
	}
	l.begin()
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
		l.now, l.more, l.until = true, false, time.Time{}
	}
}

// turn begins a look now and then.
func (l *looks) turn() { l.now, l.more, l.until, l.last = true, false, l.last, l.runner.Now() }

// look takes up to limit items of the whole queue.
func (l *looks) look(ctx context.Context, limit int) ([]func(context.Context), error) {
	items, err := l.offered(ctx, func() (items []func(context.Context), err error) {
		if l.more {
			items, err = l.kind.Own.More(ctx, limit, l.until)
		}
		if len(items) == 0 && err == nil {
			items, err = l.kind.Own.Rest(ctx, limit, l.until)
			l.more = err == nil
		}
		return items, err
	})
	l.now = err != nil || len(items) > 0
	for i, item := range items {
		items[i] = func(ctx context.Context) {
			defer l.again.Store(true)
			item(ctx)
		}
	}
	return items, err
}

// offered claims if there is something to claim.
func (l *looks) offered(ctx context.Context, claim func() ([]func(context.Context), error),
) ([]func(context.Context), error) {
	if some, err := l.runner.offers(ctx, l.kind); err != nil || !some {
		return nil, err
	}
	return claim()
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
