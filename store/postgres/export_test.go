package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tollgatepay/gateway/store"
)

// RunAlone runs fn as after it has lost against others.
func (s *Store) RunAlone(ctx context.Context, fn func(store.Tx) error) error {
	return s.runAlone(ctx, fn)
}

// PutByApply stores a value as a group is committed of which not all members stand. No other may be under way.
func (s *Store) PutByApply(ctx context.Context, pair store.Pair) error {
	p := payloadOf([]*member{{ctx: ctx, tx: &tx{own: []store.Pair{pair}}}})
	_, err := s.groups.lane.commit(ctx, 1, func(
		ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64,
	) (verdict, error) {
		return p.send(ctx, conn, s.cfg.Schema, lane, number)
	})
	return err
}

// On returns the config of an instance whose machine has this clock. That of the database is looked at when the store
// is opened, and by Measure: a test that moves the machines on does not move the database.
func (c Config) On(machine func() time.Time) Config {
	c.machine, c.measured = machine, 1000*time.Hour
	return c
}

// Measure looks at the clock of the database, as happens from time to time.
func (s *Store) Measure(ctx context.Context) error { return s.clock.Measure(ctx) }

// Asked returns how often the store has asked for keys or ranges outside of turns.
func (s *Store) Asked() int64 { return s.snapshots.rounds.Load() }

// ForgetReaders ends the connections that read.
func (s *Store) ForgetReaders() { s.reading.Reset() }

// Waiting returns how many transactions wait for the next group.
func (s *Store) Waiting() int {
	s.groups.mu.Lock()
	defer s.groups.mu.Unlock()
	return len(s.groups.next.members) + len(s.groups.waiting)
}

// Behind returns how many transactions wait to be told how another one ends whose writes they have read.
func (s *Store) Behind() (n int) {
	s.groups.mu.Lock()
	defer s.groups.mu.Unlock()
	for _, m := range s.groups.waiting {
		if m.behind != nil {
			n++
		}
	}
	return n
}

// Every returns the config of an instance whose machine has this clock, and that looks at the clock of the database so
// often.
func (c Config) Every(often time.Duration, machine func() time.Time) Config {
	c.machine, c.measured = machine, often
	return c
}

// RecentBytes is the size of a generation of the memory.
const RecentBytes = recentBytes

// MemoryOf is the memory of an instance.
type MemoryOf struct{ *recent }

// Memory returns an empty one.
func Memory() MemoryOf { return MemoryOf{newRecent()} }

// Wrote takes what was committed.
func (m MemoryOf) Wrote(pair store.Pair) { m.wrote([]store.Pair{pair}) }

// Recall returns what is known or likely under a key.
func (m MemoryOf) Recall(key string) (store.Pair, bool) { return m.recall([]byte(key)) }

// Seen is what a transaction has read.
type Seen struct{ seen }

// Put adds a pair.
func (s *Seen) Put(pair store.Pair) { s.put(pair) }

// Pairs returns all.
func (s *Seen) Pairs() []store.Pair { return s.list }

// Get returns the pair of a key.
func (s *Seen) Get(key string) (store.Pair, bool) {
	of, known := get(&s.seen, key)
	if is, too := get(&s.seen, []byte(key)); is != of || too != known {
		return "", !known // both ways find the same
	}
	return of, known
}

// IsNew reports whether a key that is written and was not read is taken to be new.
func (m MemoryOf) IsNew(key string) bool { return m.isNew(key) }

// Overwrote says that a key that was taken for new was not.
func (m MemoryOf) Overwrote(key string) { m.overwrote([]string{key}) }

// WrittenAgain is how many keys are not taken for new then.
const WrittenAgain = writtenAgain

// Lend sends an argument from memory that is lent, and returns that memory.
func Lend(to *pgproto3.Frontend, argument []byte) (room []byte, err error) {
	a := &arguments{text: argument, ends: []int{len(argument)}}
	a.lendRoom(to)
	to.SendBind(&pgproto3.Bind{Parameters: a.all()})
	return a.room[:cap(a.room)], to.Flush()
}

// Bytes returns how much is kept.
func (m MemoryOf) Bytes() (n int) {
	for _, pairs := range []map[string]store.Pair{m.pairs, m.older} {
		for _, pair := range pairs {
			n += len(pair)
		}
	}
	return n
}

// The bounds of a group.
const (
	MaxMembers = maxMembers
	MaxBytes   = maxBytes
)

// PauseBefore is how long the store waits before an attempt.
func PauseBefore(attempt int) time.Duration { return pauseBefore(attempt) }
