package bolt_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// BenchmarkUpdate runs callers that each put one ascending key of 1 KiB, and compares with bbolt alone at the same
// number of puts per flush. The ratio is the cost of sharing and isolation.
func BenchmarkUpdate(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("store/%d", callers), func(b *testing.B) { benchmarkStore(b, callers) })
		b.Run(fmt.Sprintf("raw/%d", callers), func(b *testing.B) { benchmarkRaw(b, callers) })
	}
}

func benchmarkStore(b *testing.B, callers int) {
	s, err := bolt.Open(filepath.Join(b.TempDir(), "store.db"))
	require.NoError(b, err)
	defer s.Close()
	value := make([]byte, 1024)
	var n atomic.Uint64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for i := n.Add(1); i <= uint64(b.N); i = n.Add(1) {
				err := s.Update(context.Background(), func(tx store.Tx) error {
					return tx.Put(binary.BigEndian.AppendUint64(nil, i), value)
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func benchmarkRaw(b *testing.B, group int) {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, &bbolt.Options{
		NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: 1 << 30,
	})
	require.NoError(b, err)
	defer db.Close()
	require.NoError(b, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("b"))
		return err
	}))
	value := make([]byte, 1024)
	b.ResetTimer()
	for n := uint64(0); n < uint64(b.N); {
		require.NoError(b, db.Update(func(tx *bbolt.Tx) error {
			for range group {
				n++
				if err := tx.Bucket([]byte("b")).Put(binary.BigEndian.AppendUint64(nil, n), value); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}
