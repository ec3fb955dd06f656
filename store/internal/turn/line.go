// Package turn lets the writers of a back end go one after the other, and lets the one whose turn it is do the work of
// others who wait: to wake a goroutine for each would take longer than the work.
package turn

import (
	"context"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// Line passes a turn from one caller to the next, first come first served. The zero value is free.
type Line struct {
	mu    sync.Mutex
	taken bool
	line  []*Caller
}

// Caller is one who waits for the turn, or for another to do the work in a turn of theirs.
type Caller struct {
	Ctx  context.Context
	Work func(store.Tx) error // what another may do; nil when only the caller may

	done   chan struct{} // closed when the turn is theirs, or when their work is done
	served bool          // the work is done; set before done is closed, like err
	err    error
}

// Wait returns true when the caller has the turn, and must pass it on with Next. It returns false when another has done
// the work, with the error of that, or when the context ended first. Work is nil when only the caller may do it.
func (l *Line) Wait(ctx context.Context, work func(store.Tx) error) (mine bool, err error) {
	l.mu.Lock()
	if !l.taken {
		l.taken = true
		l.mu.Unlock()
		return true, nil
	}
	c := &Caller{Ctx: ctx, Work: work, done: make(chan struct{})}
	l.line = append(l.line, c)
	l.mu.Unlock()
	select {
	case <-c.done:
	case <-ctx.Done():
		if l.leave(c) {
			return false, ctx.Err()
		}
		<-c.done // what comes is accepted after all
	}
	return !c.served, c.err
}

// leave removes a caller from the line. It returns false when another has just taken them out of it.
func (l *Line) leave(c *Caller) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.line, c)
	if i >= 0 {
		l.line = slices.Delete(l.line, i, i+1)
	}
	return i >= 0
}

// Next returns the first in line, who leaves it. When the line is empty the turn becomes free if mayRest; otherwise the
// one who asks keeps it. This is one step, so that no caller joins or leaves in between.
func (l *Line) Next(mayRest bool) *Caller {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) == 0 {
		l.taken = !mayRest
		return nil
	}
	first := l.line[0]
	l.line = slices.Delete(l.line, 0, 1)
	return first
}

// Waiting returns how many callers are in line.
func (l *Line) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.line)
}

// Begin gives the turn to a caller whom Next returned.
func (c *Caller) Begin() { close(c.done) }

// Answer tells a caller whom Next returned that the work is done, and how it ended.
func (c *Caller) Answer(err error) {
	c.served, c.err = true, err
	close(c.done)
}
