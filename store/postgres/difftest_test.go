package postgres_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/difftest"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/postgres"
)

// share divides what long tests do: TOLLGATE_SHARE=20 asks for a twentieth.
func share() int {
	if n, err := strconv.Atoi(os.Getenv("TOLLGATE_SHARE")); err == nil && n > 0 {
		return n
	}
	return 1
}

// rounds is how often a long test does its work: usual, or the number in a variable of the environment.
func rounds(t testing.TB, variable string, usual int) int {
	t.Helper()
	if text, ok := os.LookupEnv(variable); ok {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		require.Positive(t, n, variable)
		return n
	}
	return max(usual/share(), min(usual, 2))
}

// TestSameStores: the same lists give the same answers on memory, bolt and PostgreSQL.
func TestSameStores(t *testing.T) {
	t.Parallel()
	file, err := bolt.Open(t.TempDir() + "/store.db")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	onFile := &difftest.Subject{Name: "bolt", Store: file}
	cfg := postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 8}
	first, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	onServer := &difftest.Subject{Name: "postgres", Store: first, Reopen: func(old store.Store) (store.Store, error) {
		if err := old.Close(); err != nil {
			return nil, err
		}
		return postgres.Open(t.Context(), cfg)
	}}
	t.Cleanup(func() { require.NoError(t, onServer.Store.Close()) })
	lists := rounds(t, "TOLLGATE_LISTS", 300)
	for seed := range lists {
		require.NoError(t, onFile.Empty(t.Context()))
		require.NoError(t, onServer.Empty(t.Context()))
		err := difftest.Compare(t.Context(), difftest.Random(uint64(seed)),
			&difftest.Subject{Name: "memory", Store: memory.New()}, onFile, onServer)
		require.NoError(t, err, "difftest.Random(%d)", seed)
	}
	t.Logf("stores: lists=%d on=memory,bolt,postgres", lists)
}
