package main

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// table is a store in one map: a transaction works on a copy of it, which a commit puts in its place.
type table struct {
	mu      sync.RWMutex
	entries map[string][]byte
}

func newTable() *table { return &table{entries: map[string][]byte{}} }

func (t *table) View(ctx context.Context, fn func(store.Reader) error) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(work(t.entries))
}

func (t *table) Update(ctx context.Context, fn func(store.Tx) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	entries := maps.Clone(t.entries)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := fn(work(entries)); err != nil {
		return err
	}
	t.entries = entries
	return nil
}

func (t *table) Close() error { return nil }

// work is the entries as one transaction sees them.
type work map[string][]byte

func (w work) Get(key []byte) ([]byte, error) {
	value, ok := w[string(key)]
	if !ok {
		return nil, store.ErrNotFound
	}
	return bytes.Clone(value), nil
}

func (w work) Scan(r store.Range) iter.Seq[store.Entry] {
	low, high := r.Bounds()
	return func(yield func(store.Entry) bool) {
		keys := slices.Sorted(maps.Keys(w))
		if r.Reverse {
			slices.Reverse(keys)
		}
		left := r.Limit
		for _, key := range keys {
			within := key >= string(low) && (high == nil || key < string(high))
			if !within {
				continue
			}
			if left--; left < 0 || !yield(store.Entry{Key: []byte(key), Value: bytes.Clone(w[key])}) {
				return
			}
		}
	}
}

func (w work) Put(key, value []byte) error {
	w[string(key)] = bytes.Clone(value)
	return nil
}

func (w work) Insert(key, value []byte) error {
	if _, taken := w[string(key)]; taken {
		return store.ErrExists
	}
	return w.Put(key, value)
}

func (w work) Delete(key []byte) error {
	delete(w, string(key))
	return nil
}
