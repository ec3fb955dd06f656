package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// waitingFor reports how many sessions wait for a lock in a statement that names a schema.
func waitingFor(t testing.TB, schema string) int64 {
	t.Helper()
	return ask[int64](t, shared.URL(), "select count(*) from pg_stat_activity where wait_event_type = 'Lock' "+
		"and query like '%'||$1||'.%'", schema)
}

// openPatient opens a store that waits for ever, so that only a context ends a wait.
func openPatient(t testing.TB, schema string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
		Patience: time.Hour, Statement: time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// TestCallerLeavesTheTurn: while another session has the turn, the context of who waits for a turn of its own ends the
// wait, also on the server, and nothing was written. The next one has the turn when it is free.
func TestCallerLeavesTheTurn(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	letGo := hold(t, shared.URL(), "select "+schema+".turn()")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.RunAlone(ctx, increment("n")) }()
	require.Eventually(t, func() bool { return waitingFor(t, schema) == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, within(t, 20*time.Second, func() error { return <-ended }), context.Canceled)
	require.Eventually(t, func() bool { return waitingFor(t, schema) == 0 }, time.Minute, time.Millisecond)
	letGo()
	require.NoError(t, s.RunAlone(t.Context(), increment("n")))
	require.Equal(t, 1, numberIn(t, s, "n"))
}

// watch calls sent when a commit was sent.
func watch(sent func()) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) {
		unasked(c)
		through(c, func(conn net.Conn) net.Conn { return &watchedConn{cutConn: cutConn{Conn: conn}, sent: sent} })
	}
}

type watchedConn struct {
	cutConn
	sent func()
}

// Write implements net.Conn.
func (c *watchedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if c.isCommit(b) {
		c.sent()
	}
	return n, err
}

// Read implements net.Conn.
func (c *watchedConn) Read(b []byte) (int, error) { return c.Conn.Read(b) }

// TestCallerLeavesItsCommit: a caller whose context ends when its commit in a turn of its own was sent, to a server
// that is silent, is told that the outcome is unknown. Others go on when the server does, after the lane has found it
// out.
func TestCallerLeavesItsCommit(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var silent atomic.Bool
	s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Connections: 6, Patience: time.Hour,
		Adjust: watch(func() {
			if silent.Load() {
				cancel()
			}
		})})
	require.NoError(t, err)
	require.NoError(t, errors.Join(s.RunAlone(t.Context(), increment("n")), s.RunAlone(t.Context(), increment("n"))))
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunAlone(ctx, func(tx store.Tx) error {
			err := errors.Join(increment("n")(tx), server.Signal(syscall.SIGSTOP))
			silent.Store(true)
			return err
		})
	}()
	err = within(t, 20*time.Second, func() error { return <-ended })
	require.ErrorIs(t, err, store.ErrUnknownCommit)
	require.ErrorIs(t, err, context.Canceled)
	next := make(chan error, 1)
	go func() { next <- s.RunAlone(t.Context(), increment("n")) }()
	require.NoError(t, server.Signal(syscall.SIGCONT))
	require.NoError(t, within(t, time.Minute, func() error { return <-next }))
	require.Contains(t, []int{3, 4}, numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// TestUnknownToWhoHasGone: where nobody can find out what became of a commit, that is what its caller is told, also one
// whose context has ended meanwhile.
func TestUnknownToWhoHasGone(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			scissors := &scissors{after: sync.OnceFunc(func() {
				cancel()
				execute(t, shared.URL(), "drop function "+schema+".settle")
			})}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Patience: time.Hour, Adjust: scissors.adjust})
			require.NoError(t, err)
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			scissors.arm(-1, 0)
			require.ErrorIs(t, way.update(ctx, s, increment("n")), store.ErrUnknownCommit)
			require.NoError(t, way.update(t.Context(), s, increment("n")), "by another lane")
			require.NoError(t, s.Close())
		})
	}
}

// TestWaitToBeAlone: who waits until another transaction of the instance is alone no more does so as long as its
// context and the patience last.
func TestWaitToBeAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patience time.Duration
		context  func(ctx context.Context) context.Context
		want     string
	}{
		"a context that has ended": {time.Hour, func(ctx context.Context) context.Context {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return ctx
		}, "context canceled"},
		"patience": {time.Second, func(ctx context.Context) context.Context { return ctx },
			"wait to be alone: no answer within the patience of the store (Config.Patience), 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
				Patience: c.patience})
			require.NoError(t, err)
			alone, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			free := sync.OnceFunc(func() { close(release) })
			defer free()
			first := sync.OnceFunc(func() { close(alone) })
			go func() {
				ended <- s.RunAlone(t.Context(), func(store.Tx) error { first(); <-release; return nil })
			}()
			<-alone
			err = within(t, 20*time.Second, func() error { return s.RunAlone(c.context(t.Context()), increment("n")) })
			require.ErrorContains(t, err, c.want)
			free()
			require.NoError(t, <-ended)
			require.Zero(t, numberIn(t, s, "n"))
			require.NoError(t, s.Close())
		})
	}
}

// line lets some transactions come while another has the turn, so that the first is a group and the others are the
// next.
func line(t *testing.T, s *postgres.Store, schema string, updates ...func() error) (ends []chan error) {
	t.Helper()
	defer hold(t, shared.URL(), "select "+schema+".turn()")()
	return lineUp(t, s, schema, updates...)
}

// lineUp begins updates one after the other, while the turn is held: the first one waits for it, and the others for the
// first.
func lineUp(t *testing.T, s *postgres.Store, schema string, updates ...func() error) (ends []chan error) {
	t.Helper()
	for i, update := range updates {
		ends = append(ends, make(chan error, 1))
		go func() { ends[i] <- update() }()
		require.Eventually(t, func() bool { return s.Waiting() == i && waitingFor(t, schema) == 1 }, time.Minute,
			time.Millisecond)
	}
	return ends
}

// blind returns an update that writes without reading.
func blind(ctx context.Context, s *postgres.Store, key, value string) func() error {
	return func() error {
		return s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte(key), []byte(value)) })
	}
}

// panicking is a tracer that panics once before a commit is sent.
type panicking struct{ armed atomic.Bool }

func (p *panicking) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (p *panicking) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (p *panicking) TracePrepareStart(ctx context.Context, _ *pgx.Conn, d pgx.TracePrepareStartData) context.Context {
	if strings.Contains(d.SQL, "apply_all") && p.armed.CompareAndSwap(true, false) {
		panic("planted")
	}
	return ctx
}

func (p *panicking) TracePrepareEnd(context.Context, *pgx.Conn, pgx.TracePrepareEndData) {}

// TestLeaderPanics: what a caller was committing when the host's tracer panicked is committed once or not at all, and
// others go on.
func TestLeaderPanics(t *testing.T) {
	t.Parallel()
	by := &panicking{}
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Adjust: func(c *pgxpool.Config) { c.ConnConfig.Tracer = by }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, within(t, 20*time.Second, s.Close)) })
	for n := range 2 { // with a lane that has no row yet, and with one
		by.armed.Store(true)
		require.PanicsWithValue(t, "planted", func() { _ = s.Update(t.Context(), increment(fmt.Sprint("n", n))) })
		for range 3 {
			require.NoError(t, within(t, 20*time.Second, func() error { return s.Update(t.Context(), increment("others")) }))
		}
		require.Contains(t, []string{"absent", "1"}, textIn(t, s, fmt.Sprint("n", n)))
	}
	require.Equal(t, "6", textIn(t, s, "others"))
}

// TestOneKeyTwice: of transactions that write the same key without having read it, no two are in one group.
func TestOneKeyTwice(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	for _, end := range line(t, s, schema, blind(t.Context(), s, "first", "0"), blind(t.Context(), s, "k", "1"),
		blind(t.Context(), s, "k", "2"), blind(t.Context(), s, "k", "3")) {
		require.NoError(t, <-end)
	}
	require.Equal(t, "3", textIn(t, s, "k"), "the last in the line")
}

// TestMemberLeaves: a member of a group that did not send it, and whose context ends while it is carried out, is told
// that the outcome is unknown: here it was committed.
func TestMemberLeaves(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := openPatient(t, schema)
	execute(t, shared.URL(), `create function `+schema+`.wait() returns trigger language plpgsql as $$ begin
			perform pg_advisory_xact_lock(hashtext('`+schema+` waits'));
			return new;
		end $$;
		create trigger wait before insert on `+schema+`.records for each row when (new.key = 'k')
			execute function `+schema+`.wait()`)
	letGo := hold(t, shared.URL(), "select pg_advisory_xact_lock(hashtext('"+schema+" waits'))")
	ctx, cancel := context.WithCancel(t.Context())
	ends := line(t, s, schema, blind(t.Context(), s, "first", "0"), blind(ctx, s, "k", "1"))
	require.NoError(t, <-ends[0])
	require.Eventually(t, func() bool { return waitingFor(t, schema) == 1 }, time.Minute, time.Millisecond)
	cancel()
	err := within(t, 20*time.Second, func() error { return <-ends[1] })
	require.ErrorIs(t, err, store.ErrUnknownCommit)
	letGo()
	require.NoError(t, s.Update(t.Context(), increment("n")), "behind it")
	require.Equal(t, "1", textIn(t, s, "k"))
}

// TestLosersAreAlone: who has lost three times against others has a turn of its own.
func TestLosersAreAlone(t *testing.T) {
	t.Parallel()
	s := open(t, newSchema(t))
	runs := 0
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		if err := increment("n")(tx); err != nil {
			return err
		}
		if runs++; runs <= 3 {
			elsewhere(func() { require.NoError(t, s.Update(t.Context(), increment("n"))) })
		}
		return nil
	}))
	_, _, conflicts, alone := s.Counts()
	require.Equal(t, []int64{3, 1}, []int64{conflicts, alone})
	require.Equal(t, 4, runs)
	require.Equal(t, 4, numberIn(t, s, "n"))
}

// TestSilentHolder: a function that is silent for long in a turn of its own loses the turn to others, and runs again.
func TestSilentHolder(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s, other := openPatient(t, schema), openPatient(t, schema)
	ended := make(chan error, 1)
	var runs atomic.Int64
	require.NoError(t, within(t, time.Minute, func() error {
		return s.RunAlone(t.Context(), func(tx store.Tx) error {
			if runs.Add(1) == 1 {
				ended <- other.Update(t.Context(), increment("n")) // waits for the turn
			}
			return increment("n")(tx)
		})
	}))
	require.NoError(t, <-ended)
	require.EqualValues(t, 2, runs.Load())
	require.Equal(t, 2, numberIn(t, s, "n"))
}
