package bolt_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int64{"usual": 1 << 20, "a few batches": 4 << 10, "one batch": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testContract(t, func(o *bolt.Options) { o.LogSize = size })
		})
	}
}

func testContract(t *testing.T, opt bolt.Option) {
	var paths sync.Map // of each store, to reopen it
	open := func(t *testing.T, path string) store.Store {
		s, err := bolt.Open(path, opt)
		require.NoError(t, err)
		paths.Store(s, path)
		return s
	}
	storetest.Run(t,
		func(t *testing.T) store.Store { return open(t, filepath.Join(t.TempDir(), "store.db")) },
		storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
			require.NoError(t, s.Close())
			path, _ := paths.Load(s)
			return open(t, path.(string))
		}))
}
