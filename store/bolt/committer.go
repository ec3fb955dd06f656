package bolt

import (
	"context"
	"fmt"
	"runtime"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// fill is how full a page is left when it is split. Most keys ascend with the time, and no page before the last one of
// them gets another key.
const fill = 0.9

// A group accepts no more members when it has this many, or this many bytes of writes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// group is the callers that share one bbolt transaction. The turn guards all fields but done and fault; fault is
// set before done is closed.
type group struct {
	tx      *bbolt.Tx
	bucket  *bbolt.Bucket
	members int // with writes
	bytes   int
	done    chan struct{}
	fault   error
}

func (g *group) full() bool { return g.members >= maxMembers || g.bytes >= maxBytes }

// run does one caller's turn: it runs fn over a write set of its own, adds the set to the group and passes the
// turn on. The caller has to wait for the group that it returns. The group is nil when nothing uncommitted was
// written or read: even a failure that depends on a neighbour's write must not be reported before that write is
// committed.
func (s *Store) run(ctx context.Context, fn func(store.Tx) error) (member *group, err error) {
	defer s.pass() // also when fn panics or ends its goroutine
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.join(); err != nil {
		return nil, err
	}
	g := s.open
	tx := &tx{reader: reader{base: g.bucket}}
	defer tx.end()
	if err = fn(tx); err == nil {
		err = ctx.Err()
	}
	if err == nil && len(tx.own) > 0 {
		s.add(g, tx.own)
	}
	if g.members == 0 && g.fault == nil {
		return nil, err
	}
	return g, err
}

// join opens a group unless one is open. A member that waited while the store failed is refused here.
func (s *Store) join() error {
	if s.broken != nil {
		return s.broken
	}
	if s.open != nil {
		return nil
	}
	tx, err := s.db.Begin(true)
	if err != nil {
		return fmt.Errorf("bolt: begin: %w", err)
	}
	bucket := tx.Bucket(bucketName)
	bucket.FillPercent = fill
	s.open = &group{tx: tx, bucket: bucket, done: make(chan struct{})}
	return nil
}

// add writes a member's set into the group. A fault here leaves half a set in the group's transaction, so the
// group fails, and the store with it.
func (s *Store) add(g *group, set writes) {
	g.members++
	g.fault = guard(func() error {
		for _, w := range set {
			g.bytes += len(w.key) + len(w.value)
			if err := w.apply(g.bucket); err != nil {
				return err
			}
		}
		return nil
	})
}

// pass ends a turn: it commits when the group is full or no caller waits, and passes the turn on.
func (s *Store) pass() {
	if g := s.open; g != nil && (g.fault != nil || g.full()) {
		s.commit(g)
	}
	for !s.queue.next(s.open == nil) {
		if g := s.open; g.members < s.last { // the callers of the last group may be about to come again
			s.last = g.members
			runtime.Gosched()
			continue
		}
		s.commit(s.open)
	}
}

// commit ends the group: it is flushed to the disk, or dropped when it holds nothing or half of a set.
func (s *Store) commit(g *group) {
	s.open, s.last = nil, g.members
	defer close(g.done)
	if g.fault == nil && g.members > 0 {
		g.fault = guard(g.tx.Commit)
		s.flushes.Add(1)
	}
	if g.fault != nil {
		s.broken = fmt.Errorf("%w: commit failed: %w", store.ErrClosed, g.fault)
		s.gate.Shut(fmt.Errorf("commit failed: %w", g.fault))
	}
	if g.fault != nil || g.members == 0 {
		_ = guard(g.tx.Rollback) // a commit that failed has usually rolled back already
	}
}

// guard turns a panic of bbolt, which reports a damaged file that way, into an error. Otherwise the other callers
// of the group would wait for ever.
func guard(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("bolt: panic: %v", v)
		}
	}()
	return do()
}
