package bolt

import (
	"context"
	"slices"
	"sync"
)

// queue passes a turn from one caller to the next, first come first served.
type queue struct {
	mu    sync.Mutex
	taken bool
	line  []chan struct{} // one channel per waiting caller, closed when the turn is theirs
}

// wait returns nil when the caller has the turn, or the context's error when the context ended first. The caller
// with the turn must pass it on with next.
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

// leave removes a caller from the line. When the turn has just been passed to the caller, it is accepted after
// all.
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

// next passes the turn to the first in line. When the line is empty the turn becomes free if mayRest; otherwise
// the caller keeps it and next returns false. This is one step, so that no caller joins or leaves in between.
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
