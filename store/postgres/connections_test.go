package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// newDatabase makes a database of the shared server, whose connections are those of one test.
func newDatabase(t *testing.T) (name, url string) {
	t.Helper()
	name = newSchema(t)
	execute(t, shared.URL(), "create database "+name)
	t.Cleanup(func() { execute(t, shared.URL(), "drop database "+name+" with (force)") })
	return name, strings.Replace(shared.URL(), "/postgres?", "/"+name+"?", 1)
}

// connections is how many sessions of stores a database has.
func connections(t *testing.T, database string) int64 {
	t.Helper()
	return ask[int64](t, shared.URL(), "select count(*) from pg_stat_activity where application_name = 'tollgate' "+
		"and datname = $1", database)
}

// wear is what befalls the connections of a store.
var wear = []struct {
	name string
	use  func(t *testing.T, s *postgres.Store, url string)
}{
	{"nothing", func(*testing.T, *postgres.Store, string) {}},
	{"reads and writes", func(t *testing.T, s *postgres.Store, _ string) {
		require.NoError(t, s.Update(t.Context(), increment("n")))
		require.NoError(t, s.RunAlone(t.Context(), increment("n")))
		numberIn(t, s, "n")
	}},
	{"contexts that end in the middle", func(t *testing.T, s *postgres.Store, url string) {
		ended := make(chan error, 3)
		ctx, cancel := context.WithCancel(t.Context())
		letGo := hold(t, url, "lock table tollgate.records in access exclusive mode")
		go func() { ended <- s.View(ctx, func(r store.Reader) error { return scanAll(r) }) }()
		go func() { ended <- s.Update(ctx, increment("n")) }()
		go func() { ended <- s.RunAlone(ctx, increment("n")) }()
		require.Eventually(t, func() bool {
			return ask[int64](t, url, "select count(*) from pg_stat_activity where datname = current_database() and "+
				"wait_event_type = 'Lock'") >= 2
		}, time.Minute, time.Millisecond)
		cancel()
		for range cap(ended) {
			require.ErrorIs(t, <-ended, context.Canceled)
		}
		letGo()
	}},
	{"sessions that are terminated", func(t *testing.T, s *postgres.Store, url string) {
		require.NoError(t, s.Update(t.Context(), increment("n")))
		ask[int64](t, url, "select count(pg_terminate_backend(pid)) from pg_stat_activity "+
			"where datname = current_database() and pid <> pg_backend_pid()")
		require.NoError(t, s.Update(t.Context(), increment("n")))
		numberIn(t, s, "n")
	}},
	{"functions that panic", func(t *testing.T, s *postgres.Store, _ string) {
		for _, run := range []func() error{
			func() error { return s.View(t.Context(), func(r store.Reader) error { panic(scanAll(r)) }) },
			func() error { return s.Update(t.Context(), func(tx store.Tx) error { panic(scanAll(tx)) }) },
			func() error { return s.RunAlone(t.Context(), func(tx store.Tx) error { panic(scanAll(tx)) }) },
		} {
			_, _ = outcome(run)
		}
	}},
	{"many callers", func(t *testing.T, s *postgres.Store, _ string) {
		var callers sync.WaitGroup
		for range 64 {
			callers.Go(func() {
				if err := errors.Join(s.Update(t.Context(), increment("n")), s.View(t.Context(), scanAll)); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
	}},
}

func scanAll(r store.Reader) error {
	_, err := count(r, store.Range{Limit: 1000})
	return err
}

// TestConnections: whatever befalls the connections of stores, each store has no more than its config says, and when it
// is closed it has none.
func TestConnections(t *testing.T) {
	t.Parallel()
	for _, c := range wear {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			database, url := newDatabase(t)
			const most = 7
			for range rounds(t, "TOLLGATE_CONNECTIONS", 2) {
				var open []*postgres.Store
				for range 2 {
					s, err := postgres.Open(t.Context(), postgres.Config{URL: url, Connections: most, Patience: 20 * time.Second})
					require.NoError(t, err)
					open = append(open, s)
					require.EqualValues(t, 2*len(open), connections(t, database), "of stores that did nothing yet")
				}
				for range 3 {
					for _, s := range open {
						c.use(t, s, url)
						require.LessOrEqual(t, connections(t, database), int64(most*len(open)))
					}
				}
				for i, s := range open {
					require.NoError(t, s.Close())
					// the server counts a session until its process has heard that it is over
					require.Eventually(t, func() bool { return connections(t, database) <= int64(most*(len(open)-1-i)) },
						20*time.Second, time.Millisecond, "left after Close")
				}
			}
		})
	}
}

// TestNoticesReachTheHost: what listens to notices by Config.Adjust goes on to hear them.
func TestNoticesReachTheHost(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, openIn(t, schema).Close())
	execute(t, shared.URL(), `create function `+schema+`.tell() returns trigger language plpgsql as $$ begin
			raise notice 'told'; return new;
		end $$;
		create trigger tell after insert on `+schema+`.records for each row execute function `+schema+`.tell()`)
	var heard atomic.Int64
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
		Adjust: func(c *pgxpool.Config) {
			c.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
				if n.Message == "told" {
					heard.Add(1)
				}
			}
		}})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, s.Close())
	require.EqualValues(t, 1, heard.Load())
}
