package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// recorder is a testing.TB that remembers what failed it.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	faults []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// careless is a store that answers any call at once, so that a nested call that is not found does not hang the
// test.
type careless struct{}

func (careless) View(_ context.Context, fn func(store.Reader) error) error { return fn(nil) }

func (careless) Update(_ context.Context, fn func(store.Tx) error) error { return fn(nil) }

func (careless) Close() error { return nil }

// calls returns the three ways to call a store.
func calls(ctx context.Context, s store.Store) map[string]func() error {
	return map[string]func() error{
		"View":   func() error { return s.View(ctx, func(store.Reader) error { return nil }) },
		"Update": func() error { return s.Update(ctx, func(store.Tx) error { return nil }) },
		"Close":  func() error { return s.Close() },
	}
}

// within returns the ways to be in a transaction; each runs f in one.
func within(ctx context.Context, s store.Store) map[string]func(f func() error) error {
	return map[string]func(f func() error) error{
		"View":   func(f func() error) error { return s.View(ctx, func(store.Reader) error { return f() }) },
		"Update": func(f func() error) error { return s.Update(ctx, func(store.Tx) error { return f() }) },
	}
}

// TestCheckedFindsNesting: each call inside each transaction is found at once. The outer transaction ends as it
// does after any error.
func TestCheckedFindsNesting(t *testing.T) {
	t.Parallel()
	for outer := range within(t.Context(), nil) {
		for inner := range calls(t.Context(), nil) {
			t.Run(inner+" in "+outer, func(t *testing.T) {
				t.Parallel()
				r := &recorder{TB: t}
				s := storetest.Checked(r, careless{})
				err := within(t.Context(), s)[outer](func() error {
					for range 2 {
						require.ErrorIs(t, calls(t.Context(), s)[inner](), storetest.ErrNested)
					}
					return nil
				})
				require.NoError(t, err, "the outer transaction is not affected")
				require.Len(t, r.faults, 2)
				require.Contains(t, r.faults[0], inner+" inside a running "+outer)
				require.Contains(t, r.faults[0], "checked_test.go", "the stack names the place")
				require.NoError(t, calls(t.Context(), s)[inner](), "after the transaction")
				require.Len(t, r.faults, 2)
			})
		}
	}
}

// TestCheckedFindsHiddenNesting: calls by the typed access of package store are found too.
func TestCheckedFindsHiddenNesting(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	s := storetest.Checked(r, careless{})
	err := store.Optimistic(t.Context(), s, func(store.Tx) error {
		return store.Optimistic(t.Context(), s, func(tx store.Tx) error { return tx.Put([]byte("k"), []byte("v")) })
	})
	require.ErrorIs(t, err, storetest.ErrNested)
	require.Len(t, r.faults, 1)
}

// TestCheckedSeesDeepCalls: a nested call is found however many calls lie between.
func TestCheckedSeesDeepCalls(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	s := storetest.Checked(r, careless{})
	deep(300, func() {
		_ = s.Update(t.Context(), func(store.Tx) error {
			deep(300, func() { require.ErrorIs(t, s.Close(), storetest.ErrNested) })
			return nil
		})
	})
	require.Len(t, r.faults, 1)
}

// deep calls f under that many calls.
func deep(calls int, f func()) {
	if calls == 0 {
		f()
		return
	}
	deep(calls-1, f)
}

// TestCheckedLetsOthersPass: calls that only look nested are allowed.
func TestCheckedLetsOthersPass(t *testing.T) {
	t.Parallel()
	own := errors.New("the function's own error")
	for _, row := range []struct {
		name string
		do   func(t *testing.T, s store.Store)
	}{
		{"another store inside", func(t *testing.T, s store.Store) {
			other := storetest.Checked(t, memory.New())
			require.NoError(t, s.Update(t.Context(), func(store.Tx) error { return calls(t.Context(), other)["Update"]() }))
		}},
		{"another goroutine meanwhile", func(t *testing.T, s store.Store) {
			require.NoError(t, s.Update(t.Context(), func(store.Tx) error {
				answer := make(chan error)
				go func() { answer <- calls(t.Context(), s)["View"]() }()
				return <-answer
			}))
		}},
		{"many at once", func(t *testing.T, s store.Store) {
			var group sync.WaitGroup
			for range 100 {
				group.Go(func() {
					for _, call := range []string{"View", "Update"} {
						if err := calls(context.Background(), s)[call](); err != nil {
							t.Error(err)
						}
					}
				})
			}
			group.Wait()
		}},
		{"one path of calls on many goroutines", func(t *testing.T, s store.Store) {
			var group, inside sync.WaitGroup
			inside.Add(20)
			for range 20 {
				group.Go(func() {
					err := s.View(context.Background(), func(store.Reader) error {
						inside.Done()
						inside.Wait() // until all are inside
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
		}},
		{"a checked store in a checked store", func(t *testing.T, s store.Store) {
			require.NoError(t, calls(t.Context(), storetest.Checked(t, s))["Update"]())
		}},
		{"after an error", func(t *testing.T, s store.Store) {
			require.ErrorIs(t, s.View(t.Context(), func(store.Reader) error { return own }), own)
		}},
		{"after a panic", func(t *testing.T, s store.Store) {
			require.PanicsWithValue(t, own, func() { _ = s.Update(t.Context(), func(store.Tx) error { panic(own) }) })
		}},
		{"after a goroutine ended inside", func(_ *testing.T, s store.Store) {
			var group sync.WaitGroup
			group.Go(func() {
				_ = s.Update(context.Background(), func(store.Tx) error { runtime.Goexit(); return nil })
			})
			group.Wait()
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			s := storetest.Checked(r, memory.New())
			row.do(t, s)
			for _, call := range []string{"Update", "View", "Close"} {
				require.NoError(t, calls(t.Context(), s)[call]())
			}
			require.Empty(t, r.faults)
		})
	}
}

// TestCheckedIsAStore: the wrapper keeps the contract of the store.
func TestCheckedIsAStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store { return storetest.Checked(t, memory.New()) })
}
