// Package prometheus exports what a gateway does, and the state it is in, to Prometheus.
//
//	metrics := prometheus.New()
//	gw, err := gateway.New(gateway.Config{..., Observers: []observe.Observer{metrics}})
//	registry.MustRegister(metrics, prometheus.Gauges(gw))
//
// docs/events.md has the table of the metrics.
package prometheus

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/gauges"
)

// Metrics counts events. It is an observer of gateways and a collector of a registry.
type Metrics struct {
	counters   map[string]*prometheus.CounterVec
	histograms map[string]*prometheus.HistogramVec
}

var (
	_ observe.Observer     = (*Metrics)(nil)
	_ prometheus.Collector = (*Metrics)(nil)
)

// buckets go from the calls of an acquirer next door to callbacks that are delivered after three days, in seconds.
func buckets() []float64 {
	const minute, hour, day = 60, 3600, 86400
	return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, minute, 5 * minute, 30 * minute,
		3 * hour, 12 * hour, day, 3 * day}
}

// New returns metrics that have counted nothing.
func New() *Metrics {
	m := &Metrics{map[string]*prometheus.CounterVec{}, map[string]*prometheus.HistogramVec{}}
	for _, metric := range observe.Metrics() {
		switch metric.Kind {
		case observe.Counter:
			counter := prometheus.NewCounterVec(
				prometheus.CounterOpts{Name: Name(metric), Help: metric.Help}, metric.Labels)
			if len(metric.Labels) == 0 {
				counter.WithLabelValues() // it is 0 before the first event, so that its increase can be seen
			}
			m.counters[metric.Name] = counter
		case observe.Histogram:
			m.histograms[metric.Name] = prometheus.NewHistogramVec(
				prometheus.HistogramOpts{Name: Name(metric), Help: metric.Help, Buckets: buckets()}, metric.Labels)
		}
	}
	return m
}

// Name returns the name of a metric in Prometheus: with the prefix tollgate and the unit.
func Name(m observe.Metric) string {
	name := "tollgate_" + strings.ReplaceAll(m.Name, ".", "_")
	if m.Unit == observe.Seconds {
		name += "_seconds"
	}
	if m.Kind == observe.Counter {
		name += "_total"
	}
	return name
}

// Observe counts an event.
func (m *Metrics) Observe(_ context.Context, e observe.Event) {
	for _, s := range observe.SamplesOf(e) {
		if counter, ok := m.counters[s.Metric]; ok {
			counter.WithLabelValues(s.Labels...).Add(s.Value)
		} else if histogram, ok := m.histograms[s.Metric]; ok {
			histogram.WithLabelValues(s.Labels...).Observe(s.Value)
		}
	}
}

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	m.each(func(c prometheus.Collector) { c.Describe(to) })
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	m.each(func(c prometheus.Collector) { c.Collect(to) })
}

func (m *Metrics) each(do func(prometheus.Collector)) {
	for _, c := range m.counters {
		do(c)
	}
	for _, c := range m.histograms {
		do(c)
	}
}

// Gauges returns a collector of the state of a gateway, which is read at every scrape.
// prometheus.WrapRegistererWith tells the gauges of several gateways in one process apart.
func Gauges(gw *gateway.Gateway) prometheus.Collector {
	gw.Operator() // panics with a sentence for no gateway
	s := &state{gw: gw, described: map[string]*prometheus.Desc{}}
	for _, metric := range gauges.Metrics() {
		s.described[metric.Name] = prometheus.NewDesc(Name(metric), metric.Help, metric.Labels, nil)
	}
	return s
}

type state struct {
	gw        *gateway.Gateway
	described map[string]*prometheus.Desc
}

// patience is how long a scrape waits for the store.
const patience = 5 * time.Second

// Describe implements prometheus.Collector.
func (s *state) Describe(to chan<- *prometheus.Desc) {
	for _, d := range s.described {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (s *state) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, sample := range gauges.Read(ctx, s.gw) {
		to <- prometheus.MustNewConstMetric(s.described[sample.Metric], prometheus.GaugeValue, sample.Value,
			sample.Labels...)
	}
}
