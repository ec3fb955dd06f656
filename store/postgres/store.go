// Package postgres is the store.Store over PostgreSQL: several instances of a program share one database.
//
// A transaction runs its function beside others and keeps what it read. Then it takes part in a group: one call of a
// function of the schema (apply_all in migrations) that takes the turn among all instances, compares what the members
// have read with what is there, writes, and commits once. If something has changed it does nothing, and another call
// (apply) compares for each member, writes for those whose reads hold, and tells who the others are. So
//
//   - the order of transactions is the order of turns: what a member read is what it would read in its turn, since it
//     was compared there, with single keys, absent keys and the numbers of keys in the ranges that it scanned;
//   - a snapshot has the groups up to a moment and none after it, so what a View or a failing function saw was true at
//     that moment;
//   - the turn of a group never waits for an instance: one that stops in between has not begun it, or has ended it.
//
// What an instance has read and written lately it remembers (recent.go), and functions read from there first. The
// memory may be out of date, also in parts, so nothing comes of it before it is compared: by the turn for a transaction
// that writes; by one statement, which sees one snapshot, for a View and for a function that fails, panics or writes
// nothing; and by the first question to a snapshot for a function that reads on there. Where something has changed the
// function runs again without the memory. So a function may see values once that never were there together, and what it
// makes of them is dropped.
//
// A request (Presume) puts that off: what its Views have found in memory its first transaction compares, and the whole
// request runs again (presumed.go).
//
// A transaction that lost against others some times runs in a turn of its own, and cannot lose there (alone.go). That
// turn waits for the instance, and the server ends it when the instance is silent for five seconds. A connection that
// breaks during a commit is no unknown outcome: each commit has a number, and the store asks whether it was reached
// (lane.go). ErrUnknownCommit is left for the case that the server does not come back in time.
package postgres

import (
	"context"
	"fmt"
	"sync"
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
	recent    *recent
	patient   *patient
	snapshots *snapshots
	checks    *checks
	groups    *groups
	alone     *alone
	clock     *clock
	counts    counts
	closing   sync.Once
}

var (
	_ store.Store    = (*Store)(nil)
	_ store.Planner  = (*Store)(nil)
	_ store.Clock    = (*Store)(nil)
	_ store.Presumer = (*Store)(nil)
)

// Open connects to the database, brings the schema up to date and opens the store in it. It returns ErrRefused, with
// cause and cure, when the server or the schema cannot hold the contract.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg, err := cfg.settle()
	if err != nil {
		return nil, err
	}
	s := &Store{cfg: cfg, recent: newRecent(), patient: &patient{patience: cfg.Patience}}
	if s.writing, err = cfg.connect(ctx, writers); err != nil {
		return nil, err
	}
	if s.reading, err = cfg.connect(ctx, cfg.Connections-writers); err != nil {
		s.writing.Close()
		return nil, err
	}
	cfg.primary.leaveBy(s.reconnect)
	if err := s.prepare(ctx); err != nil {
		s.writing.Close()
		s.reading.Close()
		return nil, err
	}
	s.snapshots = newSnapshots(s)
	s.checks = &checks{hub: s.snapshots}
	s.groups = newGroups(s)
	s.alone = &alone{lane: s.newLane(), turn: make(chan struct{}, 1)}
	return s, nil
}

// prepare brings the schema up to date, tries the lock on which all depends, and reads the clock, by two connections.
func (s *Store) prepare(ctx context.Context) (err error) {
	if err := s.migrateAndTry(ctx); err != nil {
		return withStandbys(s.reading, err)
	}
	s.clock, err = s.cfg.newClock(ctx, s.reading, s.reconnect)
	return err
}

// reconnect ends all connections. New ones are inspected, and refused by a server that lacks what the store needs.
func (s *Store) reconnect() {
	s.reading.Reset()
	s.writing.Reset()
}

func (s *Store) migrateAndTry(ctx context.Context) error {
	one, err := s.writing.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", plainly{err})
	}
	defer one.Release()
	role, err := roleOf(ctx, one.Conn())
	if err != nil {
		return err
	}
	if err := s.cfg.migrate(ctx, one.Conn(), role); err != nil {
		return err
	}
	if err := s.cfg.sound(ctx, one.Conn(), role); err != nil {
		return err
	}
	other, err := s.reading.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", plainly{err})
	}
	defer other.Release()
	return s.cfg.tryTurn(ctx, one.Conn(), other.Conn())
}

// View runs fn over what was committed before. fn may run again: when something of it has changed meanwhile, or when
// the server went away.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.view(ctx, s.presumed(ctx), fn)
}

// view is View of a request, if there is one: what it finds in memory is compared later.
func (s *Store) view(ctx context.Context, p *presumed, fn func(store.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	until := time.Now().Add(s.cfg.Patience)
	var before *reader
	for attempt := 0; ; attempt++ {
		r := &reader{}
		s.begin(ctx, r, before, until)
		before = r
		err := r.run(func() error { return fn(r) }, func(error) bool { return !p.takes(r) })
		switch {
		case r.fault != nil:
			if !s.again(ctx, r.fault, until, attempt) {
				return r.fault
			}
		case !r.torn:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// begin makes an empty reader one with the memory of the instance, or after one that did not stand, without: it asks
// the snapshot for the same keys at once. After a fault of the server it does not wait much longer than until a moment.
func (s *Store) begin(ctx context.Context, r, before *reader, until time.Time) {
	r.ctx, r.checks, r.hub = ctx, s.checks, s.snapshots
	if before == nil {
		r.recent = s.recent
		return
	}
	if before.fault != nil {
		r.until = until
	}
	for _, pair := range before.pairs.list {
		r.ahead = append(r.ahead, pair.Key())
	}
}

// again reports whether a function has to run again after a fault of the server, and waits a moment before.
func (s *Store) again(ctx context.Context, fault error, until time.Time, attempt int) bool {
	if fateOf(fault) == refused || time.Now().After(until) {
		return false
	}
	s.reading.Reset() // connections to a server that went away are of no use
	return pause(ctx, attempt)
}

// optimistic is how often a transaction may lose against others before it gets a turn of its own.
const optimistic = 3

// Update runs fn beside other transactions and commits what it wrote together with them. fn may run several times, on
// the calling goroutine.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	until := time.Now().Add(s.cfg.Patience)
	p := s.presumed(ctx)
	var before *reader
	for attempt, lost := 0, 0; lost < optimistic; attempt++ {
		t := newTx()
		s.begin(ctx, &t.reader, before, until)
		if err := p.carry(ctx, &t.reader, attempt); err != nil {
			return err
		}
		before = &t.reader
		err := t.run(func() error { return fn(t) }, func(err error) bool { return err != nil || len(t.own) == 0 })
		switch {
		case t.fault != nil:
			if !s.again(ctx, t.fault, until, attempt) {
				return t.fault
			}
			continue
		case ctx.Err() != nil && (err == nil || t.torn):
			return ctx.Err()
		case t.torn:
		case err != nil || len(t.own) == 0:
			p.compared(false)
			return err
		default:
			stands, err := s.groups.commit(ctx, t)
			if stands || isUnknown(err) {
				p.compared(true)
			}
			if stands || err != nil {
				return err
			}
		}
		s.counts.conflicts.Add(1)
		lost++
	}
	err := s.runAlone(ctx, fn)
	p.compared(err == nil || isUnknown(err))
	return err
}

// Plan implements store.Planner.
func (s *Store) Plan(ctx context.Context, fn func(store.Tx) error) error { return s.Update(ctx, fn) }

// Close waits for running transactions and closes the connections.
func (s *Store) Close() error {
	return s.gate.Close(func() error {
		s.closing.Do(func() {
			s.groups.close()
			s.snapshots.close()
			s.clock.close()
			s.forgetLanes()
			s.reading.Close()
			s.writing.Close()
		})
		return nil
	})
}
