// Package gauges reads what a monitor shows of one gateway: whether it works, how late it is, and what waits for a
// person.
package gauges

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Most is the highest number that the gauges of doubts and breaches show.
const Most = 1000

// Metrics returns the gauges.
func Metrics() []observe.Metric {
	row := func(name, unit, help string, labels ...string) observe.Metric {
		return observe.Metric{Name: name, Kind: observe.Gauge, Unit: unit, Help: help, Labels: labels}
	}
	return []observe.Metric{
		row("store.readable", "", "1 when the store can be read, 0 otherwise; then the gauges below are missing"),
		row("due.running", "", "1 when this process does due work, 0 otherwise"),
		row("due.late", observe.Seconds, "how long ago the oldest work of a kind was due", "work"),
		row("doubts.waiting", "", "operations in doubt that a person has to decide about, up to 1000"),
		row("doubts.oldest", observe.Seconds, "age of the oldest of them, 0 for none"),
		row("breaches.waiting", "", "closed transactions that later evidence contradicts, up to 1000"),
	}
}

// Read reads the gauges. ctx bounds how long the store may take. When the store cannot be read there is one sample
// only, store.readable with 0.
func Read(ctx context.Context, gw *gateway.Gateway) []observe.Sample {
	operator, now := gw.Operator(), gw.Now()
	health, err := operator.Health(ctx)
	if err != nil {
		return unreadable()
	}
	doubts, err := operator.Doubts(ctx, Most)
	if err != nil {
		return unreadable()
	}
	breaches, err := operator.Breaches(ctx, Most)
	waiting := len(breaches)
	switch {
	case errors.Is(err, store.ErrNotFound), store.IsUnreadable(err):
		waiting = min(waiting+1, Most) // one that cannot be read waits too
	case err != nil:
		return unreadable()
	}
	list := []observe.Sample{
		gauge("store.readable", 1), gauge("due.running", flag(health.Running)),
		gauge("doubts.waiting", float64(len(doubts))), gauge("doubts.oldest", oldest(doubts, now)),
		gauge("breaches.waiting", float64(waiting)),
	}
	for work, due := range health.Due {
		list = append(list, gauge("due.late", max(0, now.Sub(due)).Seconds(), string(work)))
	}
	return list
}

func unreadable() []observe.Sample { return []observe.Sample{gauge("store.readable", 0)} }

func oldest(doubts []store.Transaction, now time.Time) (seconds float64) {
	for i := range doubts {
		seconds = max(seconds, now.Sub(doubts[i].CreatedAt).Seconds())
	}
	return seconds
}

func gauge(name string, value float64, labels ...string) observe.Sample {
	return observe.Sample{Metric: name, Value: value, Labels: labels}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
