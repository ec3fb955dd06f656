package bolt

import (
	"context"
	"fmt"
	"runtime"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// A group takes no further member when it has this many, or this many bytes of writes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// group is the callers that share one bbolt transaction. All but done and fault is guarded by the turn;
// fault is set before done is closed.
type group struct {
	tx      *bbolt.Tx
	bucket  *bbolt.Bucket
	members int // with writes
	bytes   int
	done    chan struct{}
	fault   error
}

func (g *group) full() bool { return g.members >= maxMembers || g.bytes >= maxBytes }

// run is one caller's turn: fn over its own write set, the set into the group, the turn passed on. The
// group it returns is what the caller has to wait for. It is nil when nothing uncommitted was written or
// read: even a failure that rests on a neighbour's write must not be told before that write is there for
// everybody.
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
	s.open = &group{tx: tx, bucket: tx.Bucket(bucketName), done: make(chan struct{})}
	return nil
}

// add writes a member's set into the group. A fault here leaves half a set in the group's transaction,
// so the group is lost, and with it the store.
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

// pass ends a turn: it commits when the group is full or nobody is waiting, and hands the turn on.
func (s *Store) pass() {
	if g := s.open; g != nil && (g.fault != nil || g.full()) {
		s.commit(g)
	}
	for !s.queue.next(s.open == nil) {
		if g := s.open; g.members < s.last { // those of the last group may be about to come again
			s.last = g.members
			runtime.Gosched()
			continue
		}
		s.commit(s.open)
	}
}

// commit ends the group: to the disk, or dropped when it holds nothing or half of something.
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
		_ = guard(g.tx.Rollback) // a commit that failed has ended it already, as a rule
	}
}

// guard makes a panic of bbolt, which is how it reports a damaged file, an error: it must not leave the
// others of the group waiting for ever.
func guard(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("bolt: panic: %v", v)
		}
	}()
	return do()
}
