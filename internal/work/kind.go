package work

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// idle is how long Run waits at most before it looks again, because another instance may have queued work.
const idle = time.Second

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
	// More takes up to limit items that Claim would take, and leaves the other work for the queue to Claim; nil if Claim
	// alone does. With a moment, it takes those that came due until then.
	More func(ctx context.Context, limit int, until time.Time) ([]func(context.Context), error)
	// Own is set for a kind whose items the gateway that queued them takes by their keys; nil for the others.
	Own *Own

	wake chan struct{} // one token: there may be something to do
	look *atomic.Bool  // it may be anywhere in the queue
}

// Own is how Run takes items that the gateway has queued itself. So gateways on one store do not all take from the head
// of one queue.
type Own struct {
	// Claim takes up to limit of them.
	Claim func(ctx context.Context, limit int) ([]func(context.Context), error)
	// Rest is Kind.Claim for items that came due until a moment; the zero time means all.
	Rest func(ctx context.Context, limit int, until time.Time) ([]func(context.Context), error)
}

// nudge is also called when an item has ended: another one may have waited for it, or for its party's share of the
// workers.
func (k *Kind) nudge() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
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
