package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// sharing is a store whose transactions plan above it and share turns, as those of memory and bolt.
type sharing interface {
	store.Store
	store.Sharer
}

var _ store.Sharer = (*timed)(nil) // else store.Optimistic would not go through Share

// timed measures how long functions run where they are alone. What the store itself does at a commit is not in it.
type timed struct {
	sharing
	inside atomic.Int64 // nanoseconds
}

// Update implements store.Store.
func (s *timed) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.sharing.Update(ctx, s.clocked(fn))
}

// Share implements store.Sharer: most transactions of a gateway come this way.
func (s *timed) Share(ctx context.Context, fn func(store.Tx) error) error {
	return s.sharing.Share(ctx, s.clocked(fn))
}

func (s *timed) clocked(fn func(store.Tx) error) func(store.Tx) error {
	return func(tx store.Tx) error {
		began := time.Now()
		defer func() { s.inside.Add(int64(time.Since(began))) }()
		return fn(tx)
	}
}

// exclusive measures the time of a sale that more cores do not shorten: the store's exclusive section.
func (b *bench) exclusive(ctx context.Context) error {
	file, err := bolt.Open(filepath.Join(b.folder, "exclusive.db"))
	if err != nil {
		return err
	}
	for _, at := range []struct {
		name string
		sharing
	}{{"memory", memory.New()}, {"bolt", file}} {
		if err := errors.Join(b.exclusiveOn(ctx, at.name, at.sharing), at.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) exclusiveOn(ctx context.Context, name string, inner sharing) (err error) {
	s := &timed{sharing: inner}
	gw, err := speed.Open(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gw.Close(ctx)) }()
	server := s2s.Handler(gw)
	sales := int64(0)
	for _, by := range []struct {
		what string
		sell func(n int64) error
	}{
		{"a sale", func(n int64) error { return sell(ctx, gw, n) }},
		{"an S2S sale", func(n int64) error { return sellOver(ctx, server, n) }},
	} {
		took, err := b.exclusiveTurns(s, &sales, by.sell)
		if err != nil {
			return err
		}
		speed.PrintMeasure(b.out, "time inside the exclusive section of "+by.what+", on "+name, "us", took)
	}
	return nil
}

// exclusiveTurns makes sales with one caller: others would take the processor away inside the section. The first turn
// warms up and does not count.
func (b *bench) exclusiveTurns(s *timed, sales *int64, sell func(n int64) error) (took speed.Spread, err error) {
	n := max(b.sales/4, 1) // each waits for the disk alone
	for range b.repeat + 1 {
		runtime.GC()
		before := s.inside.Load()
		for range n {
			*sales++
			if err := sell(*sales); err != nil {
				return nil, err
			}
		}
		took = append(took, float64(s.inside.Load()-before)/1e3/float64(n))
	}
	return took[1:], nil
}

// sellOver makes the n-th sale through S2S.
func sellOver(ctx context.Context, server http.Handler, n int64) error {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/post", bytes.NewReader(speed.SaleForm(n)))
	r.Header.Set("Content-Type", asForm)
	answer := httptest.NewRecorder()
	server.ServeHTTP(answer, r)
	if !bytes.Contains(answer.Body.Bytes(), []byte(`"SETTLED"`)) {
		return fmt.Errorf("S2S sale %d: %d %s", n, answer.Code, answer.Body)
	}
	return nil
}
