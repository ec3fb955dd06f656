package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// connections is how many clients the HTTP benchmarks have.
const connections = 32

// alternate runs both sides in turns, so that other load on the machine affects both equally.
func alternate(b *testing.B, ours, bare func(client *http.Client, i int64)) {
	transport := &http.Transport{MaxIdleConnsPerHost: connections}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var took, raw time.Duration
	b.ResetTimer()
	const turn = 1000
	for from := 0; from < b.N; from += turn {
		to := min(from+turn, b.N)
		took += drive(client, from, to, ours)
		b.StopTimer()
		raw += drive(client, from, to, bare)
		b.StartTimer()
	}
	b.ReportMetric(float64(b.N)/took.Seconds(), "req/s")
	b.ReportMetric(float64(b.N)/raw.Seconds(), "bare/s")
	b.ReportMetric(raw.Seconds()/took.Seconds(), "ratio")
}

// drive makes every connection send requests until from..to are answered, and returns how long that took.
func drive(client *http.Client, from, to int, ask func(client *http.Client, i int64)) time.Duration {
	var next atomic.Int64
	next.Store(int64(from))
	var running sync.WaitGroup
	start := time.Now()
	for range connections {
		running.Go(func() {
			for i := next.Add(1); i <= int64(to); i = next.Add(1) {
				ask(client, i)
			}
		})
	}
	running.Wait()
	return time.Since(start)
}

func post(b *testing.B, client *http.Client, target, contentType string, body []byte, want int) {
	r, err := client.Post(target, contentType, bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	defer r.Body.Close()
	answer, _ := io.ReadAll(r.Body)
	if r.StatusCode != want {
		b.Errorf("%d: %s", r.StatusCode, answer)
	}
}

// bare reads a body and answers as many bytes as ours does.
func bare(answer int) http.Handler {
	text := bytes.Repeat([]byte("x"), answer)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
	})
}

// BenchmarkHTTPSession creates sessions over HTTP, beside a bare handler that reads the same bodies and answers as
// many bytes, in the same run. ratio is ours over bare (floor 0.45, goal 0.65).
func BenchmarkHTTPSession(b *testing.B) {
	kit := gatewaytest.New(b, withInstant)
	server := httptest.NewServer(checkout.Handler(kit.Gateway))
	b.Cleanup(server.Close)
	plain := httptest.NewServer(bare(140))
	b.Cleanup(plain.Close)
	bodies := make([][]byte, b.N+1)
	for i := range bodies {
		bodies[i] = speed.SessionJSON(int64(i))
	}
	alternate(b, func(client *http.Client, i int64) {
		post(b, client, server.URL+"/api/v1/session", "application/json", bodies[i], http.StatusOK)
	}, func(client *http.Client, i int64) {
		post(b, client, plain.URL, "application/json", bodies[i], http.StatusOK)
	})
}

// BenchmarkHTTPSale pays sessions on the hosted page over HTTP: one form, one sale.
func BenchmarkHTTPSale(b *testing.B) {
	kit := gatewaytest.New(b, withInstant)
	mux := http.NewServeMux()
	page.Register(mux, kit.Gateway, page.Options{})
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	plain := httptest.NewServer(bare(100))
	b.Cleanup(plain.Close)
	links := make([]string, b.N+1)
	for i := range links {
		s, err := kit.Shop().CreateSession(b.Context(), gatewaytest.Request(fmt.Sprintf("ORD-%d", i), "10.00"))
		require.NoError(b, err)
		links[i] = strings.TrimPrefix(s.RedirectURL, gatewaytest.PublicURL)
	}
	form := []byte(url.Values{"attempt": {"0"}, "card_number": {"4111 1111 1111 1111"}, "expiry": {"01/2038"},
		"cvv": {"123"}, "name": {"John Doe"}}.Encode())
	alternate(b, func(client *http.Client, i int64) {
		post(b, client, server.URL+links[i], "application/x-www-form-urlencoded", form, http.StatusSeeOther)
	}, func(client *http.Client, i int64) {
		post(b, client, plain.URL, "application/x-www-form-urlencoded", form, http.StatusOK)
	})
}

// BenchmarkHTTPS2SSale performs an S2S SALE over HTTP with 32 connections, beside a bare handler that reads the
// same bodies and answers as many bytes, in the same run.
func BenchmarkHTTPS2SSale(b *testing.B) {
	for _, c := range []struct {
		name string
		open func() (store.Store, error)
	}{
		{"memory", func() (store.Store, error) { return memory.New(), nil }},
		{"bolt", func() (store.Store, error) { return bolt.Open(b.TempDir() + "/bench.db") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			kept, err := c.open()
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, kept.Close()) })
			kit := gatewaytest.On(b, kept, withInstant)
			server := httptest.NewServer(s2s.Handler(kit.Gateway))
			b.Cleanup(server.Close)
			plain := httptest.NewServer(bare(210))
			b.Cleanup(plain.Close)
			bodies := make([][]byte, b.N+1)
			for i := range bodies {
				bodies[i] = speed.SaleForm(int64(i))
			}
			alternate(b, func(client *http.Client, i int64) {
				post(b, client, server.URL+"/post", "application/x-www-form-urlencoded", bodies[i], http.StatusOK)
			}, func(client *http.Client, i int64) {
				post(b, client, plain.URL, "application/x-www-form-urlencoded", bodies[i], http.StatusOK)
			})
		})
	}
}
