package bolt

import (
	"context"
	"slices"
	"sync"
)

// queue hands a turn from one caller to the next, first come first served.
type queue struct {
	mu    sync.Mutex
	taken bool
	line  []chan struct{} // one for each who waits; closed when the turn is his
}

// wait returns nil when the caller has the turn, and the context's error when that ended first. Whoever
// has the turn must hand it on with next.
func (q *queue) wait(ctx context.Context) error {
	q.mu.Lock()
	if !q.taken {
		q.taken = true
		q.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	q.line = append(q.line, mine)
	q.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
		return q.leave(ctx, mine)
	}
}

// leave steps out of the line; too late, the turn is taken after all.
func (q *queue) leave(ctx context.Context, mine chan struct{}) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.line, mine)
	if i < 0 {
		return nil
	}
	q.line = slices.Delete(q.line, i, i+1)
	return ctx.Err()
}

// next hands the turn to the first in line. When nobody waits the turn is free, if mayRest, and else it
// stays with the caller and next is false: in one step, so that nobody slips away in between.
func (q *queue) next(mayRest bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.line) > 0 {
		close(q.line[0])
		q.line = slices.Delete(q.line, 0, 1)
		return true
	}
	if mayRest {
		q.taken = false
	}
	return mayRest
}
