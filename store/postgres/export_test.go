package postgres

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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

// Schema returns the name of the schema.
func (s *Store) Schema() string { return s.cfg.Schema }

// Forget has the store remember and count nothing, as after Open. No transaction may be under way.
func (s *Store) Forget() {
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	fresh := newRecent()
	s.recent.pairs, s.recent.older, s.recent.bytes = fresh.pairs, fresh.older, fresh.bytes
	s.recent.kinds, s.recent.moved, s.recent.again = fresh.kinds, fresh.moved, fresh.again
	for _, n := range []*atomic.Int64{&s.counts.groups, &s.counts.members, &s.counts.conflicts, &s.counts.alone} {
		n.Store(0)
	}
}

// ForgetReaders ends the connections that read.
func (s *Store) ForgetReaders() { s.reading.Reset() }

// Waiting returns how many transactions wait for the next group.
func (s *Store) Waiting() int {
	s.groups.mu.Lock()
	defer s.groups.mu.Unlock()
	n := len(s.groups.waiting)
	for _, m := range s.groups.next.members {
		if !m.left {
			n++
		}
	}
	return n
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

// Line has so many transactions wait, each with reads and writes of its own, and returns what ends them: they leave one
// after the other, or are committed by groups.
func Line(n int) (leave, commit func()) {
	l := NewInLine()
	for i := range n {
		t := &tx{}
		for read := range 6 {
			t.pairs.put(store.NewPair(fmt.Appendf(nil, "read%d-%d", read, i), nil))
		}
		for written := range 4 {
			t.own = append(t.own, store.NewPair(fmt.Appendf(nil, "written%d-%d", written, i), nil))
		}
		l.join(t)
	}
	leave = func() {
		for _, m := range l.members {
			l.g.leave(m)
		}
	}
	commit = func() {
		for one := l.g.take(); one != nil; one = l.g.take() {
			l.g.release(one)
		}
	}
	return leave, commit
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
	of, known := pairIn(&s.seen, key)
	if is, too := pairIn(&s.seen, []byte(key)); is != of || too != known {
		return "", !known // both ways find the same
	}
	return of, known
}

// IsNew reports whether a key that is written and was not read is taken to be new.
func (m MemoryOf) IsNew(key string) bool {
	fresh, _ := m.sortOut(nil, []store.Pair{store.NewPair([]byte(key), nil)})
	return len(fresh) == 1
}

// Overwrote says that a key that was taken for new was not.
func (m MemoryOf) Overwrote(key string) { m.overwrote([]string{key}) }

// KindsWritten returns of how many kinds keys are not taken for new.
func (m MemoryOf) KindsWritten() int { return len(m.again) }

// WrittenAgain is how many keys are not taken for new then, and RecentKinds of how many kinds.
const (
	WrittenAgain = writtenAgain
	RecentKinds  = recentKinds
)

// Lent is memory that is lent to a connection.
type Lent struct{ *arguments }

// Lend writes an argument to memory that is lent.
func Lend(to *pgproto3.Frontend, argument []byte) Lent {
	a := &arguments{text: argument, ends: []int{len(argument)}}
	a.lendRoom(to)
	to.SendBind(&pgproto3.Bind{Parameters: a.all()})
	return Lent{a}
}

// Room returns that memory.
func (l Lent) Room() []byte { return l.room[:cap(l.room)] }

// TakeBack has the connection let go of it.
func (l Lent) TakeBack(from *pgproto3.Frontend) { l.takeBack(from) }

// CallTwice makes a call with an argument of so many bytes, and reports whether the next one would use its memory.
func CallTwice(ctx context.Context, conn *pgx.Conn, size int) (again bool, err error) {
	if _, err := prepared(context.Background(), conn, "pg_catalog", "sha256", 1); err != nil {
		return false, err
	}
	a := newArguments()
	a.text = append(a.text, make([]byte, size)...)
	a.end()
	err = call(ctx, conn, "pg_catalog", "sha256", a, func(answer *pgconn.ResultReader) error {
		_, err := answer.Close()
		return err
	})
	return newArguments() == a, err
}

// AllGone calls cancel when all contexts have ended, until stop is called.
func AllGone(contexts []context.Context, cancel func()) (stop func()) {
	return allGone(contexts, cancel)
}

// KeptRoom is how much memory is kept of a call.
const KeptRoom = keptRoom

// Kept reports whether memory is kept of arguments and a message with so many bytes.
func Kept(text, message int) bool {
	return (&arguments{text: make([]byte, text), room: make([]byte, message)}).kept()
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

// InLine is callers who wait in line, without a server: what a server would answer is told by who uses it.
type InLine struct {
	g       *groups
	members []*member
	sent    []*group
}

// NewInLine returns an empty line while a group is under way. The memory knows some pairs.
func NewInLine(known ...store.Pair) *InLine {
	l := &InLine{g: &groups{counts: new(counts), recent: newRecent(), next: newGroup(), busy: true}}
	l.g.recent.wrote(known)
	return l
}

// Join has one come who has read and writes something, either of which may be empty. It returns its number.
func (l *InLine) Join(read, writes store.Pair) int {
	t := &tx{}
	if read != "" {
		t.pairs.put(read)
	}
	if writes != "" {
		t.own = append(t.own, writes)
	}
	l.join(t)
	return len(l.members) - 1
}

func (l *InLine) join(t *tx) {
	m := &member{ctx: context.Background(), tx: t, done: make(chan struct{})}
	l.members = append(l.members, m)
	l.g.join(m)
}

// Send takes the group that has gathered, and returns who is in it; none if there is none.
func (l *InLine) Send() (numbers []int) {
	one := l.g.take()
	if one == nil {
		return nil
	}
	l.sent = append(l.sent, one)
	for _, m := range one.members {
		numbers = append(numbers, slices.Index(l.members, m))
	}
	return numbers
}

// End tells the members of the group that was sent first that all of them stand, or that it has failed.
func (l *InLine) End(err error) {
	one := l.sent[0]
	l.sent = l.sent[1:]
	one.err = err
	l.g.busy = true // run is this goroutine
	l.g.release(one)
}

// Told reports whether one was told how it ended, and whether it stands.
func (l *InLine) Told(number int) (told, stands bool) {
	m := l.members[number]
	select {
	case <-m.done:
		return true, m.stands
	default:
		return false, false
	}
}

// CommitAgain fails to commit once, and calls tried with the context of the second try and with one that has all of the
// patience.
func (s *Store) CommitAgain(ctx context.Context, tried func(second, whole context.Context)) error {
	l, first := s.newLane(), true
	l.patient = &patient{patience: l.patience}
	_, err := l.commitFor(ctx, ctx, 1, func(ctx context.Context, _ *pgx.Conn, _ uuid.UUID, _ int64) (verdict, error) {
		if first {
			first = false
			return nil, &pgconn.PgError{Code: "40001"}
		}
		tried(ctx, l.patient.share())
		return verdict{0}, nil
	})
	return err
}

// ReadAgain asks a server that is silent as a function does that runs again, and calls tried with what ended that and
// with a context that has all of the patience.
func (s *Store) ReadAgain(ctx context.Context, tried func(err error, whole context.Context)) {
	r := &reader{}
	s.begin(ctx, r, &reader{fault: errLeft}, time.Now())
	p := &patient{patience: s.cfg.Patience}
	whole := p.share()
	r.from = silent{p}
	_, err := r.find([]byte("k"))
	tried(err, whole)
}

// silent answers nothing.
type silent struct{ *patient }

func (s silent) ask(q *question) error { return s.await(q) }

// UntilAgain returns when the wait of a function ends that runs again after a fault of the server, or without one after
// something has changed; zero is as late as that of one that runs for the first time.
func (s *Store) UntilAgain(fault error) time.Time {
	r := &reader{}
	s.begin(context.Background(), r, &reader{fault: fault}, time.Now())
	return r.until
}

// Origin is where a connection leads.
type Origin struct {
	System   string
	Timeline uint64
}

// OriginOf reads an answer of a server.
func OriginOf(row ...[]byte) (Origin, bool) {
	o, told := originOf(row)
	return Origin{o.system, o.timeline}, told
}

// Follow lets connections lead to servers, one after the other, before or after the pools are made. It returns what
// becomes of the last, and how often the store leaves a server. Each time, no other connection is used before it has.
func Follow(early bool, servers ...Origin) (left int, err error) {
	p := newPrimary()
	leave := func() {
		left++
		if p.mu.TryLock() {
			panic("another connection may be used")
		}
	}
	if !early {
		p.leaveBy(leave)
	}
	for _, o := range servers {
		err = p.follow(origin{o.System, o.Timeline})
	}
	p.leaveBy(leave)
	return left, err
}

// Patience returns what gives calls of a store contexts that end when it has lost this patience.
func Patience(patience time.Duration) (within func(context.Context) (context.Context, context.CancelFunc)) {
	return (&patient{patience: patience}).within
}
