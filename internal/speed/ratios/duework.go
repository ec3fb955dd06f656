package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// clock is the time that a gateway sees: the real one, moved ahead.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *clock) advance(d time.Duration) { c.ahead.Add(int64(d)) }

func (c *clock) set(cfg *gateway.Config) { cfg.Now = c.now }

// idleTicks measures Tick where nothing is due.
func (b *bench) idleTicks(ctx context.Context) error {
	file, err := bolt.Open(filepath.Join(b.folder, "idle.db"))
	if err != nil {
		return err
	}
	for _, at := range []struct {
		name string
		store.Store
	}{{"memory", memory.New()}, {"bolt", file}} {
		took, err := b.idleTicksOn(ctx, at.Store)
		if err = errors.Join(err, at.Close()); err != nil {
			return err
		}
		speed.PrintMeasure(b.out, "idle Tick on "+at.name, "us", took)
	}
	return nil
}

func (b *bench) idleTicksOn(ctx context.Context, s store.Store) (took speed.Spread, err error) {
	gw, err := speed.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, gw.Close(ctx)) }()
	if err := drain(ctx, gw); err != nil {
		return nil, err
	}
	const ticks = 1000
	for range b.repeat {
		began := time.Now()
		for range ticks {
			if _, _, err := gw.Tick(ctx, 1); err != nil {
				return nil, err
			}
		}
		took = append(took, speed.Micros(time.Since(began))/ticks)
	}
	return took, nil
}

// drain does everything that is due.
func drain(ctx context.Context, gw *gateway.Gateway) error {
	for {
		done, _, err := gw.Tick(ctx, 1000)
		if err != nil || done == 0 {
			return err
		}
	}
}

// purge measures each step of a purge of expired sessions, on memory.
func (b *bench) purge(ctx context.Context) (err error) {
	var moved clock
	gw, err := speed.Open(ctx, memory.New(), moved.set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gw.Close(ctx)) }()
	if _, _, err := together(b.sessions, func(i int64) error {
		_, err := gw.Merchant(gatewaytest.MerchantKey).CreateSession(ctx,
			gatewaytest.Request(fmt.Sprintf("ORD-%d", i), "10.00"))
		return err
	}); err != nil {
		return err
	}
	if err := drain(ctx, gw); err != nil {
		return err
	}
	moved.advance(gateway.DefaultSessions + 30*24*time.Hour)
	var steps []time.Duration
	for done := 1; done > 0; {
		began := time.Now()
		if done, _, err = gw.Tick(ctx, 1); err != nil {
			return err
		}
		steps = append(steps, time.Since(began))
	}
	speed.PrintOnce(b.out, "worst step of a purge of expired sessions, on memory", "ms", speed.Quantile(steps, 1)/1e3)
	speed.PrintOnce(b.out, "middle step of that purge", "ms", speed.Quantile(steps, 0.5)/1e3)
	return nil
}

// counting counts scheduled payments that are stored as paid, and is the merchant's server, which counts callbacks.
type counting struct{ paid, delivered atomic.Int64 }

// Observe implements observe.Observer: an event is told after its change is stored.
func (c *counting) Observe(_ context.Context, e observe.Event) {
	if _, ok := e.(observe.SchedulePaid); ok {
		c.paid.Add(1)
	}
}

// Deliver implements callback.Notifier.
func (c *counting) Deliver(context.Context, callback.Delivery) callback.Receipt {
	c.delivered.Add(1)
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// dueSchedules measures how long the gateway takes for schedules that are all due in one minute, on bolt.
func (b *bench) dueSchedules(ctx context.Context) (err error) {
	s, err := bolt.Open(filepath.Join(b.folder, "schedules.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var moved clock
	var got counting
	gw, err := speed.Open(ctx, s, moved.set, func(cfg *gateway.Config) {
		cfg.Observers, cfg.Notifier = []observe.Observer{&got}, &got
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gw.Close(ctx)) }()
	if err := b.subscribe(ctx, gw); err != nil {
		return err
	}
	if err := drain(ctx, gw); err != nil {
		return err
	}
	moved.advance(32 * 24 * time.Hour)
	before := s.Flushes()
	paid, told, err := b.timeDue(ctx, gw, &got)
	speed.PrintOnce(b.out, "all schedules that are due in one minute on bolt, until all are stored as paid", "seconds",
		paid.Seconds())
	speed.PrintOnce(b.out, "the same, until all callbacks are delivered", "seconds", told.Seconds())
	speed.PrintOnce(b.out, "flushes of a scheduled payment and its callback", "flushes",
		float64(s.Flushes()-before)/float64(b.schedules))
	return err
}

// subscribe begins the chains, each on a schedule of its own.
func (b *bench) subscribe(ctx context.Context, gw *gateway.Gateway) error {
	if err := speed.AddShops(ctx, gw); err != nil {
		return err
	}
	_, _, err := together(b.schedules, func(i int64) error { return speed.Subscribe(ctx, gw, i) })
	return err
}

// timeDue runs the gateway until every chain is stored as paid once more and its callback is delivered, and returns how
// long each took.
func (b *bench) timeDue(ctx context.Context, gw *gateway.Gateway, got *counting) (paid, told time.Duration, err error) {
	enough, delivered := got.paid.Load()+int64(b.schedules), got.delivered.Load()+int64(b.schedules)
	running, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	began := time.Now()
	go func() {
		defer close(ended)
		_ = gw.Run(running) // returns why it was stopped
	}()
	await(ctx, &got.paid, enough)
	paid = time.Since(began)
	await(ctx, &got.delivered, delivered)
	told = time.Since(began)
	stop()
	<-ended
	return paid, told, ctx.Err()
}

// await returns when a count is reached.
func await(ctx context.Context, count *atomic.Int64, enough int64) {
	for ctx.Err() == nil && count.Load() < enough {
		time.Sleep(time.Millisecond)
	}
}
