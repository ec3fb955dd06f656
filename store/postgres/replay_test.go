package postgres_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store/postgres"
)

// tape keeps the commits that a store sends, as they are on the wire.
type tape struct {
	mu      sync.Mutex
	runs    bool
	commits [][]byte
	config  *pgx.ConnConfig // of a connection of the store, without the tape
}

// adjust makes all connections of a store be recorded.
func (tp *tape) adjust(c *pgxpool.Config) {
	dial, after := c.ConnConfig.DialFunc, c.AfterConnect
	c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		tp.mu.Lock()
		defer tp.mu.Unlock()
		tp.config = conn.Config()
		tp.config.DialFunc = dial
		if after == nil {
			return nil
		}
		return after(ctx, conn)
	}
	c.ConnConfig.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return &tapedConn{cutConn: cutConn{Conn: conn}, tape: tp}, err
	}
}

type tapedConn struct {
	cutConn
	tape *tape
}

// Write implements net.Conn.
func (c *tapedConn) Write(b []byte) (int, error) {
	c.tape.mu.Lock()
	if c.isCommit(b) && c.tape.runs {
		c.tape.commits = append(c.tape.commits, bytes.Clone(b))
	}
	c.tape.mu.Unlock()
	return c.Conn.Write(b)
}

// Read implements net.Conn.
func (c *tapedConn) Read(b []byte) (int, error) { return c.Conn.Read(b) }

// replay sends the commits of a sale again and again, each time with an id, an order and a number of its own: the same
// statements with as many bytes, in a session with the settings of the store, and nothing else of a gateway.
type replay struct {
	conn     *pgx.Conn
	commits  [][]byte
	id       uuid.UUID // of the recorded payment
	order    string
	from, to uuid.UUID // the lane of the recorded commits, and that of the replay
	number   uint64
	orders   int
}

const recordedOrder = 100_000_000

func orderNumber(n int) string { return fmt.Sprintf("ORD-%d", recordedOrder+n) }

// newReplay records a sale on a store of its own.
func newReplay(tb testing.TB, url string, keys gateway.KeyProvider) *replay {
	tb.Helper()
	tape := &tape{}
	s, err := postgres.Open(tb.Context(), postgres.Config{URL: url, Adjust: tape.adjust})
	require.NoError(tb, err)
	defer s.Close() //nolint:errcheck // it is the benchmark's end if that fails
	gw, err := speed.Start(s, func(c *gateway.Config) { c.Keys = keys })
	require.NoError(tb, err)
	sell := func(n int64) uuid.UUID {
		sold, err := gw.Merchant(gatewaytest.MerchantKey).Charge(tb.Context(), kerneltest.SaleRequest(n))
		require.NoError(tb, err)
		return uuid.MustParse(sold.Payment.ID)
	}
	for n := range int64(10) { // so that the store remembers what a sale reads
		sell(recordedOrder - 1 - n)
	}
	tape.runs = true
	r := &replay{id: sell(recordedOrder), order: orderNumber(0), to: uuid.New(), commits: tape.commits}
	require.Len(tb, r.commits, 2)
	r.from = uuid.UUID(r.commits[0][r.lane(tb, url):])
	r.conn, err = pgx.ConnectConfig(tb.Context(), tape.config)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, r.conn.Close(context.Background())) })
	_, err = r.conn.Exec(tb.Context(), "insert into tollgate.lanes (id, number) values ($1, 0)", r.to)
	require.NoError(tb, err)
	_, err = r.conn.Prepare(tb.Context(), "tollgate_apply_all",
		"select tollgate.apply_all($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)")
	require.NoError(tb, err)
	return r
}

// lane returns where in a commit the lane is. The number follows, after four bytes of length.
func (r *replay) lane(tb testing.TB, url string) int {
	tb.Helper()
	for _, text := range ask[[]string](tb, url, "select array_agg(id::text) from tollgate.lanes") {
		id := uuid.MustParse(text)
		if at := bytes.Index(r.commits[0], id[:]); at >= 0 {
			return at
		}
	}
	require.Fail(tb, "no lane")
	return 0
}

// sale sends both commits.
func (r *replay) sale() error {
	r.orders++
	id := uuid.Must(uuid.NewV7())
	for _, commit := range r.commits {
		r.number++
		for _, swap := range [][2][]byte{{r.id[:], id[:]}, {[]byte(r.id.String()), []byte(id.String())},
			{[]byte(r.order), []byte(orderNumber(r.orders))}, {r.from[:], r.to[:]}} {
			commit = bytes.ReplaceAll(commit, swap[0], swap[1])
		}
		binary.BigEndian.PutUint64(commit[bytes.Index(commit, r.to[:])+len(r.to)+4:], r.number)
		if err := r.send(commit); err != nil {
			return err
		}
	}
	return nil
}

// send returns when the server has answered.
func (r *replay) send(commit []byte) error {
	if _, err := r.conn.PgConn().Conn().Write(commit); err != nil {
		return err
	}
	for stands := false; ; {
		answer, err := r.conn.PgConn().Frontend().Receive()
		if err != nil {
			return err
		}
		switch answer := answer.(type) {
		case *pgproto3.DataRow:
			stands = answer.Values[0][0] == 1
		case *pgproto3.ErrorResponse:
			return fmt.Errorf("%s: %s", answer.Code, answer.Message)
		case *pgproto3.ReadyForQuery:
			if !stands {
				return fmt.Errorf("a commit of %s did not stand", r.order)
			}
			return nil
		}
	}
}
