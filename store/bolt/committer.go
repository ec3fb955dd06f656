package bolt

import (
	"context"
	"fmt"
	"runtime"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/turn"
)

// fill is how full a page is left when it is split. Most keys ascend with the time, and no page before the last one of
// them gets another key.
const fill = 0.9

// A group accepts no more members when it has this many, or this many bytes of writes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// maxListed is how many free pages a commit lists: two pages full.
const maxListed = 1000

// maxArena is how much room for writes is kept from one group to the next.
const maxArena = 1 << 20

// group is the callers that share one bbolt transaction. The turn guards all fields but done and fault; fault is
// set before done is closed.
type group struct {
	tx      *bbolt.Tx
	bucket  *bbolt.Bucket
	cursor  *bbolt.Cursor
	members int // with writes
	bytes   int
	served  []served // whose work another did, and who wait for the commit
	done    chan struct{}
	fault   error
}

// served is a caller whose work another did, and how it ended.
type served struct {
	*turn.Caller
	err error
}

func (g *group) full() bool { return g.members >= maxMembers || g.bytes >= maxBytes }

// run does one caller's turn: it does the caller's work and passes the turn on. The caller has to wait for the group
// that it returns. The group is nil when nothing uncommitted was written or read: even a failure that depends on a
// neighbour's write must not be reported before that write is committed.
func (s *Store) run(ctx context.Context, fn func(store.Tx) error) (member *group, err error) {
	defer s.pass() // also when fn panics or ends its goroutine
	return s.work(ctx, fn)
}

// work runs fn over a write set of its own and adds the set to the group.
func (s *Store) work(ctx context.Context, fn func(store.Tx) error) (member *group, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.join(); err != nil {
		return nil, err
	}
	g := s.open
	tx := &tx{reader: reader{base: g.bucket, cursor: g.cursor}, arena: &s.arena}
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
	s.open = &group{tx: tx, bucket: bucket, cursor: bucket.Cursor(), done: make(chan struct{})}
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

// pass ends a turn: it serves those in line who can be served, commits when the group is full or no caller waits, and
// passes the turn on. After a commit it serves no more: the next in line gets the turn.
func (s *Store) pass() {
	for {
		if g := s.open; g != nil && (g.fault != nil || g.full()) {
			s.commit(g)
		}
		over := s.open == nil
		first := s.line.Next(over)
		switch {
		case first == nil && over: // another may have the turn by now
			return
		case first == nil:
			s.commitOrYield(s.open)
		case over || first.Work == nil:
			first.Begin()
			return
		default:
			s.serve(first)
		}
	}
}

// commitOrYield commits, but once lets those run who may be about to come again.
func (s *Store) commitOrYield(g *group) {
	if g.members < s.last {
		s.last = g.members
		runtime.Gosched()
		return
	}
	s.commit(g)
}

// serve does the work of a caller in line, who wakes up after the commit.
func (s *Store) serve(c *turn.Caller) {
	var g *group
	var err error
	if fault := guard(func() error {
		g, err = s.work(c.Ctx, c.Work)
		return nil
	}); fault != nil {
		err = fault
	}
	if g == nil {
		c.Answer(err)
		return
	}
	g.served = append(g.served, served{c, err})
}

// commit ends the group: it is flushed to the disk, or dropped when it holds nothing or half of a set.
func (s *Store) commit(g *group) {
	s.open, s.last = nil, g.members
	defer s.wake(g)
	if g.fault == nil && g.members > 0 {
		g.fault = guard(g.tx.Commit)
		s.flushes.Add(1)
		s.listFreePages()
	}
	if g.fault != nil {
		s.broken = fmt.Errorf("%w: commit failed: %w", store.ErrClosed, g.fault)
		s.gate.Shut(fmt.Errorf("commit failed: %w", g.fault))
	}
	if g.fault != nil || g.members == 0 {
		_ = guard(g.tx.Rollback) // a commit that failed has usually rolled back already
	}
}

// listFreePages decides whether the next commit writes the list of free pages too. Without it Open has to read the
// whole file: seconds for a million payments. A long list, as after a purge, would cost every commit more than its own
// writes.
func (s *Store) listFreePages() {
	stats := s.db.Stats()
	s.db.NoFreelistSync = stats.FreePageN+stats.PendingPageN > maxListed
}

// wake tells all members how the commit ended.
func (s *Store) wake(g *group) {
	s.arena = s.arena[:0] // nothing of the group's transaction is read again
	if cap(s.arena) > maxArena {
		s.arena = nil
	}
	close(g.done)
	for _, c := range g.served {
		c.Answer(g.told(c.err))
	}
}

// told is what a member returns after the commit.
func (g *group) told(err error) error {
	switch {
	case g.fault == nil:
		return err
	case err != nil: // fn failed by itself, over writes that may be lost
		return fmt.Errorf("%w (then the commit of the writes it had read failed: %w)", err, g.fault)
	}
	return fmt.Errorf("%w: %w", store.ErrUnknownCommit, g.fault)
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
