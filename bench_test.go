package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

func withInstant(cfg *gateway.Config) {
	cfg.Connectors["vcard"] = kerneltest.InstantConnector{}
	cfg.Now = time.Now
}

// sales makes n sales with so many callers and returns how long it took.
func sales(b testing.TB, gw *gateway.Gateway, callers, n int, from int64) time.Duration {
	var next atomic.Int64
	var running sync.WaitGroup
	start := time.Now()
	for range callers {
		running.Go(func() {
			for {
				i := next.Add(1)
				if i > int64(n) {
					return
				}
				r, err := gw.Merchant(gatewaytest.MerchantKey).Charge(b.Context(), kerneltest.SaleRequest(from+i))
				if err != nil || r.Payment.Status != store.Settled {
					b.Errorf("sale %d: %v", i, err)
					return
				}
			}
		})
	}
	running.Wait()
	return time.Since(start)
}

func BenchmarkCreateSession(b *testing.B) {
	kit := gatewaytest.New(b, withInstant)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		_, err := kit.Shop().CreateSession(b.Context(), gatewaytest.Request(fmt.Sprintf("ORD-%d", n), "10.00"))
		require.NoError(b, err)
	}
}

func BenchmarkSaleMemory(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			kit := gatewaytest.New(b, withInstant)
			b.ReportAllocs()
			b.ResetTimer()
			took := sales(b, kit.Gateway, callers, b.N, 0)
			b.ReportMetric(float64(b.N)/took.Seconds(), "sales/s")
		})
	}
}

// BenchmarkSaleBolt measures durable sales, in turns with raw bbolt that writes the same bytes in the same commits
// with the same grouping. ratio is ours over raw (floor 0.60, goal 0.80); flushes is how many commits reached the
// disk per sale (goal at 64 callers 0.07).
func BenchmarkSaleBolt(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) { benchmarkBolt(b, callers) })
	}
}

func benchmarkBolt(b *testing.B, callers int) {
	commits := recordSales(b, b.N)
	s, err := bolt.Open(filepath.Join(b.TempDir(), "sales.db"))
	require.NoError(b, err)
	kit := gatewaytest.On(b, s, withInstant)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	plain, err := speed.OpenRaw(filepath.Join(b.TempDir(), "raw.db"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, plain.Close()) })
	before := s.Flushes()
	var took, raw time.Duration
	const turn = 1000
	runtime.GC()
	b.ResetTimer()
	for from := 0; from < b.N; from += turn {
		n := min(turn, b.N-from)
		took += sales(b, kit.Gateway, callers, n, int64(from))
		b.StopTimer()
		raw += replay(b, plain, callers, commits[2*from:2*(from+n)])
		b.StartTimer()
	}
	b.StopTimer()
	b.ReportMetric(float64(s.Flushes()-before)/float64(b.N), "flushes/sale")
	b.ReportMetric(float64(plain.Flushes())/float64(b.N), "rawflushes/sale")
	b.ReportMetric(float64(b.N)/took.Seconds(), "sales/s")
	b.ReportMetric(float64(b.N)/raw.Seconds(), "raw/s")
	b.ReportMetric(raw.Seconds()/took.Seconds(), "ratio")
}

// recorder records what each commit of a store writes.
type recorder struct {
	store.Store
	mu      sync.Mutex
	commits [][]speed.Write
}

func (r *recorder) Update(ctx context.Context, fn func(store.Tx) error) error {
	var notes []speed.Write
	err := r.Store.Update(ctx, func(tx store.Tx) error {
		notes = nil
		return fn(&noting{tx, &notes})
	})
	if err == nil && len(notes) > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.commits = append(r.commits, notes)
	}
	return err
}

type noting struct {
	store.Tx
	notes *[]speed.Write
}

func (n *noting) Put(key, value []byte) error {
	*n.notes = append(*n.notes, speed.Write{Key: key, Value: value})
	return n.Tx.Put(key, value)
}

func (n *noting) Insert(key, value []byte) error {
	*n.notes = append(*n.notes, speed.Write{Key: key, Value: value})
	return n.Tx.Insert(key, value)
}

func (n *noting) Delete(key []byte) error {
	*n.notes = append(*n.notes, speed.Write{Key: key})
	return n.Tx.Delete(key)
}

// recordSales makes n sales in memory and returns the commits of each, two per sale.
func recordSales(b *testing.B, n int) [][]speed.Write {
	r := &recorder{Store: memory.New()}
	kit := gatewaytest.On(b, r, withInstant)
	r.commits = nil
	sales(b, kit.Gateway, 1, n, 0)
	require.Len(b, r.commits, 2*n)
	return r.commits
}

// replay writes recorded commits directly into bbolt: each caller takes a sale, writes its first commit, waits for
// the disk, then its second.
func replay(b *testing.B, raw *speed.Raw, callers int, commits [][]speed.Write) time.Duration {
	var next atomic.Int64
	var running sync.WaitGroup
	start := time.Now()
	for range callers {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; 2*i < len(commits); i = int(next.Add(1)) - 1 {
				if err := errors.Join(raw.Commit(commits[2*i]), raw.Commit(commits[2*i+1])); err != nil {
					b.Error(err)
				}
			}
		})
	}
	running.Wait()
	return time.Since(start)
}

// BenchmarkStatusByOrder looks up the newest payment of an order among 10^4 payments, and among 10^6 with
// TOLLGATE_BIG=1.
func BenchmarkStatusByOrder(b *testing.B) {
	sizes := []int{10_000}
	if os.Getenv("TOLLGATE_BIG") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("memory/payments=%d", n), func(b *testing.B) { benchmarkStatus(b, memory.New(), n) })
		b.Run(fmt.Sprintf("bolt/payments=%d", n), func(b *testing.B) {
			s, err := bolt.Open(filepath.Join(b.TempDir(), "status.db"))
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, s.Close()) })
			benchmarkStatus(b, s, n)
		})
	}
}

func benchmarkStatus(b *testing.B, s store.Store, n int) {
	kit := gatewaytest.On(b, s, withInstant)
	sales(b, kit.Gateway, 64, n, 0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := kit.Shop().Status(b.Context(), gateway.Lookup{
			OrderNumber: fmt.Sprintf("ORD-%d", 1+(i*7919)%n)})
		require.NoError(b, err)
	}
}
