package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// shared is the server of all tests that do not stop one. blank is copied for the others, and never started.
var shared, blank *cluster.Cluster

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
	defer func() { err = shared.Remove() }()
	if err := shared.Start(nil); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

var schemas atomic.Int64

// newSchema returns the name of a schema that is not there yet, and removes it after the test.
func newSchema(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("s%d", schemas.Add(1))
	t.Cleanup(func() { execute(t, shared.URL(), "drop schema if exists "+name+" cascade") })
	return name
}

func execute(t testing.TB, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	_, err = conn.Exec(context.Background(), statement)
	require.NoError(t, err)
	require.NoError(t, conn.Close(context.Background()))
}

// open opens a store in a schema of the shared server.
func open(t testing.TB, schema string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
