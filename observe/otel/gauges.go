package otel

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/observe/gauges"
)

// patience is how long a collection waits for the store.
const patience = 5 * time.Second

// Gauges exports the state of a gateway, which is read at every collection. Unregister ends it. Several gateways in one
// process need a MeterProvider each, since the gauges have no label that tells them apart.
func (t *Telemetry) Gauges(gw *gateway.Gateway) (metric.Registration, error) {
	gw.Operator() // panics with a sentence for no gateway
	instruments, labels := map[string]metric.Float64ObservableGauge{}, map[string][]string{}
	var all []metric.Observable
	var faults []error
	for _, m := range gauges.Metrics() {
		gauge, err := t.meter.Float64ObservableGauge(name(m), metric.WithUnit(m.Unit), metric.WithDescription(m.Help))
		faults = append(faults, err)
		instruments[m.Name], labels[m.Name] = gauge, m.Labels
		all = append(all, gauge)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return t.meter.RegisterCallback(func(ctx context.Context, to metric.Observer) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		for _, s := range gauges.Read(ctx, gw) {
			to.ObserveFloat64(instruments[s.Metric], s.Value, metric.WithAttributeSet(set(labels[s.Metric], s.Labels)))
		}
		return nil
	}, all...)
}
