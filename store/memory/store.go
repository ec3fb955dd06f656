// Package memory is a Store in the memory of the process: for tests, for trials, and as the simplest
// implementation of the port.
//
// All entries are in one persistent B-tree. A transaction copies each node that it changes once, and edits the
// copy in place. A commit publishes the new root with one atomic store, and a rollback drops it. Readers therefore
// take no lock that a writer holds, and each sees the root it began with.
package memory

import (
	"context"
	"sync/atomic"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/gate"
)

// Store implements store.Store in memory. Make one with New.
type Store struct {
	gate  gate.Gate
	turn  chan struct{} // holds one token while a writer runs
	stamp uint64        // of the last writer; guarded by turn
	root  atomic.Pointer[node]
}

var _ store.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	s := &Store{turn: make(chan struct{}, 1)}
	s.root.Store(newLeaf(0))
	return s
}

// View runs fn over the state of the last commit; it never waits for a writer.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	r := &reader{root: s.root.Load()}
	defer r.end()
	return fn(r)
}

// Update runs fn alone among writers and publishes what it wrote. fn runs exactly once.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := s.wait(ctx); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	return s.run(ctx, fn)
}

// Close waits for running transactions and drops all data.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		s.root.Store(newLeaf(0))
		return nil
	})
}

// wait waits for the writers' turn until the context ends.
func (s *Store) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run runs one transaction. The stamp is never used twice, not even after a rollback: it
// marks the nodes this transaction may edit.
func (s *Store) run(ctx context.Context, fn func(store.Tx) error) error {
	s.stamp++
	tx := &tx{reader: reader{root: s.root.Load()}, stamp: s.stamp}
	defer tx.end()
	if err := fn(tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.root.Store(tx.root)
	return nil
}
