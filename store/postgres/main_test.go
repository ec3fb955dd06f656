package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// shared is the server of all tests that do not stop one, and admin their connections to it. blank is copied for the
// others, and never started.
var (
	shared, blank *cluster.Cluster
	admin         *pgxpool.Pool
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if blank, err = cluster.New(""); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, blank.Remove()) }()
	if shared, err = blank.Copy(""); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, shared.Remove()) }()
	if err := shared.Start(nil); err != nil {
		return 1, err
	}
	// Statements are not remembered: what they name comes and goes.
	admin, err = pgxpool.New(context.Background(), shared.URL()+"&default_query_exec_mode=describe_exec")
	if err != nil {
		return 1, err
	}
	defer admin.Close()
	defer func() { err = errors.Join(err, closePairs()) }()
	return m.Run(), nil
}

var schemas atomic.Int64

// newName returns the name of a schema that is not there yet.
func newName() string { return fmt.Sprintf("s%d", schemas.Add(1)) }

// newSchema returns the name of a schema that is not there yet, and removes it after the test.
func newSchema(t testing.TB) string {
	t.Helper()
	name := newName()
	t.Cleanup(func() { execute(t, shared.URL(), "drop schema if exists "+name+" cascade") })
	return name
}

// on does something by a connection to a server. Those to the shared one are kept: to make one takes longer than most
// of what is done.
func on(t testing.TB, url string, do func(ctx context.Context, conn *pgx.Conn) error) {
	t.Helper()
	ctx := context.Background() // also after the test
	if url == shared.URL() {
		require.NoError(t, admin.AcquireFunc(ctx, func(c *pgxpool.Conn) error { return do(ctx, c.Conn()) }))
		return
	}
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	require.NoError(t, errors.Join(do(ctx, conn), conn.Close(ctx)))
}

func execute(t testing.TB, url, statement string) {
	t.Helper()
	on(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

// ask returns what a statement selects, one value.
func ask[V any](t testing.TB, url, statement string, args ...any) (value V) {
	t.Helper()
	on(t, url, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, statement, args...).Scan(&value)
	})
	return value
}

// open opens a store in a schema of the shared server, for one test.
func open(t testing.TB, schema string) *postgres.Store {
	t.Helper()
	s := openIn(t, schema)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func openIn(t testing.TB, schema string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 8})
	require.NoError(t, err)
	return s
}
