// Package postgres is the store.Store over PostgreSQL: several instances of a program share one database.
//
// A transaction runs its function over a snapshot, beside others, and keeps what it read. Then it takes part in a
// group: one call of a function of the schema (apply in migrations) that takes the turn among all instances, compares
// what each member has read with what is there, writes for those whose reads hold, and commits once. So
//
//   - the order of transactions is the order of turns: what a member read is what it would read in its turn, since it
//     was compared there, with single keys, absent keys and the numbers of keys in the ranges that it scanned;
//   - a snapshot has the groups up to a moment and none after it, so what a View or a failing function saw was true at
//     that moment;
//   - the turn never waits for an instance: one that stops in between has not begun it, or has ended it.
//
// A transaction that lost against others some times runs in a turn of its own, and cannot lose there (alone.go). A
// connection that breaks during a commit is no unknown outcome: each commit has a number, and the store asks whether it
// was reached (lane.go). ErrUnknownCommit is left for the case that the server does not come back in time.
package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/gate"
)

// Store implements store.Store in a schema of a database. Make one with Open.
type Store struct {
	cfg       Config
	gate      gate.Gate
	reading   *pgxpool.Pool
	writing   *pgxpool.Pool
	snapshots *snapshots
	groups    *groups
	alone     *alone
	clock     *clock
	counts    counts
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Sharer = (*Store)(nil)
	_ store.Clock  = (*Store)(nil)
)

// Open connects to the database, brings the schema up to date and opens the store in it. It returns ErrRefused, with
// cause and cure, when the server or the schema cannot hold the contract.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg, err := cfg.settle()
	if err != nil {
		return nil, err
	}
	s := &Store{cfg: cfg}
	if s.writing, err = cfg.connect(ctx, writers); err != nil {
		return nil, err
	}
	if s.reading, err = cfg.connect(ctx, cfg.Connections-writers); err != nil {
		s.writing.Close()
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		s.writing.Close()
		s.reading.Close()
		return nil, err
	}
	s.snapshots = &snapshots{pool: s.reading, schema: cfg.Schema, patience: cfg.Patience}
	s.groups = &groups{lane: s.newLane(), counts: &s.counts}
	s.alone = &alone{lane: s.newLane(), turn: make(chan struct{}, 1)}
	return s, nil
}

// prepare brings the schema up to date and tries the lock on which all depends.
func (s *Store) prepare(ctx context.Context) error {
	one, err := s.writing.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer one.Release()
	if err := s.cfg.migrate(ctx, one.Conn()); err != nil {
		return err
	}
	other, err := s.reading.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer other.Release()
	if err := s.cfg.tryTurn(ctx, one.Conn(), other.Conn()); err != nil {
		return err
	}
	s.clock, err = newClock(ctx, s.reading, s.cfg.machine)
	return err
}

// View runs fn over a snapshot that has all that was committed before. It may run fn again when the server went away
// meanwhile.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	for until, attempt := time.Now().Add(s.cfg.Patience), 0; ; attempt++ {
		r := s.reader(ctx)
		err := s.read(r, func() error { return fn(r) })
		if !s.again(ctx, r.fault, until, attempt) {
			return err
		}
	}
}

// reader returns a reader that joins a snapshot at its first question.
func (s *Store) reader(ctx context.Context) *reader {
	return &reader{ctx: ctx, open: func() source { return s.snapshots.join() }}
}

// read runs a function over a reader, which is over then. A fault of the server is its error, also when the function
// takes no notice.
func (s *Store) read(r *reader, fn func() error) error {
	defer func() {
		r.done = true
		if snapshot, ok := r.from.(*snapshot); ok {
			snapshot.leave()
		}
	}()
	err := fn()
	if r.fault != nil {
		return r.fault
	}
	return err
}

// again reports whether a function has to run again after a fault of the server, and waits a moment before.
func (s *Store) again(ctx context.Context, fault error, until time.Time, attempt int) bool {
	if fault == nil || fateOf(fault) == refused || time.Now().After(until) {
		return false
	}
	s.reading.Reset() // connections to a server that went away are of no use
	return pause(ctx, attempt)
}

// Update runs fn over a snapshot and commits what it wrote together with others. fn may run several times, on the
// calling goroutine, and beside other transactions.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, fn, false)
}

// Share implements store.Sharer. What Holds says is compared in the turn only; if it was wrong then fn runs again.
func (s *Store) Share(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, fn, true)
}

// optimistic is how often a transaction may lose against others before it gets a turn of its own.
const optimistic = 3

func (s *Store) update(ctx context.Context, fn func(store.Tx) error, assumes bool) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	until := time.Now().Add(s.cfg.Patience)
	for attempt, lost := 0, 0; ; attempt++ {
		if lost >= optimistic {
			return s.runAlone(ctx, fn)
		}
		t := &tx{reader: *s.reader(ctx), assumes: assumes && attempt == 0}
		err := s.read(&t.reader, func() error { return fn(t) })
		switch {
		case t.fault != nil:
			if !s.again(ctx, t.fault, until, attempt) {
				return err
			}
			continue
		case t.torn, t.assumed && (err != nil || len(t.own) == 0): // what it decided by was not compared
			continue
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case len(t.own) == 0:
			return nil
		}
		stands, err := s.groups.commit(ctx, t)
		if stands || err != nil {
			return err
		}
		s.counts.conflicts.Add(1)
		lost++
	}
}

// Close waits for running transactions and closes the connections.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		s.groups.running.Wait()
		s.clock.close()
		s.forgetLanes()
		s.reading.Close()
		s.writing.Close()
		return nil
	})
}
