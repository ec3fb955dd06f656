package faults_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// This file takes the place of the one of the same name in internal/faults: plays have their records on PostgreSQL.

// idle are stores that no play uses. A play empties one and goes on with it; making a schema takes longer.
var idle struct {
	sync.Mutex
	free []*lent
	made int
}

// lent is a store that is given back when it is closed.
type lent struct {
	*postgres.Store
	schema string
	conn   *pgx.Conn
}

func newRecords(t testing.TB) store.Store {
	t.Helper()
	idle.Lock()
	defer idle.Unlock()
	ctx := context.Background()
	if n := len(idle.free); n > 0 {
		s := idle.free[n-1]
		idle.free = idle.free[:n-1]
		_, err := s.conn.Exec(ctx, "delete from "+s.schema+".records")
		require.NoError(t, err)
		return &onLoan{lent: s}
	}
	idle.made++
	s := &lent{schema: fmt.Sprintf("faults%d", idle.made)}
	var err error
	s.Store, err = postgres.Open(ctx, postgres.Config{URL: os.Getenv("TOLLGATE_FAULTS_URL"), Schema: s.schema,
		Connections: 6})
	require.NoError(t, err)
	s.conn, err = pgx.Connect(ctx, os.Getenv("TOLLGATE_FAULTS_URL"))
	require.NoError(t, err)
	return &onLoan{lent: s}
}

// Gateways plan and presume on it, as they do outside of tests.
var _ kerneltest.Remembering = (*onLoan)(nil)

// onLoan is a store in one play.
type onLoan struct {
	*lent
	back sync.Once
}

// Close gives the store back.
func (s *onLoan) Close() error {
	s.back.Do(func() {
		idle.Lock()
		defer idle.Unlock()
		idle.free = append(idle.free, s.lent)
	})
	return nil
}
