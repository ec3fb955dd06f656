package bolt

import (
	"context"
	"fmt"
	"runtime"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
	"github.com/tollgatepay/gateway/store/internal/turn"
)

// A group accepts no more members when it has this many, or this many bytes of writes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// maxBatch is how much room for a batch is kept from one group to the next.
const maxBatch = 1 << 20

// group is the callers that share one batch of the log. The turn guards all fields but done and fault; fault is set
// before done is closed.
type group struct {
	snapshot          // what the log has, and over it what members have written
	members  int      // with writes
	yielded  int      // how many there were when others were last let run
	served   []served // whose work another did, and who wait for the commit
	done     chan struct{}
	fault    error
}

// served is a caller whose work another did, and how it ended.
type served struct {
	*turn.Caller
	err error
}

func (s *Store) full(g *group) bool { return g.members >= maxMembers || s.batch.Size() >= maxBytes }

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
	if err := s.join(ctx); err != nil {
		return nil, err
	}
	g := s.open
	tx := &tx{reader: reader{snapshot: g.snapshot}, logged: s.logged}
	tx.own = tx.room[:0]
	defer tx.End()
	if err = fn(tx); err == nil {
		err = ctx.Err()
	}
	if err == nil && len(tx.own) > 0 {
		s.add(g, tx.own)
	}
	if g.members == 0 {
		return nil, err
	}
	return g, err
}

// join opens a group unless one is open. A member that waited while the store failed is refused here.
func (s *Store) join(ctx context.Context) error {
	if s.broken != nil {
		return s.broken
	}
	if s.open != nil {
		return nil
	}
	if err := s.awaitLog(ctx); err != nil {
		return err
	}
	if err := guard(s.prepareLog); err != nil {
		s.fail(err)
		return s.broken
	}
	snapshot, err := s.snapshot()
	if err != nil {
		return err
	}
	s.edits++
	s.open = &group{snapshot: snapshot, done: make(chan struct{})}
	return nil
}

// add writes a member's set into the group.
func (s *Store) add(g *group, set writes) {
	g.members++
	g.seen = nil // no plan was made over what the group has now
	for _, pair := range set {
		s.batch.Add(pair)
		switch {
		case pair.HasValue():
		case s.isNew(g, pair.Key()):
			delete(s.logged, pair.Key())
			g.recent = s.edits.Delete(g.recent, pair.Key())
			continue
		default:
			s.kept.removals++
		}
		s.logged[pair.Key()] = pair
		g.recent = s.edits.Put(g.recent, pair)
	}
}

// isNew reports whether a key came with the log that takes batches, and is nowhere below it, as most entries of queues.
// When it is removed again nothing has to be hidden, and the file never learns of it.
//
// What the log before has may be in the file already, and not in the group's snapshot of the file.
func (s *Store) isNew(g *group, key string) bool {
	if _, here := s.logged[key]; !here {
		return false
	}
	if _, before := s.other.content[key]; before {
		return false
	}
	return tree.Get(g.earlier, key) == "" && g.inFile([]byte(key)) == nil
}

// pass ends a turn: it serves those in line who can be served, commits when the group is full or no caller waits, and
// passes the turn on. After a commit it serves no more: the next in line gets the turn.
func (s *Store) pass() {
	for {
		if g := s.open; g != nil && s.full(g) {
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

// commitOrYield commits when no more come. As long as some do, it lets those run who may be about to come too: so under
// load all callers go on together, and share a flush.
func (s *Store) commitOrYield(g *group) {
	if g.members > g.yielded {
		g.yielded = g.members
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

// commit ends the group: its batch is flushed into the log, and only then seen by others.
func (s *Store) commit(g *group) {
	s.open = nil
	defer s.wake(g)
	g.release()
	if g.members == 0 {
		return
	}
	s.flushes.Add(1)
	ended, err := s.flush()
	if g.fault = err; err != nil {
		s.fail(err)
		return
	}
	over := g.layers
	s.over.Store(&over)
	if ended {
		s.exchange()
	}
}

// fail refuses everything from now on: what the disk holds is known only after opening the file again.
func (s *Store) fail(cause error) {
	cause = fmt.Errorf("commit failed: %w", cause)
	s.broken = fmt.Errorf("%w: %w", store.ErrClosed, cause)
	s.gate.Shut(cause)
}

// wake tells all members how the commit ended.
func (s *Store) wake(g *group) {
	s.batch.Reset(maxBatch)
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
