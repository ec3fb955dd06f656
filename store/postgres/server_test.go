package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// newServer starts a server that a test may stop.
func newServer(t testing.TB) *cluster.Cluster {
	t.Helper()
	c := newCluster(t, "")
	require.NoError(t, c.Start(nil))
	return c
}

// newCluster makes an empty cluster below a folder, which is not started.
func newCluster(t testing.TB, parent string) *cluster.Cluster {
	t.Helper()
	c, err := blank.Copy(parent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Remove()) })
	return c
}

// crowd is callers of two instances who count, each under a key of its own and all under one, and remember what was
// acknowledged.
type crowd struct {
	t      *testing.T
	stores []*postgres.Store
	stop   atomic.Bool
	all    sync.WaitGroup
	acked  []atomic.Int64
	maybe  []atomic.Int64 // unknown outcomes
	failed atomic.Int64
}

const callers = 8

func newCrowd(t *testing.T, stores ...*postgres.Store) *crowd {
	c := &crowd{t: t, stores: stores, acked: make([]atomic.Int64, callers), maybe: make([]atomic.Int64, callers)}
	for i := range callers {
		c.all.Go(func() {
			for !c.stop.Load() {
				c.act(i)
			}
		})
	}
	return c
}

func keyOf(i int) string { return fmt.Sprintf("caller%d", i) }

// act counts once. Every fourth time the caller also counts under the key of all, where it meets others.
func (c *crowd) act(i int) {
	s := c.stores[i%len(c.stores)]
	err := s.Update(context.Background(), func(tx store.Tx) error {
		if err := increment(keyOf(i))(tx); err != nil {
			return err
		}
		if i%4 != 0 {
			return nil
		}
		return increment("all")(tx)
	})
	switch {
	case err == nil:
		c.acked[i].Add(1)
	case errors.Is(err, store.ErrUnknownCommit):
		c.maybe[i].Add(1)
	default:
		c.failed.Add(1)
	}
}

// progress waits until something was acknowledged after now.
func (c *crowd) progress() {
	c.t.Helper()
	before := c.total()
	require.Eventually(c.t, func() bool { return c.total() > before+callers }, time.Minute, time.Millisecond)
}

func (c *crowd) total() (n int64) {
	for i := range c.acked {
		n += c.acked[i].Load()
	}
	return n
}

// end stops the callers and judges: what was acknowledged is there, once.
func (c *crowd) end() (unknown int64) {
	c.t.Helper()
	c.stop.Store(true)
	c.all.Wait()
	var sum int64
	for i := range callers {
		n := int64(numberIn(c.t, c.stores[0], keyOf(i)))
		require.GreaterOrEqual(c.t, n, c.acked[i].Load(), "a payment is lost")
		require.LessOrEqual(c.t, n, c.acked[i].Load()+c.maybe[i].Load(), "a payment is doubled")
		unknown += c.maybe[i].Load()
		if i%4 == 0 {
			sum += n
		}
	}
	require.Equal(c.t, sum, int64(numberIn(c.t, c.stores[0], "all")), "a transaction is torn")
	return unknown
}

// blows are what happens to a server.
var blows = []struct {
	name   string
	rounds int
	strike func(t *testing.T, c *cluster.Cluster)
}{
	{"sessions are terminated", 20, func(t *testing.T, c *cluster.Cluster) {
		execute(t, c.URL(), "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate'")
	}},
	{"statements are cancelled", 20, func(t *testing.T, c *cluster.Cluster) {
		execute(t, c.URL(), "select pg_cancel_backend(pid) from pg_stat_activity where application_name = 'tollgate'")
	}},
	{"the server is restarted", 3, func(t *testing.T, c *cluster.Cluster) {
		require.NoError(t, c.Stop(syscall.SIGINT))
		require.NoError(t, c.Start(nil))
	}},
	{"the server is stopped at once", 3, func(t *testing.T, c *cluster.Cluster) {
		require.NoError(t, c.Stop(syscall.SIGQUIT))
		require.NoError(t, c.Start(nil))
	}},
	{"the server is killed", 5, func(t *testing.T, c *cluster.Cluster) {
		require.NoError(t, c.Kill())
		require.NoError(t, c.Start(nil))
	}},
}

// TestBlows: two instances go on while sessions are terminated and the server is stopped, restarted and killed. No
// acknowledged transaction is lost, none takes effect twice, and since the server comes back none ends unknown.
// TOLLGATE_BLOWS=200 strikes so often.
func TestBlows(t *testing.T) {
	t.Parallel()
	for _, blow := range blows {
		t.Run(blow.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			cfg := postgres.Config{URL: server.URL(), Connections: 8, Patience: time.Minute}
			one, err := postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			two, err := postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			c := newCrowd(t, one, two)
			n := rounds(t, "TOLLGATE_BLOWS", blow.rounds)
			for range n {
				c.progress()
				blow.strike(t, server)
			}
			c.progress()
			require.Zero(t, c.end(), "unknown outcomes")
			require.Zero(t, c.failed.Load())
			t.Logf("blows: %d, acknowledged: %d, unknown: 0", n, c.total())
			require.NoError(t, errors.Join(one.Close(), two.Close()))
		})
	}
}

// hold takes a lock in a session of its own until the test lets go.
func hold(t testing.TB, url, statement string) (letGo func()) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	_, err = conn.Exec(context.Background(), "begin; "+statement)
	require.NoError(t, err)
	letGo = sync.OnceFunc(func() { require.NoError(t, conn.Close(context.Background())) })
	t.Cleanup(letGo)
	return letGo
}

// TestLockTimeout: where the turn does not come, nothing is written, and the caller is told that for certain.
func TestLockTimeout(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Statement: 2 * time.Second, Patience: 3 * time.Second}) // far apart for a busy machine
			require.NoError(t, err)
			letGo := hold(t, shared.URL(), "select "+schema+".turn()")
			err = way.update(t.Context(), s, increment("n"))
			require.ErrorContains(t, err, "lock timeout")
			require.NotErrorIs(t, err, store.ErrUnknownCommit)
			require.Zero(t, numberIn(t, s, "n"))

			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			require.ErrorIs(t, way.update(ctx, s, increment("n")), context.DeadlineExceeded)
			letGo()
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			require.Equal(t, 1, numberIn(t, s, "n"))
			require.NoError(t, s.Close())
		})
	}
}

// TestOpenWaitsForTheTurn: an instance that starts while others have the turn for long, as one that was killed or is
// stopped in the middle of a commit, waits for it and is not refused. Without it, it does not start.
func TestOpenWaitsForTheTurn(t *testing.T) {
	t.Parallel()
	for _, comes := range []bool{true, false} {
		t.Run(fmt.Sprintf("it comes: %t", comes), func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			first, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6})
			require.NoError(t, err)
			require.NoError(t, first.Close())
			cfg := postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Statement: time.Second, Patience: time.Minute}
			if !comes {
				cfg.Patience = time.Second
			}
			letGo := hold(t, shared.URL(), "select "+schema+".turn()")
			opened := make(chan error, 1)
			go func() {
				s, err := postgres.Open(context.Background(), cfg)
				if err == nil {
					err = s.Close()
				}
				opened <- err
			}()
			require.Eventually(t, func() bool { return waitingFor(t, schema) > 0 }, time.Minute, time.Millisecond)
			require.Eventually(t, func() bool { return waitingFor(t, schema) == 0 }, time.Minute, time.Millisecond)
			if comes {
				letGo()
				require.NoError(t, <-opened)
				return
			}
			err = <-opened
			require.ErrorContains(t, err, "try the turn")
			require.NotErrorIs(t, err, postgres.ErrRefused)
		})
	}
}

// TestSilentServer: a caller whose context ends while the server is silent in the middle of its commit is told that the
// outcome is unknown, long before the store loses its patience. Others go on when the server does.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Connections: 6, Patience: time.Hour})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, server.Signal(syscall.SIGSTOP))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	err = s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte("blind"), nothing) })
	require.ErrorIs(t, err, store.ErrUnknownCommit)
	next := make(chan error, 1)
	go func() { next <- s.Update(t.Context(), increment("n")) }()
	require.NoError(t, server.Signal(syscall.SIGCONT))
	require.NoError(t, <-next)
	require.Equal(t, 2, numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// TestSlowQuery: a query that takes long ends with the context of who asked, also on the server: one that asks for what
// is not known, and one that compares what was read from memory.
func TestSlowQuery(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"a snapshot": false, "a check": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slowQuery(t, known)
		})
	}
}

func slowQuery(t *testing.T, known bool) {
	t.Helper()
	schema := newSchema(t)
	s := openPatient(t, schema)
	want := 0
	if known {
		want = 1
		require.NoError(t, s.Update(t.Context(), increment("k")))
	}
	letGo := hold(t, shared.URL(), "lock table "+schema+".records in access exclusive mode")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- s.View(ctx, func(r store.Reader) error { _, err := r.Get([]byte("k")); return err })
	}()
	waiting := func() int64 {
		return ask[int64](t, shared.URL(), "select count(*) from pg_stat_activity where wait_event_type = 'Lock' "+
			"and query like '%'||$1||'.records%'", schema)
	}
	require.Eventually(t, func() bool { return waiting() == 1 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, within(t, 20*time.Second, func() error { return <-ended }), context.Canceled)
	require.Eventually(t, func() bool { return waiting() == 0 }, time.Minute, time.Millisecond)
	letGo()
	require.Equal(t, want, numberIn(t, s, "k"))
}

// TestPoolExhausted: when slow readers have all connections, others wait as long as their contexts allow, and writers
// have connections of their own.
func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Patience: 2 * time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	scan := func(r store.Reader) error { _, err := count(r, store.Range{Prefix: []byte("n"), Limit: 1}); return err }
	release := make(chan struct{})
	free := sync.OnceFunc(func() { close(release) })
	t.Cleanup(free) // a test that fails does not wait for its readers
	var readers sync.WaitGroup
	for range 3 { // one after the other, so that each has a snapshot of its own
		reading := make(chan struct{})
		began := sync.OnceFunc(func() { close(reading) })
		readers.Go(func() {
			err := s.View(context.Background(), func(r store.Reader) error {
				err := scan(r)
				began()
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-reading
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.View(ctx, scan), context.DeadlineExceeded)
	require.ErrorContains(t, s.View(t.Context(), scan), "connect to read")
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte("blind"), nothing) }))
	free()
	readers.Wait()
	require.Zero(t, numberIn(t, s, "n"))
}
