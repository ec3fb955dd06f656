package speed_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/memory"
)

// gate is a figure that may not get worse. Where it got better, the new figure is written here.
type gate struct {
	name    string
	limit   float64
	exact   bool // a count of calls, which the race detector does not change either
	measure func(*testing.T) float64
}

// gates hold what does not depend on the machine or on its load. Allocations and bytes have one in a hundred to spare,
// for the runtime's own, and so have a heap and a file. How many sales share a flush depends on who arrives in time:
// here a single caller says how often a sale waits for the disk, TestWaitingCallersShareOneCommit of store/bolt holds
// that 64 callers who wait share one commit, and internal/speed/ratios measures how many do.
var gates = slices.Concat(
	costs("a sale", 124.6, 16215, sale),
	costs("a session", 41.4, 5226, session),
	costs("a session over HTTP", 80, 11770, onItsOwn(sessionByHTTP)),
	costs("an S2S sale over HTTP", 152.9, 18557, onItsOwn(saleByHTTP)),
	costs("a sale with parameters", 336.7, 32740, saleWithParameters),
	costs("a sale with parameters on the page", 1205, 106150, pageSaleWithParameters),
	costs("an S2S sale with parameters over HTTP", 502.4, 46560, s2sSaleWithParameters),
	[]gate{
		{name: "allocations of a status by order", limit: 44.3, measure: statusAllocations},
		{name: "keys written by a sale", limit: 7, exact: true, measure: keysOfSale},
		{name: "bytes written by a sale", limit: 2550, exact: true, measure: bytesOfSale},
		{name: "store transactions of a session", limit: 3, exact: true, measure: transactionsOf(sessionByHTTP)},
		{name: "store transactions of an S2S sale", limit: 5, exact: true, measure: transactionsOf(saleByHTTP)},
		{name: "flushes of a sale, one caller", limit: 2, exact: true, measure: flushesOfSale},
		{name: "heap per payment in memory", limit: 1781, measure: heapPerPayment},
		{name: "file per payment on bolt", limit: 2196, exact: true, measure: filePerPayment},
	},
)

// costs are the two gates of what a call allocates.
func costs(what string, allocations, bytes float64, begin func(*testing.T) func(n int64)) []gate {
	return []gate{
		{name: "allocations of " + what, limit: allocations, measure: func(t *testing.T) float64 {
			n, _ := cost(begin(t))
			return n
		}},
		{name: "bytes allocated by " + what, limit: bytes, measure: func(t *testing.T) float64 {
			_, n := cost(begin(t))
			return n
		}},
	}
}

// TestGates is not parallel, nor is any other test of this package: what others allocate would count.
func TestGates(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, g := range gates {
		t.Run(g.name, func(t *testing.T) {
			got := g.measure(t)
			if kerneltest.Raced && !g.exact {
				t.Log("not compared with its limit: the race detector allocates too")
				require.Positive(t, got)
				return
			}
			t.Logf("gates: gate=%q measured=%.1f limit=%.1f", g.name, got, g.limit)
			require.LessOrEqual(t, got, g.limit, "%s got worse", g.name)
		})
	}
	t.Logf("gates: gates=%d", len(gates))
}

// rounds is over how many requests a figure is averaged.
const rounds = 1000

// opened is a gateway on a store, with the first requests behind it, which cost more: keys, and the merchant.
func opened(t *testing.T, s store.Store, change ...func(*gateway.Config)) *gateway.Gateway {
	t.Helper()
	gw, err := speed.Open(t.Context(), s, append(change, repeatable)...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, gw.Close(context.Background())) })
	for i := range int64(10) {
		sell(t, gw, -1-i)
	}
	return gw
}

// repeatable makes every run write the same keys at the same moments. How full the pages of a B+tree are depends on
// where keys fall, and with random ids a file differs by four in a hundred from one run to the next.
func repeatable(c *gateway.Config) {
	var at atomic.Int64
	at.Store(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli())
	random := rand.NewChaCha8([32]byte{})
	c.Now = func() time.Time { return time.UnixMilli(at.Add(1)) }
	c.NewID = func() string { return orderedID(at.Load(), random) }
	c.Keys = knownKeys{gatewaytest.NewKeys()}
}

// orderedID is what the gateway makes unless its host makes ids: a UUID of version 7, whose order is that of time.
func orderedID(milliseconds int64, random io.Reader) string {
	id := uuid.Must(uuid.NewRandomFromReader(random))
	moment := binary.BigEndian.AppendUint64(nil, uint64(milliseconds))
	copy(id[:6], moment[2:])
	id[6] = 0x70 | id[6]&0x0f
	return id.String()
}

// knownKeys is a key provider with a lookup key that is the same in every run.
type knownKeys struct{ *gatewaytest.Keys }

// LookupKey implements keys.Provider.
func (knownKeys) LookupKey(context.Context) ([]byte, error) { return make([]byte, keys.Size), nil }

// sell makes the n-th sale.
func sell(t *testing.T, gw *gateway.Gateway, n int64) {
	r, err := gw.Merchant(gatewaytest.MerchantKey).Charge(t.Context(), kerneltest.SaleRequest(n))
	if err != nil || r.Payment.Status != store.Settled {
		t.Fatalf("sale %d: %v", n, err)
	}
}

// cost returns the allocations and the bytes of one call, averaged over rounds.
func cost(call func(n int64)) (allocations, bytes float64) {
	call(0)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for n := range int64(rounds) {
		call(1 + n)
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / rounds, float64(after.TotalAlloc-before.TotalAlloc) / rounds
}

func sale(t *testing.T) func(n int64) {
	gw := opened(t, memory.New())
	return func(n int64) { sell(t, gw, n) }
}

func session(t *testing.T) func(n int64) {
	gw := opened(t, memory.New())
	return func(n int64) {
		if _, err := gw.Merchant(gatewaytest.MerchantKey).CreateSession(t.Context(),
			gatewaytest.Request(fmt.Sprintf("S-%d", n), "10.00")); err != nil {
			t.Fatal(err)
		}
	}
}

func statusAllocations(t *testing.T) float64 {
	gw := opened(t, memory.New())
	for n := range int64(rounds + 1) {
		sell(t, gw, n)
	}
	allocations, _ := cost(func(n int64) {
		_, err := gw.Merchant(gatewaytest.MerchantKey).Status(t.Context(), gateway.Lookup{
			OrderNumber: kerneltest.SaleRequest(n).Order.Number})
		if err != nil {
			t.Fatal(err)
		}
	})
	return allocations
}

// countedOf returns what one request asks of a store, averaged over rounds.
func countedOf(t *testing.T, request door) (transactions, keys, bytes float64) {
	w := &written{Store: memory.New()}
	send := request(t, opened(t, w))
	send(0)
	w.taken()
	for n := range int64(rounds) {
		send(1 + n)
	}
	all, size, puts := w.taken()
	return float64(all) / rounds, float64(len(puts)) / rounds, float64(size) / rounds
}

// charges is the door of a host's own Go code.
func charges(t *testing.T, gw *gateway.Gateway) func(n int64) {
	return func(n int64) { sell(t, gw, n) }
}

func keysOfSale(t *testing.T) float64 {
	_, keys, _ := countedOf(t, charges)
	return keys
}

func bytesOfSale(t *testing.T) float64 {
	_, _, size := countedOf(t, charges)
	return size
}

// TestKeysOfASale holds what a sale writes against the table in docs/architecture.md. The schema of internal/records
// says why each key is needed.
func TestKeysOfASale(t *testing.T) {
	w := &written{Store: memory.New()}
	gw := opened(t, w)
	sell(t, gw, 0) // the first of a lane marks it too
	w.taken()
	sell(t, gw, 1)
	_, _, puts := w.taken()
	total := 0
	for prefix, want := range map[string]int{records.Payments.Prefix: 2, records.Orders: 1,
		records.RecoveryQueue.Name: 2, records.Callbacks.Prefix: 1, callback.Outbox.Name + "l": 1} {
		got := 0
		for _, key := range puts {
			if bytes.HasPrefix(key, store.Key(prefix)) {
				got++
			}
		}
		require.Equal(t, want, got, prefix)
		total += got
	}
	require.Len(t, puts, total, "something else is written: %q", puts)
}

func transactionsOf(request door) func(*testing.T) float64 {
	return func(t *testing.T) float64 {
		all, _, _ := countedOf(t, request)
		return all
	}
}

// durable makes sales on bolt, one after the other, and returns the file's store and its path.
func durable(t *testing.T, sales int64) (s *bolt.Store, gw *gateway.Gateway, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "sales.db")
	s, err := bolt.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	gw = opened(t, s)
	for n := range sales {
		sell(t, gw, n)
	}
	return s, gw, path
}

func flushesOfSale(t *testing.T) float64 {
	const sales = 100
	s, gw, _ := durable(t, 0)
	before := s.Flushes()
	for n := range int64(sales) {
		sell(t, gw, n)
	}
	return float64(s.Flushes()-before) / sales
}

// heapPerPayment is what payments keep reachable, with everything that belongs to them.
func heapPerPayment(t *testing.T) float64 {
	const sales = 5000
	gw := opened(t, memory.New())
	before := heap()
	for n := range int64(sales) {
		sell(t, gw, n)
	}
	after := heap()
	runtime.KeepAlive(gw)
	return float64(after-before) / sales
}

func heap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers released
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// filePerPayment is how much of the file is in use: bbolt makes the file itself grow in steps of megabytes.
func filePerPayment(t *testing.T) float64 {
	const sales = 1000
	s, _, path := durable(t, sales)
	require.NoError(t, s.Close())
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, NoFreelistSync: true})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var size int64
	if size := db.Info().PageSize; size != 4096 {
		t.Skipf("bbolt's pages have %d bytes on this machine; the limit is for pages of 4096", size)
	}
	require.NoError(t, db.View(func(tx *bbolt.Tx) error {
		size = tx.Size()
		return nil
	}))
	return float64(size) / sales
}
