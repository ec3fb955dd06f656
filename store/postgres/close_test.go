package postgres_test

import (
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// openConn counts itself while it is open.
type openConn struct {
	net.Conn
	closed func()
}

// Close implements net.Conn.
func (c *openConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// TestRefusedStoreLeavesNothing: a store that is refused when it has both read and written keeps no connection.
func TestRefusedStoreLeavesNothing(t *testing.T) {
	t.Parallel()
	cfg := pretends(t, "pg_try_advisory_xact_lock(int, int) returns boolean", "true")
	adjust := cfg.Adjust
	var opened, open atomic.Int64
	cfg.Adjust = func(c *pgxpool.Config) {
		adjust(c)
		through(c, func(conn net.Conn) net.Conn {
			opened.Add(1)
			open.Add(1)
			return &openConn{Conn: conn, closed: sync.OnceFunc(func() { open.Add(-1) })}
		})
	}
	requireRefused(t, cfg, "two sessions hold the same advisory lock")
	require.EqualValues(t, 2, opened.Load())
	require.Zero(t, open.Load())
}

// goroutines is how many goroutines of stores there are.
func goroutines() (n int) {
	all := make([]byte, 16<<20)
	for one := range strings.SplitSeq(string(all[:runtime.Stack(all, true)]), "\n\n") {
		if strings.Contains(one, "created by github.com/tollgatepay/gateway/store/postgres.") ||
			strings.Contains(one, "store/postgres.(*clock).follow") || strings.Contains(one, "store/postgres.(*groups)") {
			n++
		}
	}
	return n
}

// TestCloseEndsAll is not parallel: no other store is opened or closed meanwhile.
func TestCloseEndsAll(t *testing.T) {
	before := goroutines()
	s := openIn(t, newSchema(t))
	require.NoError(t, s.Update(t.Context(), increment("n")))
	require.Greater(t, goroutines(), before)
	require.NoError(t, s.Close())
	require.Eventually(t, func() bool { return goroutines() <= before }, 20*time.Second, time.Millisecond)
}
