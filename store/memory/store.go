// Package memory is a Store in the memory of the process: for tests, for trials, and as the simplest
// implementation of the port.
//
// All entries are in one tree that keeps its earlier states. A commit publishes the new root with one atomic store, and
// a rollback drops it. Readers therefore take no lock that a writer holds, and each sees the root it began with.
// Writers take turns, and the one whose turn it is does the work of those in line that may run on any goroutine
// (Share).
package memory

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/gate"
	"github.com/tollgatepay/gateway/store/internal/tree"
	"github.com/tollgatepay/gateway/store/internal/turn"
)

// Store implements store.Store in memory. Make one with New.
type Store struct {
	gate  gate.Gate
	line  turn.Line
	edits tree.Edit // the last one; guarded by the turn
	root  atomic.Pointer[tree.Tree]
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Sharer = (*Store)(nil)
)

// New returns an empty store.
func New() *Store {
	s := &Store{}
	s.root.Store(tree.New())
	return s
}

// View runs fn over the state of the last commit; it never waits for a writer.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	r := &reader{root: s.root.Load()}
	defer r.End()
	return fn(r)
}

// Update runs fn alone among writers and publishes what it wrote. fn runs exactly once, on the calling goroutine.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.write(ctx, fn, nil)
}

// Share implements store.Sharer: the caller who has the turn runs fn.
func (s *Store) Share(ctx context.Context, fn func(store.Tx) error) error {
	return s.write(ctx, fn, fn)
}

// write runs fn in a turn of the caller, or shared in that of another.
func (s *Store) write(ctx context.Context, fn, shared func(store.Tx) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if mine, err := s.line.Wait(ctx, shared); !mine {
		return err
	}
	defer s.pass() // also when fn panics or ends its goroutine
	return s.run(ctx, fn)
}

// Close waits for running transactions and drops all data.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		s.root.Store(tree.New())
		return nil
	})
}

// served is how many callers one caller serves at most before they go on with their own work.
const served = 32

// pass ends a turn: it serves those in line who can be served, and passes the turn on.
func (s *Store) pass() {
	for range served {
		c := s.line.Next(true)
		switch {
		case c == nil: // another may have the turn by now
			return
		case c.Work == nil:
			c.Begin()
			return
		}
		s.serve(c)
	}
	if c := s.line.Next(true); c != nil {
		c.Begin()
	}
}

// serve does the work of a caller in line. A panic there is that caller's fault and becomes their error.
func (s *Store) serve(c *turn.Caller) {
	err := errors.New("memory: a shared function ended its goroutine")
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("memory: panic: %v", v)
		}
		c.Answer(err)
	}()
	err = s.run(c.Ctx, c.Work)
}

// run runs one transaction.
func (s *Store) run(ctx context.Context, fn func(store.Tx) error) error {
	s.edits++
	tx := &tx{reader: reader{root: s.root.Load()}, edit: s.edits}
	defer tx.End()
	if err := fn(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.root.Store(tx.root)
	return nil
}
