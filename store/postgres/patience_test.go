package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// silentDoors are the ways to ask a server that is silent. stop makes it so, and all of the doors wait there.
var silentDoors = []struct {
	name    string
	unknown bool // something was sent that commits
	fresh   bool // by a store that has done nothing before
	call    func(ctx context.Context, s *postgres.Store, stop func()) error
}{
	{"View reads", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.View(ctx, func(r store.Reader) error { _, err := r.Get([]byte("other")); return err })
	}},
	{"View scans", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.View(ctx, scanAll)
	}},
	{"View goes on to read", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		return s.View(ctx, func(r store.Reader) error { return errors.Join(scanAll(r), after(stop, scanAll, r)) })
	}},
	{"View compares its memory", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.View(ctx, func(r store.Reader) error { _, err := r.Get([]byte("n")); return err })
	}},
	{"Update scans", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.Update(ctx, func(tx store.Tx) error { return errors.Join(scanAll(tx), tx.Put([]byte("v"), nothing)) })
	}},
	{"Update writes", true, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte("v"), nothing) })
	}},
	{"Update opens a lane", false, true, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte("v"), nothing) })
	}},
	{"alone, opens a lane", false, true, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.RunAlone(ctx, increment("n"))
	}},
	{"alone, takes the turn", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		stop()
		return s.RunAlone(ctx, increment("n"))
	}},
	{"alone, reads", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		return s.RunAlone(ctx, func(tx store.Tx) error { return after(stop, scanAll, tx) })
	}},
	{"alone, writes nothing", false, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		return s.RunAlone(ctx, func(tx store.Tx) error { stop(); _, err := tx.Get([]byte("n")); return err })
	}},
	{"alone, commits", true, false, func(ctx context.Context, s *postgres.Store, stop func()) error {
		return s.RunAlone(ctx, func(tx store.Tx) error { stop(); return tx.Put([]byte("v"), nothing) })
	}},
}

func after(stop func(), do func(store.Reader) error, r store.Reader) error {
	stop()
	return do(r)
}

// within returns what a call returns, which has to be before the test loses its patience.
func within(t *testing.T, longest time.Duration, call func() error) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- call() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(longest):
		require.Fail(t, "the call does not return")
		return nil
	}
}

// unasked lets a pool hand out connections that were idle without a question to the server.
func unasked(c *pgxpool.Config) {
	c.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
}

// TestPatience: a call whose context never ends returns soon after the store has lost its patience with a server that
// is silent, and says so. Only what was sent to be committed is unknown. When the server goes on, so does the store.
func TestPatience(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	stopped, calls := make(chan struct{}), make([]chan error, len(silentDoors))
	stores, at := make([]*postgres.Store, len(silentDoors)), newBarrier(len(silentDoors)+1)
	for i, door := range silentDoors { // each in a schema of its own: none waits for the turn of another
		s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Schema: fmt.Sprintf("door%d", i),
			Connections: 6, Adjust: unasked, Patience: 2 * time.Second}) // enough for a busy machine
		require.NoError(t, err)
		if !door.fresh {
			require.NoError(t, errors.Join(s.Update(t.Context(), increment("n")), s.View(t.Context(), scanAll),
				s.RunAlone(t.Context(), increment("n")), s.Update(t.Context(), increment("n"))))
		}
		stores[i], calls[i] = s, make(chan error, 1)
	}
	for i, door := range silentDoors { // when all are open: who has the turn does not wait long for the silence
		arrive := at.once()
		stop := func() { arrive(); <-stopped }
		go func() { calls[i] <- door.call(context.Background(), stores[i], stop) }()
	}
	at.once()()
	require.NoError(t, server.Signal(syscall.SIGSTOP))
	close(stopped)
	for i, door := range silentDoors {
		err := within(t, time.Minute, func() error { return <-calls[i] })
		require.Equal(t, door.unknown, errors.Is(err, store.ErrUnknownCommit), "%s: %v", door.name, err)
		require.ErrorContains(t, err, "within the patience of the store (Config.Patience), 2s", door.name)
	}
	require.NoError(t, server.Signal(syscall.SIGCONT))
	for i, s := range stores {
		for _, way := range ways {
			require.NoError(t, retry(t, func() error { return way.update(t.Context(), s, increment("n")) }),
				silentDoors[i].name)
		}
		numberIn(t, s, "n")
		require.NoError(t, s.Close())
	}
}

// TestSilentToNewcomer: a server that takes a connection and then says nothing of itself is given up too.
func TestSilentToNewcomer(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	stop := func(c *pgxpool.Config) {
		c.AfterConnect = func(context.Context, *pgx.Conn) error { return server.Signal(syscall.SIGSTOP) }
	}
	err := within(t, time.Minute, func() error {
		_, err := postgres.Open(context.Background(), postgres.Config{URL: server.URL(), Patience: time.Second, Adjust: stop})
		return err
	})
	require.ErrorContains(t, err, "ask the server for its settings")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, server.Signal(syscall.SIGCONT))
}

// TestPromotionBesideSilentPrimary: a standby is promoted while the primary is stopped, and not dead. Each call
// returns, the store goes on at the new primary, and what was acknowledged is there.
func TestPromotionBesideSilentPrimary(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 8,
		Patience: 2 * time.Second})
	require.NoError(t, err)
	require.NoError(t, s.RunAlone(t.Context(), increment("alone")))
	c := newCrowd(t, s)
	c.progress()
	require.NoError(t, primary.Signal(syscall.SIGSTOP))
	calls := make([]chan error, len(silentDoors))
	for i, door := range silentDoors {
		calls[i] = make(chan error, 1)
		go func() { calls[i] <- door.call(context.Background(), s, func() {}) }()
	}
	require.NoError(t, standby.Promote())
	for i := range calls {
		_ = within(t, time.Minute, func() error { return <-calls[i] }) // some came late enough for the new primary
	}
	c.progress()
	require.NoError(t, retry(t, func() error { return s.View(t.Context(), scanAll) })) // by connections of their own
	c.end()
	require.NoError(t, retry(t, func() error { return s.RunAlone(t.Context(), increment("alone")) }))
	require.NoError(t, s.Close())
}

// TestReadsAfterSilence: connections that have become silent, all that the store may have to read, are given up with
// the patience, and others take their place.
func TestReadsAfterSilence(t *testing.T) {
	t.Parallel()
	var generation atomic.Int64
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Patience: time.Second, Adjust: func(c *pgxpool.Config) {
			through(c, func(conn net.Conn) net.Conn {
				born := generation.Load()
				return &lossyConn{conn, func([]byte) bool { return born < generation.Load() }}
			})
		}})
	require.NoError(t, err)
	lost, ended := make(chan struct{}), make(chan error, 3)
	for range cap(ended) { // one after the other, so that each has a snapshot of its own
		reading := make(chan struct{})
		go func() {
			began := sync.OnceFunc(func() { close(reading) })
			ended <- s.View(t.Context(), func(r store.Reader) error {
				err := scanAll(r)
				began()
				<-lost
				return errors.Join(err, scanAll(r))
			})
		}()
		<-reading
	}
	generation.Add(1)
	close(lost)
	for range cap(ended) { // it has run again where there was time
		_ = within(t, time.Minute, func() error { return <-ended })
	}
	for range 5 { // a busy machine may take longer to connect than the patience
		if err = s.View(t.Context(), scanAll); err == nil {
			break
		}
	}
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestLastAttempts: what is tried again ends before the patience for one wait does, so that both are not added, and
// there is time to find out what became of a commit.
func TestLastAttempts(t *testing.T) {
	t.Parallel()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
		Patience: 2 * time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	t.Run("commit", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, s.CommitAgain(context.Background(), func(second, whole context.Context) {
			var sooner atomic.Bool
			context.AfterFunc(second, func() { sooner.Store(whole.Err() == nil) })
			<-whole.Done()
			require.True(t, sooner.Load())
			require.ErrorContains(t, context.Cause(second), "Config.Patience")
		}))
	})
	t.Run("read", func(t *testing.T) {
		t.Parallel()
		s.ReadAgain(context.Background(), func(err error, whole context.Context) {
			require.ErrorContains(t, err, "Config.Patience")
			require.NoError(t, whole.Err())
		})
	})
	// What runs again since something has changed may have begun long before: it waits for the server as at first.
	require.False(t, s.UntilAgain(errors.New("a fault")).IsZero())
	require.True(t, s.UntilAgain(nil).IsZero())
}

// TestEachHasThePatience: a call that shares the timer of one that came before has all of the patience too.
func TestEachHasThePatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		within := postgres.Patience(time.Second)
		waits := func(ctx context.Context, from time.Time) {
			<-ctx.Done()
			require.GreaterOrEqual(t, time.Since(from), time.Second)
			require.LessOrEqual(t, time.Since(from), 2*time.Second)
		}
		for _, later := range []time.Duration{0, 1, 300 * time.Millisecond, time.Second, 1100 * time.Millisecond} {
			one, cancel := within(t.Context())
			from := time.Now()
			time.Sleep(later)
			other, cancelOther := within(t.Context())
			since := time.Now()
			if later <= time.Second {
				waits(one, from)
			}
			waits(other, since)
			cancel()
			cancelOther()
		}
	})
}
