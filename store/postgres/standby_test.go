package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// newPair starts a server and a standby to which it replicates synchronously.
func newPair(t testing.TB) (primary, standby *cluster.Cluster) {
	t.Helper()
	return newPairBelow(t, "")
}

// newPairBelow is newPair in a folder, such as one on a disk: the usual one is in memory where the machine has that.
func newPairBelow(t testing.TB, parent string) (primary, standby *cluster.Cluster) {
	t.Helper()
	primary = newCluster(t, parent)
	require.NoError(t, primary.Start(nil))
	standby, err := primary.Standby(parent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Remove()) })
	return primary, standby
}

// A standby is refused, and named beside the primary it is passed over.
func TestStandbyIsRefused(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	_, err := postgres.Open(t.Context(), postgres.Config{URL: standby.URL()})
	require.ErrorIs(t, err, postgres.ErrRefused)
	require.ErrorContains(t, err, "read only connection")
	require.ErrorContains(t, err, "it is a standby, whose answers are late")
	require.ErrorContains(t, err, "name the primary, or all servers")
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(standby, primary)})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, s.Close())
}

// TestPromotion: two instances count while the primary is killed and its standby promoted, again and again. They go on
// by the URL that names both. Nothing that was acknowledged is lost, nothing counts twice, and nothing ends unknown.
// TOLLGATE_PROMOTIONS=20 promotes so often.
func TestPromotion(t *testing.T) {
	t.Parallel()
	for n := range rounds(t, "TOLLGATE_PROMOTIONS", 2) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			primary, standby := newPair(t)
			cfg := postgres.Config{URL: cluster.URL(primary, standby), Connections: 8, Patience: time.Minute}
			one, err := postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			two, err := postgres.Open(t.Context(), cfg)
			require.NoError(t, err)
			c := newCrowd(t, one, two)
			c.progress()
			require.NoError(t, primary.Kill())
			require.NoError(t, standby.Promote())
			c.progress()
			require.Zero(t, c.end(), "unknown outcomes")
			require.Zero(t, c.failed.Load())
			t.Logf("promoted, acknowledged: %d, unknown: 0", c.total())
			require.NoError(t, errors.Join(one.Close(), two.Close()))
		})
	}
}

// TestStandbyReturns: a standby attaches again to a primary that died as a segment of its log ended which the standby
// did not have, and commits go on.
func TestStandbyReturns(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
		Patience: time.Minute})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	sender := ask[int](t, primary.URL(), "select pid from pg_stat_replication")
	require.NoError(t, syscall.Kill(sender, syscall.SIGSTOP))
	execute(t, primary.URL(), "set synchronous_commit = local; create table unsent (n int)")
	execute(t, primary.URL(), "select pg_switch_wal()")
	execute(t, primary.URL(), "set synchronous_commit = local; insert into unsent values (1)")
	require.NoError(t, primary.Kill())
	require.NoError(t, primary.Start(nil))
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.Equal(t, 2, numberIn(t, s, "n"))
	require.Equal(t, 1, ask[int](t, standby.URL(), "select n from unsent"))
	require.NoError(t, s.Close())
}

// silences end the wait of a commit for its standby without the standby.
var silences = []struct {
	name string
	// patience of the store
	patience time.Duration
	strike   func(t *testing.T, primary *cluster.Cluster)
}{
	{"the store's patience ends", 2 * time.Second, func(*testing.T, *cluster.Cluster) {}},
	{"an administrator cancels it", 2 * time.Second, func(t *testing.T, primary *cluster.Cluster) {
		const waiting = "from pg_stat_activity where wait_event = 'SyncRep'"
		require.Eventually(t, func() bool { return ask[bool](t, primary.URL(), "select exists (select "+waiting+")") },
			time.Minute, time.Millisecond)
		ask[int64](t, primary.URL(), "select count(pg_cancel_backend(pid)) "+waiting)
	}},
	{"an administrator ends the session", 2 * time.Second, func(t *testing.T, primary *cluster.Cluster) {
		const waiting = "from pg_stat_activity where wait_event = 'SyncRep'"
		require.Eventually(t, func() bool { return ask[bool](t, primary.URL(), "select exists (select "+waiting+")") },
			time.Minute, time.Millisecond)
		ask[int64](t, primary.URL(), "select count(pg_terminate_backend(pid)) "+waiting)
	}},
}

// TestStandbySilent: a commit that no standby has is not acknowledged, even though the server answers it when its wait
// is cancelled: the primary may die, and then it is gone. A share of the test has each silence in one way.
func TestStandbySilent(t *testing.T) {
	t.Parallel()
	for i, c := range silences {
		for j, way := range ways {
			if share() > 1 && i%len(ways) != j {
				continue
			}
			t.Run(c.name+", "+way.name, func(t *testing.T) {
				t.Parallel()
				primary, standby := newPair(t)
				s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
					Patience: c.patience})
				require.NoError(t, err)
				require.NoError(t, way.update(t.Context(), s, increment("n")))
				require.NoError(t, standby.Signal(syscall.SIGSTOP))
				ended := make(chan error, 1)
				go func() { ended <- way.update(context.Background(), s, increment("n")) }()
				c.strike(t, primary)
				require.ErrorIs(t, <-ended, store.ErrUnknownCommit)
				require.NoError(t, primary.Kill())
				require.NoError(t, standby.Signal(syscall.SIGCONT))
				require.NoError(t, standby.Promote())
				require.NoError(t, retry(t, func() error { return way.update(t.Context(), s, increment("n")) }))
				require.Contains(t, []int{2, 3}, numberIn(t, s, "n"))
				require.NoError(t, s.Close())
			})
		}
	}
}

// TestStandbyAway: the outcome of a commit that no standby confirms is unknown, and the error names the setting. A
// commit that has to open its lane first may fail there.
func TestStandbyAway(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, first := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, first %v", way.name, first), func(t *testing.T) {
				t.Parallel()
				c := newCluster(t, "")
				require.NoError(t, c.Start(nil))
				s, err := postgres.Open(t.Context(), postgres.Config{URL: c.URL(), Connections: 6, Patience: 2 * time.Second})
				require.NoError(t, err)
				want := 1 // at the end, at least
				if !first {
					require.NoError(t, way.update(t.Context(), s, increment("n")))
					want = 2
				}
				execute(t, c.URL(), "alter system set synchronous_standby_names = 'nobody'")
				execute(t, c.URL(), "select pg_reload_conf()")
				for err == nil { // the checkpointer tells the others when it gets there
					if err = way.update(t.Context(), s, increment("n")); err == nil {
						want++
					}
				}
				require.ErrorContains(t, err, "a commit waits for synchronous_standby_names = nobody")
				if !first {
					require.ErrorIs(t, err, store.ErrUnknownCommit)
				}
				execute(t, c.URL(), "alter system reset synchronous_standby_names")
				execute(t, c.URL(), "select pg_reload_conf()")
				require.NoError(t, retry(t, func() error { return way.update(t.Context(), s, increment("n")) }))
				require.Contains(t, []int{want, want + 1}, numberIn(t, s, "n"))
				require.NoError(t, s.Close())
			})
		}
	}
}

// TestStandbyAwayAtStart: an instance that starts while a commit has the turn and waits for a standby, as that of an
// instance that was killed, names the setting.
func TestStandbyAwayAtStart(t *testing.T) {
	t.Parallel()
	c := newCluster(t, "")
	require.NoError(t, c.Start(nil))
	cfg := postgres.Config{URL: c.URL(), Connections: 6, Patience: time.Second, Statement: time.Second}
	s, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	execute(t, c.URL(), "create table held (n int)")
	execute(t, c.URL(), "alter system set synchronous_standby_names = 'nobody'")
	execute(t, c.URL(), "select pg_reload_conf()")
	var back atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !back.Load() { // the checkpointer tells the others when it gets there
			execute(t, c.URL(), "begin; select tollgate.turn(); insert into held values (1); commit")
		}
	}()
	require.Eventually(t, func() bool {
		return ask[bool](t, c.URL(), "select exists (select from pg_stat_activity where wait_event = 'SyncRep')")
	}, time.Minute, time.Millisecond)
	_, err = postgres.Open(t.Context(), cfg)
	require.ErrorContains(t, err, "postgres: try the turn")
	require.ErrorContains(t, err, "a commit waits for synchronous_standby_names = nobody")
	execute(t, c.URL(), "alter system reset synchronous_standby_names")
	execute(t, c.URL(), "select pg_reload_conf()")
	back.Store(true)
	<-ended
	s, err = postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestStandbyOfSettle: what became of a commit is not known before a standby has it, though somebody cancels each
// wait for that.
func TestStandbyOfSettle(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			primary, standby := newPair(t)
			s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
				Patience: 2 * time.Second})
			require.NoError(t, err)
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			require.NoError(t, standby.Signal(syscall.SIGSTOP))
			ended := make(chan error, 1)
			go func() { ended <- way.update(context.Background(), s, increment("n")) }()
			require.Eventually(t, func() bool {
				ask[int64](t, primary.URL(), `select count(pg_cancel_backend(pid)) from pg_stat_activity
					where wait_event = 'SyncRep'`)
				return len(ended) > 0
			}, time.Minute, time.Millisecond)
			require.ErrorIs(t, <-ended, store.ErrUnknownCommit)
			require.NoError(t, standby.Signal(syscall.SIGCONT))
			require.NoError(t, s.Close())
		})
	}
}
