package bolt

import (
	"context"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// queue passes a turn from one caller to the next, first come first served.
type queue struct {
	mu    sync.Mutex
	taken bool
	line  []*caller
}

// caller is one who waits for the turn, or for another to do the work in a turn of theirs.
type caller struct {
	ctx  context.Context
	fn   func(store.Tx) error // what another may do; nil when only the caller may
	done chan struct{}        // closed when the turn is theirs, or when their work is done

	// Set before done is closed.
	served bool // the work is done
	err    error
}

// wait returns when the caller has the turn, when another has served the caller, or with the context's error when the
// context ended first. A caller with the turn must pass it on with next.
func (q *queue) wait(c *caller) error {
	q.mu.Lock()
	if !q.taken {
		q.taken = true
		q.mu.Unlock()
		return nil
	}
	c.done = make(chan struct{})
	q.line = append(q.line, c)
	q.mu.Unlock()
	select {
	case <-c.done:
		return nil
	case <-c.ctx.Done():
		return q.leave(c)
	}
}

// leave removes a caller from the line. When another has just taken them out of it, what comes is accepted after all.
func (q *queue) leave(c *caller) error {
	q.mu.Lock()
	i := slices.Index(q.line, c)
	if i >= 0 {
		q.line = slices.Delete(q.line, i, i+1)
	}
	q.mu.Unlock()
	if i < 0 {
		<-c.done
		return nil
	}
	return c.ctx.Err()
}

// next returns the first in line, who leaves it. When the line is empty the turn becomes free if mayRest; otherwise the
// one who asks keeps it. This is one step, so that no caller joins or leaves in between.
func (q *queue) next(mayRest bool) *caller {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.line) == 0 {
		q.taken = !mayRest
		return nil
	}
	first := q.line[0]
	q.line = slices.Delete(q.line, 0, 1)
	return first
}
