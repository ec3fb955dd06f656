package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// scissors cut a connection once, in the middle of a commit: after so many bytes of what is sent, or of the answer.
type scissors struct {
	mu    sync.Mutex
	armed bool
	sent  int // cut after so many bytes of the request; negative: send all
	heard int // cut after so many bytes of the answer
	cuts  int
	after func() // runs at the cut
}

func (s *scissors) arm(sent, heard int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed, s.sent, s.heard = true, sent, heard
}

// adjust makes all connections of a store go through the scissors.
func (s *scissors) adjust(c *pgxpool.Config) {
	through(c, func(conn net.Conn) net.Conn { return &cutConn{Conn: conn, by: s} })
}

// through makes each connection of a store another one.
func through(c *pgxpool.Config, wrap func(net.Conn) net.Conn) {
	dial := c.ConnConfig.DialFunc
	c.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return wrap(conn), nil
	}
}

// cutConn is a connection that may be cut.
type cutConn struct {
	net.Conn
	by     *scissors
	names  [][]byte // of the prepared statements that commit
	doomed bool     // its answer is cut
	left   int      // bytes of the answer
}

// prepares finds the name of a statement that commits where it is prepared.
var prepares = regexp.MustCompile(`(tollgate_apply\w*\x00)select \w+\.apply\w*\(`)

// isCommit reports whether bytes that are sent execute a statement that commits. The first that have it prepare it.
func (c *cutConn) isCommit(b []byte) bool {
	if found := prepares.FindSubmatch(b); found != nil {
		c.names = append(c.names, bytes.Clone(found[1]))
		return false
	}
	return slices.ContainsFunc(c.names, func(name []byte) bool { return bytes.Contains(b, name) })
}

var errCut = errors.New("the connection is cut")

func (c *cutConn) Write(b []byte) (int, error) {
	c.by.mu.Lock()
	if !c.isCommit(b) || !c.by.armed {
		c.by.mu.Unlock()
		return c.Conn.Write(b)
	}
	c.by.armed = false
	c.by.cuts++
	sent := c.by.sent
	c.doomed, c.left = true, c.by.heard
	c.by.mu.Unlock()
	if sent >= 0 && sent < len(b) {
		_, _ = c.Conn.Write(b[:sent])
		return sent, c.cut()
	}
	return c.Conn.Write(b)
}

func (c *cutConn) Read(b []byte) (int, error) {
	if !c.doomed {
		return c.Conn.Read(b)
	}
	if c.left == 0 {
		return 0, c.cut()
	}
	n, err := io.LimitReader(c.Conn, int64(c.left)).Read(b)
	c.left -= n
	return n, err
}

func (c *cutConn) cut() error {
	if c.by.after != nil {
		c.by.after()
	}
	return errors.Join(errCut, c.Conn.Close())
}

// increment adds one to the number under key.
func increment(key string) func(store.Tx) error {
	return func(tx store.Tx) error {
		n, err := number(tx, key)
		if err != nil {
			return err
		}
		return tx.Put([]byte(key), []byte(strconv.Itoa(n+1)))
	}
}

func number(r store.Reader, key string) (int, error) {
	value, err := r.Get([]byte(key))
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// numberIn returns the number under key in the store.
func numberIn(t testing.TB, s store.Store, key string) (n int) {
	t.Helper()
	require.NoError(t, s.View(context.Background(), func(r store.Reader) (err error) {
		n, err = number(r, key)
		return err
	}))
	return n
}

// ways are how a transaction commits.
var ways = []struct {
	name   string
	update func(ctx context.Context, s *postgres.Store, fn func(store.Tx) error) error
}{
	{"in a group", func(ctx context.Context, s *postgres.Store, fn func(store.Tx) error) error { return s.Update(ctx, fn) }},
	{"alone", func(ctx context.Context, s *postgres.Store, fn func(store.Tx) error) error {
		return s.RunAlone(ctx, fn)
	}},
}

// TestCuts cuts the connection at every byte of a commit, in both directions: before the server has the request, while
// it commits, and after it has. The store finds out which it was: each transaction takes effect once.
func TestCuts(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, side := range []string{"request", "answer"} {
			t.Run(way.name+", "+side, func(t *testing.T) {
				t.Parallel()
				scissors := &scissors{}
				s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
					Adjust: scissors.adjust})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				require.NoError(t, way.update(t.Context(), s, increment("n")))
				const longest = 700 // longer than a request or an answer
				step := max(1, longest/rounds(t, "TOLLGATE_CUTS", 100))
				done := 1
				for at := 0; at < longest; at += step {
					require.NoError(t, way.update(t.Context(), s, increment("n"))) // prepares the statement where it is not
					done++
					if side == "request" {
						scissors.arm(at, 0)
					} else {
						scissors.arm(-1, at)
					}
					require.NoError(t, way.update(t.Context(), s, increment("n")), "cut at %d", at)
					done++
					require.Equal(t, done, numberIn(t, s, "n"), "cut at %d", at)
				}
				require.Equal(t, (done-1)/2, scissors.cuts, "each of these commits was cut")
				t.Logf("cuts of the %s: %d", side, scissors.cuts)
			})
		}
	}
}

// TestUnknown: when the server does not come back in time the outcome is unknown, and says so. What was sent takes
// effect or not, but no later than the server is asked again.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t)
			scissors := &scissors{after: sync.OnceFunc(func() { _ = server.Kill() })}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Connections: 6, Adjust: scissors.adjust,
				Patience: 2 * time.Second})
			require.NoError(t, err)
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			scissors.arm(-1, 0)
			err = way.update(t.Context(), s, increment("n"))
			require.ErrorIs(t, err, store.ErrUnknownCommit)
			require.NoError(t, server.Start(nil))
			patient, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL()})
			require.NoError(t, err)
			n := numberIn(t, patient, "n")
			require.Contains(t, []int{1, 2}, n)
			require.NoError(t, retry(t, func() error { return way.update(t.Context(), s, increment("n")) }))
			require.Equal(t, n+1, numberIn(t, patient, "n"))
			require.NoError(t, errors.Join(s.Close(), patient.Close()))
		})
	}
}

// retry repeats what fails for certain while a server starts.
func retry(t testing.TB, do func() error) (err error) {
	t.Helper()
	for range 100 {
		if err = do(); err == nil || errors.Is(err, store.ErrUnknownCommit) {
			return err
		}
	}
	return fmt.Errorf("a hundred times: %w", err)
}
