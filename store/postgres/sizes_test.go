package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store/postgres"
)

// TestSizeOfASale measures what docs/postgres.md says of sizing: the rows of a sale by card, what it takes on the disk
// with indexes, and what of the server's log was written until its callback was delivered. The server is to itself:
//
//	TOLLGATE_SALES=8000 go test -run TestSizeOfASale -v .
func TestSizeOfASale(t *testing.T) {
	t.Parallel()
	server, sales := newServer(t), rounds(t, "TOLLGATE_SALES", 200)
	s, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL(), Connections: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	kit := gatewaytest.On(t, s, onStore(s))
	count := func(what string) int64 { return ask[int64](t, server.URL(), "select ("+what+")::bigint") }
	measure := func() (rows, disk, log int64) {
		execute(t, server.URL(), "vacuum tollgate.records")
		return count("select count(*) from tollgate.records"), count("select pg_total_relation_size('tollgate.records')"),
			count("pg_current_wal_insert_lsn() - '0/0'")
	}
	sell := func(from, to int) {
		for i := from; i < to; i++ {
			r := kerneltest.ChargeOf(fmt.Sprintf("ORD-%d", i), gatewaytest.Settles)
			_, err := kit.Shop().Charge(t.Context(), r)
			require.NoError(t, err)
			if i%100 == 99 || i == to-1 {
				kit.Work(t)
			}
		}
	}
	sell(0, 1) // and what is there once
	rows, disk, log := measure()
	sell(1, sales+1)
	require.Len(t, kit.Inbox.All(), sales+1)
	rowsThen, diskThen, logThen := measure()
	n := int64(sales)
	require.Equal(t, 3*n, rowsThen-rows)
	require.Greater(t, diskThen, disk)
	require.Greater(t, logThen, log)
	t.Logf("size: sales=%d rows=3 disk=%d log=%d bytes of each", n, (diskThen-disk)/n, (logThen-log)/n)
}
