package gateway_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// tarpit is a merchant's endpoint that never answers, except for one URL, whose calls it records.
type tarpit struct {
	mu    sync.Mutex
	heard map[string]time.Time // by payment
}

func (p *tarpit) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	if d.URL != gatewaytest.CallbackURL {
		select {
		case <-time.After(callback.DefaultTimeout):
		case <-ctx.Done():
		}
		return callback.Receipt{Verdict: callback.TimedOut}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard[d.ID] = time.Now()
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

func (p *tarpit) at(id string) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.heard[id]
	return at, ok
}

// BenchmarkCallbackDelay measures the time from a sale to the delivery of its callback, while 10,000 callbacks wait
// for endpoints of other merchants that never answer (each takes ten seconds to time out). An operation is a sale
// and its delivery; the result is the p99.
func BenchmarkCallbackDelay(b *testing.B) {
	const waiting = 10_000
	for _, flood := range []struct {
		name     string
		merchant func(n int) string
		url      func(n int) string
	}{
		{"nothing", nil, nil},
		{"one dead URL", func(int) string { return "evil" }, func(int) string { return "https://dead.example/" }},
		{"1500 tarpit URLs", func(int) string { return "evil" }, func(n int) string { return fmt.Sprintf("https://tar.example/%d", n%1500) }},
		{"10000 tarpit hosts", func(int) string { return "evil" }, func(n int) string { return fmt.Sprintf("https://h%d.tar.example/", n) }},
		{"100 merchants on one dead host", func(n int) string { return fmt.Sprint("m", n%100) }, func(n int) string { return fmt.Sprintf("https://dead.example/%d", n) }},
	} {
		for _, durable := range []bool{false, true} {
			name := flood.name + ", memory"
			if durable {
				name = flood.name + ", bolt"
			}
			b.Run(name, func(b *testing.B) {
				var s store.Store = memory.New()
				if durable {
					db, err := bolt.Open(filepath.Join(b.TempDir(), "gateway.db"))
					require.NoError(b, err)
					b.Cleanup(func() { require.NoError(b, db.Close()) })
					s = db
				}
				p := &tarpit{heard: map[string]time.Time{}}
				kit := gatewaytest.On(b, s, withInstant, func(c *gateway.Config) { c.Notifier = p })
				if flood.url != nil {
					require.NoError(b, s.Update(b.Context(), func(tx store.Tx) error {
						for n := range waiting {
							err := callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: fmt.Sprintf("f%06d", n),
								MerchantID: flood.merchant(n), Number: 1, URL: flood.url(n), Body: "a=b", CreatedAt: time.Now()}})
							if err != nil {
								return err
							}
						}
						return nil
					}))
				}
				measureDelays(b, kit, p)
			})
		}
	}
}

// measureDelays makes sales, a few milliseconds apart, while Run works.
func measureDelays(b *testing.B, kit *gatewaytest.Kit, p *tarpit) {
	b.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() { defer close(ran); _ = kit.Run(ctx) }()
	defer func() { stop(); <-ran }()
	time.Sleep(200 * time.Millisecond) // the flood takes its share of the workers
	var delays []time.Duration
	for b.Loop() {
		sold := time.Now()
		r, err := kit.Shop().Charge(b.Context(), kerneltest.SaleRequest(int64(len(delays))))
		require.NoError(b, err)
		id := store.CallbackID(r.Payment.ID, 1)
		for {
			if at, ok := p.at(id); ok {
				delays = append(delays, at.Sub(sold))
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	slices.Sort(delays)
	b.ReportMetric(float64(delays[len(delays)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(delays[len(delays)-1].Microseconds())/1000, "max-ms")
}
