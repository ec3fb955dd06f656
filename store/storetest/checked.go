package storetest

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/tollgatepay/gateway/store"
)

// ErrNested: View, Update or Close was called from inside a running View or Update of the same store (Checked).
var ErrNested = errors.New("storetest: nested call of the store; " +
	"use the Reader or Tx that the function gets")

// Checked wraps s for the tests of a program that uses it. A View, Update or Close from inside the function of a
// running View or Update of the same store fails the test, with the stack of the call, and returns ErrNested at
// once. Without Checked a store may answer such a call or wait for ever. A call from another goroutine, for which
// the function waits, is not found.
//
// It costs a microsecond or two per transaction, so a benchmark measures the store without it. Functions get the
// Reader and the Tx of s as they are.
func Checked(tb testing.TB, s store.Store) store.Store {
	return &checked{tb: tb, store: s, running: map[*transaction]bool{}}
}

// checked implements store.Store.
type checked struct {
	tb      testing.TB
	store   store.Store
	mu      sync.Mutex
	running map[*transaction]bool
}

// transaction is a View or an Update and the call stack above it, the nearest caller first. A nested call has the
// same stack with more calls on top.
type transaction struct {
	name  string
	stack []uintptr
}

// Unwrap returns the store within (store.ClockOf).
func (c *checked) Unwrap() store.Store { return c.store }

// View implements store.Store.
func (c *checked) View(ctx context.Context, fn func(store.Reader) error) error {
	inner := transaction{"View", callers()}
	if c.isNested(inner) {
		return ErrNested
	}
	defer c.run(&inner)()
	return c.store.View(ctx, fn)
}

// Update implements store.Store.
func (c *checked) Update(ctx context.Context, fn func(store.Tx) error) error {
	inner := transaction{"Update", callers()}
	if c.isNested(inner) {
		return ErrNested
	}
	defer c.run(&inner)()
	return c.store.Update(ctx, fn)
}

// Close implements store.Store.
func (c *checked) Close() error {
	if c.isNested(transaction{"Close", callers()}) {
		return ErrNested
	}
	return c.store.Close()
}

// run registers a running transaction until the function that it returns is called.
func (c *checked) run(t *transaction) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[t] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, t)
	}
}

// isNested reports whether a call comes from inside a running transaction. If so it fails the test.
func (c *checked) isNested(inner transaction) bool {
	outer := c.around(inner)
	if outer == nil {
		return false
	}
	c.tb.Errorf("%s inside a running %s: %v\n%s", inner.name, outer.name, ErrNested, debug.Stack())
	return true
}

// around returns the running transaction that a call comes from, or nil.
func (c *checked) around(inner transaction) *transaction {
	c.mu.Lock()
	defer c.mu.Unlock()
	for outer := range c.running {
		upon := len(inner.stack) - len(outer.stack)
		if upon > 0 && slices.Equal(inner.stack[upon:], outer.stack) {
			return outer
		}
	}
	return nil
}

// callers returns the stack of calls that ends in a method of checked, without that method.
func callers() []uintptr {
	const skip = 3 // runtime.Callers, callers and the method
	for size := 64; ; size *= 2 {
		stack := make([]uintptr, size)
		if n := runtime.Callers(skip, stack); n < size {
			return stack[:n]
		}
	}
}
