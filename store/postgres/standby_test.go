package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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
// by the URL that names both, sockets of the file system or, every other time, addresses. Nothing that was acknowledged
// is lost, nothing counts twice, and nothing ends unknown.
// TOLLGATE_PROMOTIONS=20 promotes so often.
func TestPromotion(t *testing.T) {
	t.Parallel()
	for n := range rounds(t, "TOLLGATE_PROMOTIONS", 2) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			primary, standby := newPair(t)
			cfg := postgres.Config{URL: cluster.URL(primary, standby), Connections: 8, Patience: time.Minute}
			if n%2 == 1 {
				cfg.URL = overTCP(t, primary, loopback(byte(100+n)), standby, loopback(byte(150+n)))
			}
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

// overTCP starts a primary and its standby again at addresses, and returns the URL that names both.
func overTCP(t *testing.T, primary *cluster.Cluster, one net.IP, standby *cluster.Cluster, other net.IP) string {
	t.Helper()
	require.NoError(t, errors.Join(standby.Stop(syscall.SIGQUIT), primary.Stop(syscall.SIGQUIT)))
	require.NoError(t, primary.Start(map[string]string{"listen_addresses": one.String()}))
	require.NoError(t, standby.Start(map[string]string{"listen_addresses": other.String()}))
	return fmt.Sprintf("postgres://postgres@%s,%s/postgres?target_session_attrs=read-write", one, other)
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
	end := ask[string](t, primary.URL(), "select pg_current_wal_flush_lsn()::text")
	require.True(t, ask[bool](t, standby.URL(), "select pg_last_wal_receive_lsn() < $1::pg_lsn", end))
	require.NoError(t, primary.Kill())
	require.NoError(t, primary.Start(nil))
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.Equal(t, 2, numberIn(t, s, "n"))
	require.Eventually(t, func() bool { // it has what came before the second commit, and may not show it yet
		return ask[bool](t, standby.URL(), "select pg_last_wal_replay_lsn() > $1::pg_lsn", end)
	}, time.Minute, time.Millisecond)
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
				require.ErrorContains(t, err, "a commit may wait for synchronous_standby_names = nobody")
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

// starts are what an instance that starts waits for while no standby confirms a commit. The schema is made before, or
// not.
var starts = []struct {
	name   string
	wants  string
	before func(t *testing.T, c *cluster.Cluster)
}{
	{"its own migration", "postgres: migrate: ", func(*testing.T, *cluster.Cluster) {}},
	{"the turn of an instance that was killed", "postgres: try the turn: ", func(t *testing.T, c *cluster.Cluster) {
		s, err := postgres.Open(t.Context(), postgres.Config{URL: c.URL(), Connections: 6})
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}},
}

// TestStandbyAwayAtStart: an instance that starts while no standby confirms a commit gives up in time, names the
// setting, and starts when the standby is back.
func TestStandbyAwayAtStart(t *testing.T) {
	t.Parallel()
	for _, start := range starts {
		t.Run(start.name, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, "")
			require.NoError(t, c.Start(nil))
			start.before(t, c)
			execute(t, c.URL(), "create table held (n int)")
			execute(t, c.URL(), "alter system set synchronous_standby_names = 'nobody'")
			execute(t, c.URL(), "select pg_reload_conf()")
			leave := holdTurn(t, c)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := postgres.Open(ctx, postgres.Config{URL: c.URL(), Connections: 6, Patience: 3 * time.Second,
				Statement: 3 * time.Second})
			require.NoError(t, ctx.Err(), "it waits as long as it may")
			require.ErrorContains(t, err, start.wants)
			require.ErrorContains(t, err, "no answer within the patience of the store")
			require.ErrorContains(t, err, "a commit may wait for synchronous_standby_names = nobody")
			leave()
			execute(t, c.URL(), "alter system reset synchronous_standby_names")
			execute(t, c.URL(), "select pg_reload_conf()")
			s, err := postgres.Open(t.Context(), postgres.Config{URL: c.URL(), Connections: 6})
			require.NoError(t, err)
			require.NoError(t, s.Update(t.Context(), increment("n")))
			require.NoError(t, s.Close())
		})
	}
}

// holdTurn returns when a commit that has the turn waits for a standby. Its session stays when leave has ended the
// client.
func holdTurn(t *testing.T, c *cluster.Cluster) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	leave = func() { cancel(); <-ended }
	t.Cleanup(leave)
	go func() {
		defer close(ended)
		conn, err := pgx.Connect(ctx, c.URL())
		for err == nil { // the checkpointer tells the others of the setting when it gets there
			_, err = conn.Exec(ctx, "begin; select pg_advisory_xact_lock(1953460327, hashtext('tollgate')); "+
				"insert into held values (1); commit")
		}
	}()
	require.Eventually(t, func() bool {
		return ask[bool](t, c.URL(), "select exists (select from pg_stat_activity where wait_event = 'SyncRep')")
	}, time.Minute, time.Millisecond)
	return leave
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
