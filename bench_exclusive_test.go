package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// timed measures how long functions run inside Update, where they are alone.
type timed struct {
	store.Store
	inside atomic.Int64 // nanoseconds
}

func (s *timed) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		start := time.Now()
		defer func() { s.inside.Add(int64(time.Since(start))) }()
		return fn(tx)
	})
}

// BenchmarkExclusive makes sales with one caller. exclusive-us/sale is the time inside the store's exclusive section,
// without what the store itself does at a commit: more cores do not shorten it.
func BenchmarkExclusive(b *testing.B) {
	for _, protocol := range []string{"checkout", "s2s"} {
		b.Run("memory/"+protocol, func(b *testing.B) { benchmarkExclusive(b, memory.New(), protocol) })
		b.Run("bolt/"+protocol, func(b *testing.B) {
			s, err := bolt.Open(filepath.Join(b.TempDir(), "sales.db"))
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, s.Close()) })
			benchmarkExclusive(b, s, protocol)
		})
	}
}

func benchmarkExclusive(b *testing.B, inner store.Store, protocol string) {
	s := &timed{Store: inner}
	kit := gatewaytest.On(b, s, withInstant)
	server := s2s.Handler(kit.Gateway)
	s.inside.Store(0)
	b.ReportAllocs()
	for n := int64(0); b.Loop(); n++ {
		if protocol == "s2s" {
			request := httptest.NewRequest(http.MethodPost, "/post", bytes.NewReader(saleForm(n)))
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer := httptest.NewRecorder()
			server.ServeHTTP(answer, request)
			require.Contains(b, answer.Body.String(), `"SETTLED"`, fmt.Sprint(n))
			continue
		}
		r, err := kit.Charge(b.Context(), kerneltest.SaleRequest(n))
		require.NoError(b, err)
		require.Equal(b, store.Settled, r.Payment.Status)
	}
	b.ReportMetric(float64(s.inside.Load())/1e3/float64(b.N), "exclusive-us/sale")
}
