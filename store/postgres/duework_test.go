package postgres_test

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store/postgres"
)

// dueAtOnce is how much falls due together.
const dueAtOnce = 1000

// dueWork measures how fast one instance and two do what has fallen due together, divided among some merchants, and how
// often the two meet: payments of schedules, and questions about payments whose outcome the acquirer did not tell.
func (m *meter) dueWork() {
	m.Helper()
	d := &dueWork{meter: &meter{B: m.B, server: m.server}}
	d.open()
	d.measure("payments of schedules", func(int64) error { return nil }, 32*24*time.Hour, &d.performed)
	d.doubts.Store(true)
	d.measure("questions about unknown outcomes", func(n int64) error {
		return speed.Sell(m.Context(), d.either(n), n)
	}, time.Hour, &d.found)
}

// dueWork has instances in a schema of their own. It is their acquirer too, and counts what it is asked.
type dueWork struct {
	*meter
	kerneltest.InstantConnector
	ahead            atomic.Int64 // how far the instances' clock is ahead
	doubts           atomic.Bool
	performed, found atomic.Int64
	numbers          atomic.Int64
}

// Perform implements methods.Connector.
func (d *dueWork) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	d.performed.Add(1)
	if d.doubts.Load() {
		return methods.Unknown(op, "the line went dead")
	}
	return d.InstantConnector.Perform(ctx, op)
}

// Find implements methods.Finder.
func (d *dueWork) Find(ctx context.Context, op methods.Operation) methods.Answer {
	d.found.Add(1)
	return d.InstantConnector.Perform(ctx, op)
}

// open opens the instances, and begins a chain for each payment.
func (d *dueWork) open() {
	keys := gatewaytest.NewKeys()
	for i, gw := range []**gateway.Gateway{&d.one, &d.two} {
		s, err := postgres.Open(d.Context(), postgres.Config{URL: d.server.URL(), Connections: 16, Schema: "due"})
		require.NoError(d, err)
		d.Cleanup(func() { require.NoError(d, s.Close()) })
		d.stores[i] = &counted{Store: s}
		*gw, err = speed.Start(d.stores[i], func(c *gateway.Config) {
			c.Keys, c.Notifier = keys, told{c.Notifier, &d.told}
			c.Connectors = map[string]methods.Connector{"vcard": d}
			c.Now = func() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }
		})
		require.NoError(d, err)
	}
	require.NoError(d, speed.AddShops(d.Context(), d.one))
	d.each(func(n int64) error { return speed.Subscribe(d.Context(), d.either(n), n) })
	d.drain()
}

func (d *dueWork) either(n int64) *gateway.Gateway { return []*gateway.Gateway{d.one, d.two}[n%2] }

// each calls do with a number of its own for each that will be due.
func (d *dueWork) each(do func(n int64) error) {
	d.times(dueAtOnce, func() error { return do(d.numbers.Add(1)) })
}

// drain does all that is due.
func (d *dueWork) drain() {
	for done := 1; done > 0; {
		var err error
		done, _, err = d.one.Tick(d.Context(), 1000)
		require.NoError(d, err)
	}
}

// await returns when a count is reached.
func (m *meter) await(count *atomic.Int64, enough int64) {
	m.Helper()
	for begun := time.Now(); count.Load() < enough; time.Sleep(time.Millisecond) {
		if m.Failed() || time.Since(begun) > 5*time.Minute {
			m.Fatalf("%d of %d", count.Load(), enough)
		}
	}
}

// measure measures what is due when the clock has gone on, after begin has begun it.
func (d *dueWork) measure(what string, begin func(n int64) error, later time.Duration, done *atomic.Int64) {
	d.Helper()
	var met conflicts
	does := func(gateways ...*gateway.Gateway) float64 {
		d.each(begin)
		d.drain()
		d.ahead.Add(int64(later))
		before, enough := d.tally(), done.Load()+dueAtOnce
		begun, stop := time.Now(), d.run(gateways...)
		d.await(done, enough)
		took := time.Since(begun)
		d.await(&d.told, before.callbacks+dueAtOnce)
		stop()
		if len(gateways) > 1 {
			met.add(before, d.tally())
		}
		d.drain()
		return dueAtOnce / took.Seconds()
	}
	d.turns(what+" that two instances work off, of one",
		func() float64 { return does(d.one, d.two) }, func() float64 { return does(d.one) })
	speed.PrintMeasure(os.Stdout, "conflicts of 1,000 "+what+" and their callbacks, two instances that work them off",
		"conflicts", met.work)
}
