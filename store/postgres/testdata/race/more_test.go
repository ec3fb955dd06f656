package race_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// more takes the place of the list of the same name in internal/race.
var more = []backend{{"postgres", openPostgres, true}}

// instances is two instances on one schema. A trial empties the table and plays on; making a schema takes longer.
type instances struct {
	schema string
	stores [2]*postgres.Store
	asked  [2]atomic.Int64 // what each has sent to the server
	conn   *pgx.Conn       // empties the table
}

// idle are those that no trial uses.
var idle struct {
	sync.Mutex
	free []*instances
	made int
}

func openPostgres(t testing.TB) store.Store {
	t.Helper()
	idle.Lock()
	defer idle.Unlock()
	if n := len(idle.free); n > 0 {
		both := idle.free[n-1]
		idle.free = idle.free[:n-1]
		both.empty(t)
		return &trial{instances: both}
	}
	idle.made++
	both := &instances{schema: fmt.Sprintf("race%d", idle.made)}
	var err error
	both.conn, err = pgx.Connect(context.Background(), os.Getenv("TOLLGATE_RACE_URL"))
	require.NoError(t, err)
	for i := range both.stores {
		both.stores[i], err = postgres.Open(context.Background(), postgres.Config{
			URL: os.Getenv("TOLLGATE_RACE_URL"), Schema: both.schema, Connections: 6, Adjust: counting(&both.asked[i])})
		require.NoError(t, err)
	}
	both.empty(t)
	return &trial{instances: both}
}

// counting counts what the connections of a pool send. The clock of a store asks too, but only every 10 s.
func counting(sent *atomic.Int64) func(*pgxpool.Config) {
	return func(pool *pgxpool.Config) {
		dial := pool.ConnConfig.DialFunc
		pool.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return &counted{conn, sent}, err
		}
	}
}

// counted is a connection that counts what is sent.
type counted struct {
	net.Conn
	sent *atomic.Int64
}

func (c *counted) Write(b []byte) (int, error) {
	c.sent.Add(1)
	return c.Conn.Write(b)
}

func (b *instances) empty(t testing.TB) {
	t.Helper()
	_, err := b.conn.Exec(context.Background(), "delete from "+b.schema+".records")
	require.NoError(t, err)
}

// trial is both instances. Close gives them back.
type trial struct {
	*instances
	closed sync.Once
}

var _ apart = (*trial)(nil)

// Of implements apart: all calls of an instance, and no others, are by one store, pool and memory.
func (s *trial) Of(who int) store.Store { return s.stores[who] }

// Asked implements apart.
func (s *trial) Asked() (n [2]int64) {
	for who := range s.asked {
		n[who] = s.asked[who].Load()
	}
	return n
}

// Committed implements apart.
func (s *trial) Committed() (n [2]int64) {
	for who, one := range s.stores {
		_, n[who], _, _ = one.Counts()
	}
	return n
}

// View and Update are for who prepares a trial, or looks at it.
func (s *trial) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.stores[0].View(ctx, fn)
}

func (s *trial) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.stores[0].Update(ctx, fn)
}

func (s *trial) Close() error {
	s.closed.Do(func() {
		idle.Lock()
		defer idle.Unlock()
		idle.free = append(idle.free, s.instances)
	})
	return nil
}
