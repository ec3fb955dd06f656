package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// slowNetwork keeps one commit back, for which the sender gives its connection up, and delivers it later.
type slowNetwork struct {
	mu    sync.Mutex
	armed bool
	late  []byte
	conn  net.Conn
}

func (n *slowNetwork) arm() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.armed = true
}

// adjust makes all connections of a store lead through the network.
func (n *slowNetwork) adjust(c *pgxpool.Config) {
	through(c, func(conn net.Conn) net.Conn { return &slowConn{cutConn: cutConn{Conn: conn}, network: n} })
}

// slowConn is a connection whose commit may be kept back.
type slowConn struct {
	cutConn
	network *slowNetwork
	lost    bool
}

// Write implements net.Conn.
func (c *slowConn) Write(b []byte) (int, error) {
	c.network.mu.Lock()
	defer c.network.mu.Unlock()
	if c.lost {
		return 0, errCut
	}
	if c.isCommit(b) && c.network.armed {
		c.network.armed, c.network.late, c.network.conn = false, bytes.Clone(b), c.Conn
		c.lost = true
		return 0, errCut
	}
	return c.Conn.Write(b)
}

// Read implements net.Conn.
func (c *slowConn) Read(b []byte) (int, error) {
	if c.lost {
		return 0, errCut
	}
	return c.Conn.Read(b)
}

// Close implements net.Conn. The server does not hear of it.
func (c *slowConn) Close() error {
	if c.lost {
		return nil
	}
	return c.Conn.Close()
}

// deliver hands the late commit to the server, and returns the code of its answer, empty if it was carried out.
func (n *slowNetwork) deliver(t *testing.T) (code string) {
	t.Helper()
	require.NotEmpty(t, n.late)
	require.NoError(t, n.conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err := n.conn.Write(n.late)
	require.NoError(t, err)
	server := pgproto3.NewFrontend(n.conn, n.conn)
	for {
		answer, err := server.Receive()
		require.NoError(t, err)
		switch answer := answer.(type) {
		case *pgproto3.ErrorResponse:
			code = answer.Code
		case *pgproto3.ReadyForQuery:
			require.NoError(t, n.conn.Close())
			return code
		}
	}
}

// puts are the ways to commit a value.
var puts = []struct {
	name string
	put  func(ctx context.Context, s *postgres.Store, key, value string) error
}{
	{"a group that stands", func(ctx context.Context, s *postgres.Store, key, value string) error {
		return s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte(key), []byte(value)) })
	}},
	{"a group that is asked who stands", func(ctx context.Context, s *postgres.Store, key, value string) error {
		return s.PutByApply(ctx, store.NewPair([]byte(key), []byte(value)))
	}},
}

// TestLateCommit: a commit whose connection is lost, and that gets to the server after the store has given it up and
// made it again, does nothing there: not even one that has read nothing, which every moment would suit.
func TestLateCommit(t *testing.T) {
	t.Parallel()
	for _, by := range puts {
		t.Run(by.name, func(t *testing.T) {
			t.Parallel()
			network := &slowNetwork{}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
				Adjust: network.adjust})
			require.NoError(t, err)
			put := func(value string) error { return by.put(t.Context(), s, "k", value) }
			require.NoError(t, errors.Join(put("first"), put("first"))) // so that the statement is prepared
			network.arm()
			require.NoError(t, put("late"))
			require.Equal(t, "late", textIn(t, s, "k"), "it was made again")
			require.NoError(t, put("last"))
			require.Equal(t, "TG002", network.deliver(t))
			require.Equal(t, "last", textIn(t, s, "k"))
			require.NoError(t, s.Close())
		})
	}
}
