package otel_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/gauges"
	"github.com/tollgatepay/gateway/observe/otel"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// watched is a shop whose telemetry a test can read.
type watched struct {
	*gatewaytest.Kit
	spans   *tracetest.SpanRecorder
	reader  *metric.ManualReader
	tracers *trace.TracerProvider
	handler http.Handler
}

func watch(t *testing.T, s store.Store, options ...gatewaytest.Option) *watched {
	t.Helper()
	w := &watched{spans: tracetest.NewSpanRecorder(), reader: metric.NewManualReader()}
	w.tracers = trace.NewTracerProvider(trace.WithSpanProcessor(w.spans))
	telemetry, err := otel.New(otel.Options{
		Meter: metric.NewMeterProvider(metric.WithReader(w.reader)), Tracer: w.tracers})
	require.NoError(t, err)
	w.Kit = gatewaytest.On(t, s, append(options, func(c *gateway.Config) {
		c.Connectors = map[string]methods.Connector{"vcard": telemetry.Connector("vcard", c.Connectors["vcard"])}
		c.Notifier = telemetry.Notifier(c.Notifier)
		c.Observers = append(c.Observers, telemetry)
	})...)
	_, err = telemetry.Gauges(w.Gateway)
	require.NoError(t, err)
	w.handler, err = gatewayhttp.New(w.Gateway, gatewayhttp.Options{
		Prefix: "/", Middleware: []func(http.Handler) http.Handler{telemetry.Middleware}})
	require.NoError(t, err)
	return w
}

// named returns the ended spans of a name.
func (w *watched) named(name string) (list []trace.ReadOnlySpan) {
	for _, s := range w.spans.Ended() {
		if s.Name() == name {
			list = append(list, s)
		}
	}
	return list
}

// only returns the one ended span of a name.
func (w *watched) only(t *testing.T, name string) trace.ReadOnlySpan {
	t.Helper()
	list := w.named(name)
	var names []string
	for _, s := range w.spans.Ended() {
		names = append(names, s.Name())
	}
	require.Len(t, list, 1, "%q of %q", name, names)
	return list[0]
}

// values returns the points of a metric by their labels: the sum of a counter, the count of a histogram, the value of
// a gauge.
func (w *watched) values(t *testing.T, name string) map[attribute.Distinct]float64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, w.reader.Collect(t.Context(), &all))
	values := map[attribute.Distinct]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name != name {
				continue
			}
			switch data := m.Data.(type) {
			case metricdata.Sum[float64]:
				for _, p := range data.DataPoints {
					values[p.Attributes.Equivalent()] = p.Value
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					values[p.Attributes.Equivalent()] = float64(p.Count)
				}
			case metricdata.Gauge[float64]:
				for _, p := range data.DataPoints {
					values[p.Attributes.Equivalent()] = p.Value
				}
			default:
				require.Fail(t, "another kind of metric", "%T", data)
			}
		}
	}
	return values
}

// value returns the point of a metric with these labels, each as a name and a value.
func (w *watched) value(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	var list []attribute.KeyValue
	for i := 0; i < len(labels); i += 2 {
		list = append(list, attribute.String(labels[i], labels[i+1]))
	}
	set := attribute.NewSet(list...)
	all := w.values(t, name)
	require.Contains(t, all, set.Equivalent(), name)
	return all[set.Equivalent()]
}

func attr(t *testing.T, s trace.ReadOnlySpan, key string) string {
	t.Helper()
	for _, a := range s.Attributes() {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	require.Fail(t, "no attribute "+key, "%v", s.Attributes())
	return ""
}

func steps(s trace.ReadOnlySpan) (names []string) {
	for _, e := range s.Events() {
		names = append(names, e.Name)
	}
	return names
}

// Every type of event moves a metric of the table, and every metric of the table is exported under its name.
func TestEveryEventIsExported(t *testing.T) {
	t.Parallel()
	reader := metric.NewManualReader()
	telemetry, err := otel.New(otel.Options{Meter: metric.NewMeterProvider(metric.WithReader(reader))})
	require.NoError(t, err)
	w := &watched{reader: reader}
	for _, e := range append(observe.Types(), observe.Swept{Lap: true, Records: 1},
		observe.PaymentMoved{Outcome: store.Success}) {
		telemetry.Observe(t.Context(), e)
	}
	for _, m := range observe.Metrics() {
		require.NotEmpty(t, w.values(t, "tollgate."+m.Name), m.Name)
	}
}

func sale(order string) gateway.ChargeRequest {
	card := gatewaytest.Settles
	return gateway.ChargeRequest{Kind: store.Purchase, Card: &card,
		Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "Tea"},
		Payer: store.Payer{Name: "John Doe", Email: "doe@example.com"}}
}

// A sale is one trace: the request, below it the call of the connector, and in the request the steps of the payment.
// Its callback is a trace of its own.
func TestTraceOfASale(t *testing.T) {
	t.Parallel()
	w := watch(t, memory.New())
	telemetry, err := otel.New(otel.Options{Tracer: w.tracers})
	require.NoError(t, err)
	api := telemetry.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := w.Shop().Charge(r.Context(), sale("ORD-1"))
		require.NoError(t, err)
	}))
	stranger := httptest.NewRequest(http.MethodPost, "/pay", nil)
	stranger.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	api.ServeHTTP(httptest.NewRecorder(), stranger)
	w.Work(t)

	request, call := w.only(t, "POST"), w.only(t, "connector vcard Perform")
	require.False(t, request.Parent().IsValid(), "the trace of a stranger is not continued")
	require.Equal(t, request.SpanContext().SpanID(), call.Parent().SpanID())
	require.Equal(t, []string{"connector.called", "payment.moved"}, steps(request))
	p := w.Payment(t, "ORD-1")
	for key, want := range map[string]string{"tollgate.connector": "vcard", "tollgate.payment": p.ID,
		"tollgate.transaction": p.ChargeID(), "tollgate.operation": "SALE", "tollgate.mid": "live",
		"tollgate.amount": "10.00", "tollgate.currency": "USD", "tollgate.test": "false", "tollgate.result": "approved"} {
		require.Equal(t, want, attr(t, call, key))
	}
	require.Equal(t, codes.Unset, call.Status().Code)

	delivery := w.only(t, "callback sale")
	require.NotEqual(t, request.SpanContext().TraceID(), delivery.SpanContext().TraceID())
	for key, want := range map[string]string{"tollgate.merchant": gatewaytest.MerchantID, "tollgate.payment": p.ID,
		"tollgate.attempt": "1", "server.address": "shop.example", "tollgate.verdict": "accepted"} {
		require.Equal(t, want, attr(t, delivery, key))
	}
	require.Equal(t, 1.0, w.value(t, "tollgate.transactions", "connector", "vcard", "method", "card", "operation", "SALE",
		"currency", "USD", "test", "false", "outcome", "success"))
	require.Equal(t, 10.0, w.value(t, "tollgate.transaction.amount", "connector", "vcard", "method", "card",
		"operation", "SALE", "currency", "USD", "test", "false"))
	require.Equal(t, 1.0, w.value(t, "tollgate.callback.duration", "type", "sale", "result", "delivered"))
}

// Requests are named and counted by their route. The payer's secret in a path is in no span and no metric, nor is
// anything of the card or the payer.
func TestRequestsByRoute(t *testing.T) {
	t.Parallel()
	w := watch(t, memory.New())
	token := w.Session(t, "ORD-1", "10.00")
	for target, status := range map[string]int{"/auth/" + token: 200, "/auth/" + token + "/qr.png": 404, "/nothing": 404} {
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, target, nil))
		require.Equal(t, status, answer.Code, target)
	}
	strange := httptest.NewRequest(http.MethodGet, "/post", nil)
	strange.Method = "MY-OWN-WORD"
	w.handler.ServeHTTP(httptest.NewRecorder(), strange)
	w.Pay(t, token, gatewaytest.Settles)
	w.Work(t)
	for _, name := range []string{"GET /auth/{token}", "GET /auth/{token}/qr.png", "GET", "_OTHER /post"} {
		require.Len(t, w.named(name), 1, name)
	}
	require.Len(t, w.values(t, "http.server.request.duration"), 4)
	var all strings.Builder
	for _, s := range w.spans.Ended() {
		fmt.Fprintln(&all, s.Name(), s.Attributes(), s.Events(), s.Status())
	}
	for _, secret := range []string{token, gatewaytest.Settles.PAN.Digits(), gatewaytest.Password, gatewaytest.MerchantKey,
		"doe@example.com", "John", "MY-OWN-WORD"} {
		require.NotContains(t, all.String(), secret)
	}
}

// A middleware around learns the route too.
func TestRouteForOthers(t *testing.T) {
	t.Parallel()
	w := watch(t, memory.New())
	telemetry, err := otel.New(otel.Options{Tracer: w.tracers})
	require.NoError(t, err)
	h, err := gatewayhttp.New(w.Gateway, gatewayhttp.Options{Prefix: "/pay",
		Middleware: []func(http.Handler) http.Handler{telemetry.Middleware}})
	require.NoError(t, err)
	request := httptest.NewRequest(http.MethodGet, "/pay/auth/secret-of-a-payer", nil)
	h.ServeHTTP(httptest.NewRecorder(), request)
	require.Equal(t, "GET /pay/auth/{token}", request.Pattern)
}

// What fails is an error in its span: an answer of the server, an unknown effect, and a callback that is not accepted.
func TestErrors(t *testing.T) {
	t.Parallel()
	w := watch(t, memory.New())
	telemetry, err := otel.New(otel.Options{Tracer: w.tracers})
	require.NoError(t, err)
	for name, row := range map[string]struct {
		handler http.HandlerFunc
		want    codes.Code
		status  string
	}{
		"PATCH":  {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusServiceUnavailable) }, codes.Error, "503"},
		"PUT":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusNotFound) }, codes.Unset, "404"},
		"DELETE": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, codes.Error, "500"},
		"HEAD": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusAccepted)
			require.NoError(t, http.NewResponseController(w).Flush())
		}, codes.Unset, "202"},
	} {
		func() {
			defer func() { _ = recover() }()
			telemetry.Middleware(row.handler).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(name, "/", nil))
			require.NotEqual(t, "DELETE", name, "the panic goes on")
		}()
		span := w.only(t, name)
		require.Equal(t, row.want, span.Status().Code, name)
		require.Equal(t, row.status, attr(t, span, "http.response.status_code"), name)
	}

	w.Vcard.On("ORD-1", vcard.UnknownAfter())
	w.Inbox.Answer(func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.Refused, Status: 500, Detail: "status 500: no account for doe@example.com"}
	})
	w.Pay(t, w.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	require.Equal(t, codes.Error, w.only(t, "connector vcard Perform").Status().Code)
	w.Advance(t, 10*time.Minute)
	require.Equal(t, codes.Error, w.named("callback sale")[0].Status().Code)
	require.Equal(t, "refused", w.named("callback sale")[0].Status().Description)
	require.NotEmpty(t, w.named("connector vcard Find"))
	moved := w.named("payment.moved")
	require.NotEmpty(t, moved, "what recovery finds out is a trace of its own")
	require.Contains(t, steps(moved[len(moved)-1]), "payment.moved")
}

// The wrapper keeps the powers of a connector, and a panic of it ends the span.
func TestConnectorKeepsItsPowers(t *testing.T) {
	t.Parallel()
	w := watch(t, memory.New())
	telemetry, err := otel.New(otel.Options{Tracer: w.tracers})
	require.NoError(t, err)
	require.NoError(t, methods.CheckPowers(telemetry.Connector("vcard", w.Vcard)))
	require.Panics(t, func() { telemetry.Connector("broken", broken{}).Perform(t.Context(), methods.Operation{}) })
	w.only(t, "connector broken Perform")
}

type broken struct{}

func (broken) Perform(context.Context, methods.Operation) methods.Answer { panic("broken") }

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

// The gauges of the table are exported, and while the store is away its absence.
func TestGauges(t *testing.T) {
	t.Parallel()
	s := &away{Store: memory.New()}
	w := watch(t, s)
	w.Pay(t, w.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	w.Clock.Set(w.Clock.Now().Add(time.Minute))
	require.Equal(t, 60.0, w.value(t, "tollgate.due.late", "work", "callback"))
	for _, m := range gauges.Metrics() {
		require.NotEmpty(t, w.values(t, "tollgate."+m.Name), m.Name)
	}
	s.gone.Store(true)
	require.Zero(t, w.value(t, "tollgate.store.readable"))
	require.Empty(t, w.values(t, "tollgate.due.running"))
}

// Mistakes of the host are told at once.
func TestMistakes(t *testing.T) {
	t.Parallel()
	_, err := otel.New(otel.Options{})
	require.EqualError(t, err, "otel: Options need a Meter, a Tracer or both")
	telemetry, err := otel.New(otel.Options{Tracer: trace.NewTracerProvider()})
	require.NoError(t, err)
	require.PanicsWithValue(t, "gateway: the Gateway is nil or zero: make one with gateway.New",
		func() { _, _ = telemetry.Gauges(nil) })
}
