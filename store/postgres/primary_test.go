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

	"github.com/jackc/pgx/v5/pgproto3"
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

// openApart opens a store with a primary and its standby. After apart it makes no more connections to the primary.
func openApart(t *testing.T, primary, standby *cluster.Cluster) (s *postgres.Store, apart func()) {
	t.Helper()
	at, err := url.Parse(primary.URL())
	require.NoError(t, err)
	var cut atomic.Bool
	s, err = postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(primary, standby), Connections: 6,
		Patience: 2 * time.Second, Adjust: func(c *pgxpool.Config) {
			dial := c.ConnConfig.DialFunc
			c.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
				if cut.Load() && strings.HasPrefix(addr, at.Query().Get("host")) {
					return nil, errors.New("no way there")
				}
				return dial(ctx, network, addr)
			}
		}})
	require.NoError(t, err)
	return s, func() { cut.Store(true) }
}

// TestReadersLeaveFormerPrimary: a store that writes to a promoted standby does not read by its open sessions of the
// former primary any more, though that has never stopped.
func TestReadersLeaveFormerPrimary(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	s, apart := openApart(t, primary, standby)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.NoError(t, s.View(t.Context(), scanAll))
	apart()
	require.NoError(t, standby.Promote())
	var err error
	for range 100 { // on a busy machine the outcome of the first may be unknown
		if err = s.Update(t.Context(), increment("n")); err == nil {
			break
		}
	}
	require.NoError(t, err)
	require.EqualValues(t, numberAt(t, standby, "n"), numberIn(t, s, "n"))
	require.NoError(t, s.Close())
}

// TestWritersLeaveFormerPrimary: a store that reads from a promoted standby does not write by its open sessions of the
// former primary any more, though that waits for no standby and would acknowledge.
func TestWritersLeaveFormerPrimary(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	s, apart := openApart(t, primary, standby)
	require.NoError(t, s.Update(t.Context(), increment("n")))
	execute(t, primary.URL(), "alter system reset synchronous_standby_names")
	execute(t, primary.URL(), "select pg_reload_conf()")
	require.Eventually(t, func() bool { // else the commit of the update below hangs, and the test says nothing
		return ask[bool](t, primary.URL(), "select not exists (select from pg_stat_replication where sync_state = 'sync')")
	}, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { return numberAt(t, standby, "n") == 1 }, time.Minute, time.Millisecond)
	apart()
	require.NoError(t, standby.Promote())
	s.ForgetReaders()
	require.NoError(t, retry(t, func() error { return s.View(t.Context(), scanAll) }))
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.EqualValues(t, 2, numberAt(t, standby, "n"))
	require.EqualValues(t, 1, numberAt(t, primary, "n"))
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
	at := func(system string, timeline uint64) postgres.Origin {
		return postgres.Origin{System: system, Timeline: timeline}
	}
	for _, c := range []struct {
		name    string
		servers []postgres.Origin
		left    int
		refused bool
	}{
		{"the first", []postgres.Origin{at("a", 2)}, 0, false},
		{"the same", []postgres.Origin{at("a", 2), at("a", 2)}, 0, false},
		{"promoted", []postgres.Origin{at("a", 2), at("a", 3)}, 1, false},
		{"former", []postgres.Origin{at("a", 3), at("a", 2)}, 0, true},
		{"promoted after the former", []postgres.Origin{at("a", 3), at("a", 2), at("a", 3)}, 0, false},
		{"another system", []postgres.Origin{at("a", 3), at("b", 1)}, 1, false},
		{"former, after another system", []postgres.Origin{at("a", 3), at("b", 1), at("a", 2)}, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			left, err := postgres.Follow(false, c.servers...)
			require.Equal(t, c.left, left)
			if c.refused {
				require.ErrorIs(t, err, postgres.ErrRefused)
				require.ErrorContains(t, err, "it is a former primary, of timeline 2, and this instance has met timeline 3")
			} else {
				require.NoError(t, err)
			}
			left, _ = postgres.Follow(true, c.servers...)
			require.Equal(t, c.left, left, "before the pools are made")
		})
	}
}

// TestTimelines: what servers answer who are asked where they are.
func TestTimelines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		row  [][]byte
		want postgres.Origin
		told bool
	}{
		{"ten", [][]byte{[]byte("7"), []byte("0000000A0000000000000003")}, postgres.Origin{System: "7", Timeline: 10}, true},
		{"null", [][]byte{[]byte("7"), nil}, postgres.Origin{}, false},
		{"short", [][]byte{[]byte("7"), []byte("0000001")}, postgres.Origin{}, false},
		{"no number", [][]byte{[]byte("7"), []byte("walwalwal")}, postgres.Origin{System: "7"}, false},
		{"one column", [][]byte{[]byte("7")}, postgres.Origin{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, told := postgres.OriginOf(c.row...)
			require.Equal(t, c.told, told)
			require.Equal(t, c.want, o)
		})
	}
}

// TestSystems: two servers that were not copied from one another are two systems, whatever their timelines are.
func TestSystems(t *testing.T) {
	t.Parallel()
	other, err := cluster.New("")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Remove()) })
	require.NoError(t, other.Start(nil))
	first, second := newPair(t)
	require.NoError(t, first.Kill())
	require.NoError(t, second.Promote())
	s, err := postgres.Open(t.Context(), postgres.Config{URL: cluster.URL(second, other), Connections: 6})
	require.NoError(t, err)
	require.NoError(t, second.Kill())
	require.ErrorContains(t, s.View(t.Context(), scanAll), "does not exist", "the other is asked, and has no tables")
	require.NoError(t, s.Close())
}

// TestOddAnswers: servers that do not answer as PostgreSQL does are refused, and end nothing.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	field := pgproto3.FieldDescription{Name: []byte("x"), DataTypeOID: 25}
	rows := &pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{field}}
	off, done := &pgproto3.DataRow{Values: [][]byte{[]byte("off")}}, &pgproto3.CommandComplete{CommandTag: []byte("SHOW")}
	for _, c := range []struct {
		name    string
		answers []pgproto3.BackendMessage
		want    string
	}{
		{"nothing", nil, "no answer to: show transaction_read_only"},
		{"no row", []pgproto3.BackendMessage{rows, done}, "no answer to: show transaction_read_only"},
		{"one answer", []pgproto3.BackendMessage{rows, off, done}, "ask the server for its settings"},
		{"no second row", []pgproto3.BackendMessage{rows, off, done, rows, done}, "ask the server for its settings"},
		{"one column", []pgproto3.BackendMessage{rows, off, done, rows, off, done}, "ask the server for its settings"},
		{"another error", []pgproto3.BackendMessage{rows, off, done,
			&pgproto3.ErrorResponse{Severity: "ERROR", Code: "XX000", Message: "torn"}}, "torn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://a@" + answering(t, c.answers) +
				"/a?sslmode=disable", Patience: 5 * time.Second})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// answering starts a server that takes every connection and answers its first question so. Then it hangs up.
func answering(t *testing.T, answers []pgproto3.BackendMessage) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			b := pgproto3.NewBackend(conn, conn)
			_, _ = b.ReceiveStartupMessage()
			b.Send(&pgproto3.AuthenticationOk{})
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			_ = b.Flush()
			_, _ = b.Receive()
			for _, answer := range answers {
				b.Send(answer)
			}
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			_ = b.Flush()
			_, _ = b.Receive()
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
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
			s, err := postgres.Open(t.Context(), postgres.Config{URL: as(server.URL(), "plain"), Connections: 6})
			require.NoError(t, err)
			for _, way := range ways {
				require.NoError(t, way.update(t.Context(), s, increment("n")), way.name)
			}
			require.Equal(t, len(ways), numberIn(t, s, "n"))
			require.NoError(t, s.Close())
		})
	}
}

// TestOriginsOfOneTimeline: a connection to another system is elsewhere, whatever its timeline is.
func TestOriginsOfOneTimeline(t *testing.T) {
	t.Parallel()
	one, other := postgres.Origin{System: "a", Timeline: 1}, postgres.Origin{System: "b", Timeline: 1}
	left, err := postgres.Follow(false, one, other)
	require.NoError(t, err)
	require.Equal(t, 1, left)
}
