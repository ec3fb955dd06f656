package postgres_test

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// TestFormerPrimaryComesBack: a store that has gone on at a promoted standby does not use the former primary when that
// is there again, though its URL names it first.
func TestFormerPrimaryComesBack(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
		Patience: time.Minute})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, primary.Kill())
	require.NoError(t, standby.Promote())
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, primary.Start(nil))
	execute(t, standby.URL(), "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate'")
	require.Equal(t, 2, numberIn(t, s, "n"))
	for _, way := range ways {
		require.NoError(t, way.update(t.Context(), s, increment("n")), way.name)
	}
	require.Equal(t, 4, numberIn(t, s, "n"))
	require.EqualValues(t, 4, numberAt(t, standby, "n"))
	require.NoError(t, s.Close())
}

// TestFormerPrimaryGoesOn: a store that can reach a promoted standby does not use its open sessions of the former
// primary any more, though that has never stopped.
func TestFormerPrimaryGoesOn(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	at, err := url.Parse(primary.URL())
	require.NoError(t, err)
	var apart atomic.Bool
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
		Patience: 2 * time.Second, Adjust: func(c *pgxpool.Config) {
			dial := c.ConnConfig.DialFunc
			c.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if apart.Load() && strings.HasPrefix(addr, at.Query().Get("host")) {
					return nil, errors.New("no way there")
				}
				return dial(ctx, network, addr)
			}
		}})
	require.NoError(t, err)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, s.View(t.Context(), scanAll))
	apart.Store(true)
	require.NoError(t, standby.Promote())
	for range 100 { // on a busy machine the outcome of the first may be unknown
		if err = s.Update(t.Context(), increment("n")); err == nil {
			break
		}
	}
	require.NoError(t, err)
	require.EqualValues(t, numberAt(t, standby, "n"), numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// numberAt returns the number under a key, as a server has it.
func numberAt(t *testing.T, server *cluster.Cluster, key string) int64 {
	t.Helper()
	return ask[int64](t, server.URL(), "select convert_from(value, 'UTF8')::bigint from tollgate.records where key = $1",
		[]byte(key))
}

// TestOrigins: connections that lead elsewhere, one after the other.
func TestOrigins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		before, now    postgres.Origin
		refused, moved bool
	}{
		{"the first", postgres.Origin{}, postgres.Origin{System: "a", Timeline: 2}, false, false},
		{"the same", postgres.Origin{System: "a", Timeline: 2}, postgres.Origin{System: "a", Timeline: 2}, false, false},
		{"promoted", postgres.Origin{System: "a", Timeline: 2}, postgres.Origin{System: "a", Timeline: 3}, false, true},
		{"former", postgres.Origin{System: "a", Timeline: 3}, postgres.Origin{System: "a", Timeline: 2}, true, false},
		{"another system", postgres.Origin{System: "a", Timeline: 3}, postgres.Origin{System: "b", Timeline: 1}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err, moved := postgres.Follow(c.before, c.now)
			if c.refused {
				require.ErrorIs(t, err, postgres.ErrRefused)
				require.ErrorContains(t, err,
					"it is a former primary, of timeline 2, and a standby of it was promoted to timeline 3")
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, c.moved, moved)
		})
	}
}

// TestUnknownTimeline: a role that may not ask for the timeline works as before.
func TestUnknownTimeline(t *testing.T) {
	t.Parallel()
	for _, function := range []string{"pg_walfile_name(pg_lsn)", "pg_control_system()"} {
		t.Run(function, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			execute(t, server.URL(), "revoke execute on function "+function+" from public")
			execute(t, server.URL(), "create role plain login")
			execute(t, server.URL(), "grant create on database postgres to plain")
			s, err := postgres.Open(t.Context(), postgres.Config{
				URL: strings.Replace(server.URL(), "user=postgres", "user=plain", 1), Connections: 6})
			require.NoError(t, err)
			for _, way := range ways {
				require.NoError(t, way.update(t.Context(), s, increment("n")), way.name)
			}
			require.Equal(t, len(ways), numberIn(t, s, "n"))
			require.NoError(t, s.Close())
		})
	}
}
