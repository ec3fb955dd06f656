package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// TestSeen: what was read is found by its key, the last of each, among few and among many.
func TestSeen(t *testing.T) {
	t.Parallel()
	var s postgres.Seen
	want := map[string]store.Pair{}
	for i := range 100 {
		for _, key := range []string{fmt.Sprint("key", i), fmt.Sprint("key", i/2)} {
			want[key] = store.NewPair([]byte(key), fmt.Append(nil, i))
			s.Put(want[key])
		}
		require.Len(t, s.Pairs(), len(want))
		for key, pair := range want {
			found, ok := s.Get(key)
			require.True(t, ok)
			require.Equal(t, pair, found)
			require.Contains(t, s.Pairs(), pair)
		}
		_, ok := s.Get("other")
		require.False(t, ok)
	}
}
