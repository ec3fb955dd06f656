package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// callers is how many make requests in process at a time.
const callers = 64

// together makes n calls, so many at a time, and returns how long all took and each.
func together(n int, call func(i int64) error) (took time.Duration, each []time.Duration, err error) {
	var next atomic.Int64
	var running sync.WaitGroup
	times, faults := make([][]time.Duration, callers), make([]error, callers)
	began := time.Now()
	for c := range callers {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(n) && faults[c] == nil; i = next.Add(1) - 1 {
				start := time.Now()
				faults[c] = call(i)
				times[c] = append(times[c], time.Since(start))
			}
		})
	}
	running.Wait()
	return time.Since(began), slices.Concat(times...), errors.Join(faults...)
}

// sell makes the n-th sale.
func sell(ctx context.Context, gw *gateway.Gateway, n int64) error {
	r, err := gw.Merchant(gatewaytest.MerchantKey).Charge(ctx, kerneltest.SaleRequest(n))
	if err == nil && r.Payment.Status != store.Settled {
		err = fmt.Errorf("sale %d is %s", n, r.Payment.Status)
	}
	return err
}

// durable measures sales on bolt beside raw bbolt, which makes two grouped commits of one record each.
func (b *bench) durable(ctx context.Context) (err error) {
	s, err := bolt.Open(filepath.Join(b.folder, "durable.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	raw, err := speed.OpenRaw(filepath.Join(b.folder, "raw.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	gw, err := speed.Open(ctx, s)
	if err != nil {
		return err
	}
	return errors.Join(b.durableTurns(ctx, gw, s, raw), gw.Close(ctx))
}

func (b *bench) durableTurns(ctx context.Context, gw *gateway.Gateway, s *bolt.Store, raw *speed.Raw) error {
	var ours, reference, flushes, p50, tail, rawTail speed.Spread
	n := float64(b.sales)
	for turn := range int64(b.repeat) {
		from := turn * int64(b.sales)
		before := s.Flushes()
		runtime.GC()
		took, each, err := together(b.sales, func(i int64) error { return sell(ctx, gw, from+i) })
		if err != nil {
			return err
		}
		flushes = append(flushes, float64(s.Flushes()-before)/n)
		middle := speed.Quantile(each, 0.5)
		ours, p50 = append(ours, n/took.Seconds()), append(p50, middle)
		tail = append(tail, speed.Quantile(each, 0.99)/middle)
		runtime.GC()
		took, each, err = together(b.sales, func(i int64) error {
			return errors.Join(raw.Commit(record(2*(from+i))), raw.Commit(record(2*(from+i)+1)))
		})
		if err != nil {
			return err
		}
		reference = append(reference, n/took.Seconds())
		rawTail = append(rawTail, speed.Quantile(each, 0.99)/speed.Quantile(each, 0.5))
	}
	speed.PrintRatio(b.out, "durable sale in process with 64 callers, of raw bbolt", ours, reference)
	speed.PrintMeasure(b.out, "flushes of a durable sale with 64 callers", "flushes", flushes)
	speed.PrintMeasure(b.out, "p50 of a durable sale with 64 callers", "us", p50)
	speed.PrintMeasure(b.out, "p99 of a durable sale with 64 callers, of its p50", "times", tail)
	speed.PrintMeasure(b.out, "p99 of two commits of raw bbolt with 64 callers, of their p50", "times", rawTail)
	return nil
}

// record is the commit of the n-th record: 1 KiB under an ascending key.
func record(n int64) []speed.Write {
	return []speed.Write{{Key: binary.BigEndian.AppendUint64(nil, uint64(n)), Value: make([]byte, 1<<10)}}
}
