package gauges_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe/gauges"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// away is a store that can be taken away.
type away struct {
	store.Store
	gone atomic.Bool
}

func (s *away) View(ctx context.Context, fn func(store.Reader) error) error {
	if s.gone.Load() {
		return errors.New("no route to 10.0.0.7")
	}
	return s.Store.View(ctx, fn)
}

// read returns the gauges by name and labels, each of which is documented.
func read(t *testing.T, kit *gatewaytest.Kit) map[string]float64 {
	t.Helper()
	labels := map[string]int{}
	for _, m := range gauges.Metrics() {
		labels[m.Name] = len(m.Labels)
	}
	all := map[string]float64{}
	for _, s := range gauges.Read(t.Context(), kit.Gateway) {
		require.Contains(t, labels, s.Metric)
		require.Len(t, s.Labels, labels[s.Metric])
		all[strings.TrimSpace(s.Metric+" "+strings.Join(s.Labels, " "))] = s.Value
	}
	return all
}

// The gauges follow what is due, what waits for a person, whether Run runs and whether the store answers.
func TestGauges(t *testing.T) {
	t.Parallel()
	s := &away{Store: memory.New()}
	kit := gatewaytest.On(t, s, func(cfg *gateway.Config) {
		cfg.Connectors["vcard"] = kerneltest.Plain{Connector: cfg.Connectors["vcard"]} // nobody can be asked
	})
	want := map[string]float64{"store.readable": 1, "due.running": 0, "doubts.waiting": 0, "doubts.oldest": 0,
		"breaches.waiting": 0}
	same := func(why string) {
		t.Helper()
		got := read(t, kit)
		maps.DeleteFunc(got, func(name string, _ float64) bool {
			return strings.HasPrefix(name, "due.late") && name != "due.late callback"
		})
		require.Equal(t, want, got, why)
	}
	same("nothing has happened")

	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Clock.Set(kit.Clock.Now().Add(90 * time.Second))
	want["due.late callback"] = 90
	same("a callback is late")
	kit.Work(t)
	delete(want, "due.late callback")
	same("the callback was delivered")

	kit.Vcard.On("ORD-2", vcard.UnknownAfter())
	r := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles)
	kit.Advance(t, 72*time.Hour)
	want["doubts.waiting"], want["doubts.oldest"] = 1, (72 * time.Hour).Seconds()
	same("a doubt waits for a person")
	_, err := kit.Operator().ResolveDoubt(t.Context(), gateway.Review{PaymentID: r.Payment.ID,
		TransactionID: r.Transaction.ID, By: "ann", Why: "the acquirer's books"}, true)
	require.NoError(t, err)
	kit.Work(t)
	want["doubts.waiting"], want["doubts.oldest"] = 0, 0
	same("it is decided")

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- kit.Run(ctx) }()
	require.Eventually(t, func() bool { return read(t, kit)["due.running"] == 1 }, time.Minute, time.Millisecond)
	s.gone.Store(true)
	require.Equal(t, map[string]float64{"store.readable": 0}, read(t, kit))
	s.gone.Store(false)
	stop()
	require.NoError(t, <-ended)
}

// failing is a store whose reads fail after some.
type failing struct {
	store.Store
	left atomic.Int64
}

func (s *failing) View(ctx context.Context, fn func(store.Reader) error) error {
	if s.left.Add(-1) < 0 {
		return errors.New("the disk is gone")
	}
	return s.Store.View(ctx, fn)
}

// A store that fails between two reads cannot be read; there is no breach that nobody saw.
func TestStoreFailsMeanwhile(t *testing.T) {
	t.Parallel()
	s := &failing{Store: memory.New()}
	s.left.Store(1 << 20)
	kit := gatewaytest.On(t, s)
	for reads := range 3 {
		s.left.Store(int64(reads))
		require.Equal(t, map[string]float64{"store.readable": 0}, read(t, kit), "%d", reads)
	}
	s.left.Store(1 << 20)
	require.Equal(t, 1.0, read(t, kit)["store.readable"])
}

// A breach waits, and one that cannot be read too.
func TestBreaches(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	kerneltest.PutRaw(t, kit.Store, "", "br", r.Payment.ID, r.Transaction.ID)
	require.Equal(t, 1.0, read(t, kit)["breaches.waiting"])
	kerneltest.PutRaw(t, kit.Store, "", "br", "gone", "1")
	require.Equal(t, 2.0, read(t, kit)["breaches.waiting"])
}
