package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// tables are prefixes of keys. Within each the keys ascend, as those of a gateway do.
var tables = []string{"cb", "hs", "o", "p", "t"}

func key(table string, n int) []byte {
	return fmt.Appendf(nil, "%s/01a2072b-495b-778d-aea5-%012d", table, n)
}

// filled returns a store with so many keys, written five in a transaction, and the bytes of heap it takes per key
// beside the keys and values themselves.
func filled(b *testing.B, size int) (s *memory.Store, overhead float64) {
	s = memory.New()
	value := make([]byte, 200)
	before := heap()
	for n := range size / len(tables) {
		require.NoError(b, write(s, n, value))
	}
	perKey := float64(heap()-before) / float64(size)
	return s, perKey - float64(len(value)) - float64(len(key("cb", 0)))
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// write puts one key in each table in one transaction.
func write(s *memory.Store, n int, value []byte) error {
	return s.Update(context.Background(), func(tx store.Tx) error {
		for _, table := range tables {
			if err := tx.Put(key(table, n), value); err != nil {
				return err
			}
		}
		return nil
	})
}

// each runs a benchmark at every size; the largest needs TOLLGATE_BIG=1.
func each(b *testing.B, run func(b *testing.B, s *memory.Store, size int)) {
	sizes := []int{1_000, 100_000}
	if os.Getenv("TOLLGATE_BIG") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, size := range sizes {
		s, overhead := filled(b, size)
		b.Run(fmt.Sprintf("keys=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			run(b, s, size)
			b.ReportMetric(overhead, "overhead-B/key")
		})
	}
}

// BenchmarkUpdate is one caller that puts five keys in a transaction, each at the end of its table.
func BenchmarkUpdate(b *testing.B) {
	value := make([]byte, 200)
	each(b, func(b *testing.B, s *memory.Store, size int) {
		n := size / len(tables)
		for b.Loop() {
			require.NoError(b, write(s, n%(2*size), value)) // a long run does not outgrow its size
			n++
		}
	})
}

// BenchmarkReplace replaces five values, each anywhere in its table.
func BenchmarkReplace(b *testing.B) {
	value := make([]byte, 200)
	each(b, func(b *testing.B, s *memory.Store, size int) {
		random := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			require.NoError(b, write(s, random.IntN(size/len(tables)), value))
		}
	})
}

// BenchmarkGet gets values from anywhere, one in each View.
func BenchmarkGet(b *testing.B) {
	each(b, func(b *testing.B, s *memory.Store, size int) {
		random := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			k := key("p", random.IntN(size/len(tables)))
			require.NoError(b, s.View(b.Context(), func(r store.Reader) error {
				_, err := r.Get(k)
				return err
			}))
		}
	})
}

// BenchmarkScan reads ten entries from anywhere.
func BenchmarkScan(b *testing.B) {
	each(b, func(b *testing.B, s *memory.Store, size int) {
		random := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			rg := store.Range{From: key("p", random.IntN(size/len(tables))), Limit: 10}
			require.NoError(b, s.View(b.Context(), func(r store.Reader) error {
				for e := range r.Scan(rg) {
					if e.Err != nil {
						return e.Err
					}
				}
				return nil
			}))
		}
	})
}
