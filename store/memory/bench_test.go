package memory_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// BenchmarkUpdate is one caller that puts five ascending keys of 1 KiB in a transaction.
func BenchmarkUpdate(b *testing.B) {
	s, ctx, value := memory.New(), context.Background(), make([]byte, 1024)
	var n uint64
	b.ReportAllocs()
	for b.Loop() {
		err := s.Update(ctx, func(tx store.Tx) error {
			for range 5 {
				n++
				if err := tx.Put(binary.BigEndian.AppendUint64(nil, n%100_000), value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkView is readers side by side that get one value of 1 KiB.
func BenchmarkView(b *testing.B) {
	s, key := memory.New(), []byte("key")
	require.NoError(b, s.Update(b.Context(), func(tx store.Tx) error { return tx.Put(key, make([]byte, 1024)) }))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		ctx := context.Background()
		for pb.Next() {
			err := s.View(ctx, func(r store.Reader) error {
				_, err := r.Get(key)
				return err
			})
			if err != nil {
				b.Error(err)
			}
		}
	})
}
