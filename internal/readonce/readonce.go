// Package readonce keeps what one request has read, so that the request reads it once and sees one snapshot of it.
// Where the store keeps that (store.Presumer), it runs the request there.
package readonce

import (
	"context"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// found is what one request has found, by key.
type found struct {
	mu     sync.Mutex
	values map[any]any
}

type requestKey struct{}

// Begin returns the context of one request: what Get finds under it is the request's snapshot, also for calls that go
// on after the caller has hung up. A context that is one of a request already is returned as it is.
func Begin(ctx context.Context) context.Context {
	if of(ctx) != nil {
		return ctx
	}
	return context.WithValue(ctx, requestKey{}, &found{values: map[any]any{}})
}

// Get returns the value of a key as the request has found it, else as read finds it now. Errors are not kept. Under a
// context that is not one of a request nothing is kept, so due work reads each merchant anew.
func Get[V any](ctx context.Context, key any, read func() (V, error)) (V, error) {
	f := of(ctx)
	if f == nil {
		return read()
	}
	if v, ok := f.get(key); ok {
		return v.(V), nil
	}
	v, err := read()
	if err == nil {
		f.put(key, v)
	}
	return v, err
}

func of(ctx context.Context) *found {
	f, _ := ctx.Value(requestKey{}).(*found)
	return f
}

func (f *found) get(key any) (any, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := f.values[key]
	return v, ok
}

func (f *found) put(key, value any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.values[key] = value
}

// presuming marks the context of a request that presumes.
type presuming struct{}

// Presumer returns the store if a request that begins under this context may presume there, else nil. What a request
// has kept here would outlast its first run, and a request within another one is a part of it.
func Presumer(ctx context.Context, s store.Store) store.Presumer {
	p, remembers := s.(store.Presumer)
	if !remembers || of(ctx) != nil || ctx.Value(presuming{}) != nil {
		return nil
	}
	return p
}

// Presume runs a request on a store that remembers. It may run twice.
func Presume[R, T any](ctx context.Context, s store.Presumer, from R,
	do func(context.Context, R) (T, error)) (answer T, err error) {
	err = s.Presume(context.WithValue(ctx, presuming{}, true), func(ctx context.Context) error {
		var own error
		answer, own = do(ctx, from)
		return own
	})
	return answer, err
}

// Do runs a request, which may run twice on a store that remembers.
func Do[R, T any](ctx context.Context, s store.Store, from R, do func(context.Context, R) (T, error)) (T, error) {
	if p := Presumer(ctx, s); p != nil {
		return Presume(ctx, p, from, do)
	}
	return do(ctx, from)
}
