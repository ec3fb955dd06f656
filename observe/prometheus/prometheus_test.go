package prometheus_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	official "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/prometheus"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// scraped returns what a registry answers to a scrape.
func scraped(t *testing.T, registry *official.Registry) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code, w.Body.String())
	return w.Body.String()
}

// watched is a shop with a registry that has its metrics and gauges.
func watched(t *testing.T, s store.Store, options ...gatewaytest.Option) (*gatewaytest.Kit, *official.Registry) {
	t.Helper()
	metrics, registry := prometheus.New(), official.NewPedanticRegistry()
	kit := gatewaytest.On(t, s, append(options, func(c *gateway.Config) {
		c.Observers = append(c.Observers, metrics)
	})...)
	registry.MustRegister(metrics, prometheus.Gauges(kit.Gateway))
	return kit, registry
}

// Every type of event moves a metric, and all names and units are as Prometheus wants them.
func TestEveryEventIsExported(t *testing.T) {
	t.Parallel()
	metrics, registry := prometheus.New(), official.NewPedanticRegistry()
	registry.MustRegister(metrics)
	for _, e := range append(observe.Types(), observe.Swept{Lap: true, Records: 1},
		observe.PaymentMoved{Outcome: store.Success}) {
		before := scraped(t, registry)
		metrics.Observe(t.Context(), e)
		if _, nothing := e.(observe.Swept); nothing && e == (observe.Swept{}) {
			continue // a step that found nothing
		}
		require.NotEqual(t, before, scraped(t, registry), "%T", e)
	}
	text := scraped(t, registry)
	for _, m := range observe.Metrics() {
		require.Contains(t, text, "# HELP "+prometheus.Name(m)+" "+m.Help+"\n")
		require.Contains(t, text, "# TYPE "+prometheus.Name(m)+" "+string(m.Kind)+"\n")
	}
	faults, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// The names of the table in Prometheus.
func TestName(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]observe.Metric{
		"tollgate_transactions_total":              {Name: "transactions", Kind: observe.Counter},
		"tollgate_connector_call_duration_seconds": {Name: "connector.call.duration", Kind: observe.Histogram, Unit: observe.Seconds},
		"tollgate_due_late_seconds":                {Name: "due.late", Kind: observe.Gauge, Unit: observe.Seconds},
		"tollgate_store_readable":                  {Name: "store.readable", Kind: observe.Gauge},
		"tollgate_work_put_off_total":              {Name: "work.put_off", Kind: observe.Counter},
	} {
		require.Equal(t, want, prometheus.Name(m))
	}
}

// A shop's day: what a scrape shows of a sale, a decline, a refund, their callbacks and what is due.
func TestAShopsDay(t *testing.T) {
	t.Parallel()
	kit, registry := watched(t, memory.New())
	paid := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Pay(t, kit.Session(t, "ORD-2", "7.00"), gatewaytest.Declines)
	_, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: kit.Payment(t, "ORD-1").ID, Amount: "4.00"})
	require.NoError(t, err, paid)
	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	require.Contains(t, scraped(t, registry), `tollgate_due_late_seconds{work="callback"} 60`)
	kit.Work(t)
	text := scraped(t, registry)
	for _, line := range []string{
		`tollgate_transactions_total{connector="vcard",currency="USD",method="card",operation="SALE",outcome="success",test="false"} 1`,
		`tollgate_transactions_total{connector="vcard",currency="USD",method="card",operation="SALE",outcome="fail",test="false"} 1`,
		`tollgate_transactions_total{connector="vcard",currency="USD",method="card",operation="REFUND",outcome="success",test="false"} 1`,
		`tollgate_transaction_amount_total{connector="vcard",currency="USD",method="card",operation="SALE",test="false"} 10`,
		`tollgate_transaction_amount_total{connector="vcard",currency="USD",method="card",operation="REFUND",test="false"} 4`,
		`tollgate_connector_call_duration_seconds_count{call="perform",connector="vcard",operation="SALE",result="approved"} 1`,
		`tollgate_callback_duration_seconds_count{result="delivered",type="sale"} 2`,
		`tollgate_callback_age_seconds_sum{type="refund"} 60`,
		`tollgate_endpoint_blocks_total 0`,
		`tollgate_store_readable 1`, `tollgate_due_running 0`, `tollgate_doubts_waiting 0`,
	} {
		require.Contains(t, text, line+"\n")
	}
	for _, secret := range []string{"ORD-1", gatewaytest.MerchantID, gatewaytest.MerchantKey, gatewaytest.Password,
		gatewaytest.Settles.PAN.Digits(), "shop.example"} {
		require.NotContains(t, text, secret)
	}
}

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

// While the store is away a scrape still answers, says so, and names no cause.
func TestStoreIsAway(t *testing.T) {
	t.Parallel()
	s := &away{Store: memory.New()}
	_, registry := watched(t, s)
	s.gone.Store(true)
	text := scraped(t, registry)
	require.Contains(t, text, "tollgate_store_readable 0\n")
	require.NotContains(t, text, "tollgate_due_running")
	require.NotContains(t, text, "10.0.0.7")
}

// plain has no power but Perform: nobody can be asked about its doubts.
type plain struct{ connector methods.Connector }

func (p plain) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return p.connector.Perform(ctx, op)
}

// The age of the oldest doubt grows until a person decides.
func TestOldestDoubt(t *testing.T) {
	t.Parallel()
	kit, registry := watched(t, memory.New(), func(c *gateway.Config) {
		c.Connectors = map[string]methods.Connector{"vcard": plain{c.Connectors["vcard"]}}
	})
	kit.Vcard.On("ORD-1", vcard.UnknownAfter())
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Advance(t, 48*time.Hour)
	text := scraped(t, registry)
	require.Contains(t, text, "tollgate_doubts_waiting 1\n")
	require.Contains(t, text, "tollgate_doubts_oldest_seconds 172800\n")
	require.Contains(t, text, `tollgate_reviews_total{connector="vcard",operation="SALE",test="false"} 1`)
}

// Events arrive from many goroutines while scrapes go on, and none is lost.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	metrics, registry := prometheus.New(), official.NewPedanticRegistry()
	registry.MustRegister(metrics)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				metrics.Observe(context.Background(), observe.EndpointBlocked{})
			}
		})
		all.Go(func() { _, _ = registry.Gather() })
	}
	all.Wait()
	require.Contains(t, scraped(t, registry), "tollgate_endpoint_blocks_total 4000\n")
}

// No gateway is a mistake that is told at once.
func TestNoGateway(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "gateway: the Gateway is nil or zero: make one with gateway.New",
		func() { prometheus.Gauges(nil) })
}
