package race_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
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
	conn   *pgx.Conn // empties the table
	turn   atomic.Uint32
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
			URL: os.Getenv("TOLLGATE_RACE_URL"), Schema: both.schema, Connections: 6})
		require.NoError(t, err)
	}
	both.empty(t)
	return &trial{instances: both}
}

func (b *instances) empty(t testing.TB) {
	t.Helper()
	_, err := b.conn.Exec(context.Background(), "delete from "+b.schema+".records")
	require.NoError(t, err)
}

// trial is both instances as one store: calls take turns between them, so that what one racer does is done by one
// instance and then by the other. Close gives them back.
type trial struct {
	*instances
	closed sync.Once
}

func (s *trial) next() *postgres.Store { return s.stores[s.turn.Add(1)%2] }

func (s *trial) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.next().View(ctx, fn)
}

func (s *trial) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.next().Update(ctx, fn)
}

func (s *trial) Plan(ctx context.Context, fn func(store.Tx) error) error {
	return s.next().Plan(ctx, fn)
}

func (s *trial) Close() error {
	s.closed.Do(func() {
		idle.Lock()
		defer idle.Unlock()
		idle.free = append(idle.free, s.instances)
	})
	return nil
}
