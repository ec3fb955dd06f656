// Package otel exports what a gateway does, and the state it is in, to OpenTelemetry: metrics, and traces of requests,
// calls of connectors and deliveries of callbacks, with the steps of a payment in them.
//
//	telemetry, err := otel.New(otel.Options{Meter: meters, Tracer: tracers})
//	gw, err := gateway.New(gateway.Config{
//		Connectors: map[string]methods.Connector{"bank": telemetry.Connector("bank", bank)},
//		Notifier:   telemetry.Notifier(&callback.HTTPNotifier{}),
//		Observers:  []observe.Observer{telemetry},
//	})
//	_, err = telemetry.Gauges(gw)
//
// and Middleware among those of gatewayhttp.Options. docs/events.md has the tables of metrics, and of the events that
// are steps of a trace. Nothing that is exported has card data, a secret, or data of the payer: of a request the route
// is named, since its path holds the payer's secret.
package otel

import (
	"context"
	"errors"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/tollgatepay/gateway/observe"
)

// scope names this module to the providers.
const scope = "github.com/tollgatepay/gateway/observe/otel"

// Options are the providers. At least one is required; without the other there are no metrics, or no traces.
type Options struct {
	Meter  metric.MeterProvider
	Tracer trace.TracerProvider
}

// Telemetry exports what it observes.
type Telemetry struct {
	meter   metric.Meter
	tracer  trace.Tracer
	add     map[string]recording
	labels  map[string][]string
	latency metric.Float64Histogram // of requests
}

var _ observe.Observer = (*Telemetry)(nil)

// recording adds a value to an instrument.
type recording func(context.Context, float64, attribute.Set)

// New returns telemetry that exports to the providers. It returns an error without any provider, and for an instrument
// that a provider refuses.
func New(opts Options) (*Telemetry, error) {
	if opts.Meter == nil && opts.Tracer == nil {
		return nil, errors.New("otel: Options need a Meter, a Tracer or both")
	}
	if opts.Meter == nil {
		opts.Meter = noopmetric.NewMeterProvider()
	}
	if opts.Tracer == nil {
		opts.Tracer = nooptrace.NewTracerProvider()
	}
	t := &Telemetry{meter: opts.Meter.Meter(scope), tracer: opts.Tracer.Tracer(scope),
		add: map[string]recording{}, labels: map[string][]string{}}
	return t, t.instruments()
}

func (t *Telemetry) instruments() (err error) {
	t.latency, err = t.meter.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithDescription("requests to the platform"))
	faults := []error{err}
	for _, m := range observe.Metrics() {
		t.labels[m.Name] = m.Labels
		switch m.Kind {
		case observe.Counter:
			counter, err := t.meter.Float64Counter(name(m), metric.WithUnit(m.Unit), metric.WithDescription(m.Help))
			faults = append(faults, err)
			t.add[m.Name] = func(ctx context.Context, value float64, set attribute.Set) {
				counter.Add(ctx, value, metric.WithAttributeSet(set))
			}
		case observe.Histogram:
			histogram, err := t.meter.Float64Histogram(name(m), metric.WithUnit(m.Unit), metric.WithDescription(m.Help),
				metric.WithExplicitBucketBoundaries(buckets()...))
			faults = append(faults, err)
			t.add[m.Name] = func(ctx context.Context, value float64, set attribute.Set) {
				histogram.Record(ctx, value, metric.WithAttributeSet(set))
			}
		}
	}
	return errors.Join(faults...)
}

func name(m observe.Metric) string { return "tollgate." + m.Name }

// buckets go from the calls of an acquirer next door to callbacks that are delivered after three days, in seconds.
func buckets() []float64 {
	const minute, hour, day = 60, 3600, 86400
	return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, minute, 5 * minute, 30 * minute,
		3 * hour, 12 * hour, day, 3 * day}
}

// Observe counts an event, and adds it as a step to the trace of its request or call. A step of a payment outside of a
// trace, like what recovery finds out, is a trace of its own.
func (t *Telemetry) Observe(ctx context.Context, e observe.Event) {
	for _, s := range observe.SamplesOf(e) {
		t.add[s.Metric](ctx, s.Value, set(t.labels[s.Metric], s.Labels))
	}
	line := observe.LineOf(e)
	span := trace.SpanFromContext(ctx)
	if !span.SpanContext().IsValid() && isStep(e) {
		_, span = t.tracer.Start(ctx, line.Name)
		defer span.End()
	}
	if span.IsRecording() {
		span.AddEvent(line.Name, trace.WithAttributes(attributes(line.Filled())...))
	}
}

// isStep reports an event of a payment's course. Calls and deliveries have spans of their own.
func isStep(e observe.Event) bool {
	switch e.(type) {
	case observe.PaymentMoved, observe.DoubtOpened, observe.DoubtResolved, observe.ReviewNeeded, observe.SchedulePaid,
		observe.ScheduleFailed:
		return true
	default:
		return false
	}
}

func set(keys, values []string) attribute.Set {
	list := make([]attribute.KeyValue, len(keys))
	for i, key := range keys {
		list[i] = attribute.String(key, values[i])
	}
	return attribute.NewSet(list...)
}

func attributes(attrs []slog.Attr) []attribute.KeyValue {
	list := make([]attribute.KeyValue, 0, len(attrs))
	for _, a := range attrs {
		list = append(list, attributeOf("tollgate."+a.Key, a.Value))
	}
	return list
}

func attributeOf(key string, v slog.Value) attribute.KeyValue {
	switch value := v.Any().(type) {
	case bool:
		return attribute.Bool(key, value)
	case int64:
		return attribute.Int64(key, value)
	case float64:
		return attribute.Float64(key, value)
	default:
		return attribute.String(key, v.String())
	}
}
