package postgres_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
)

// watched is a context that knows who waits for its end.
type watched struct {
	context.Context //nolint:containedctx // it is one
	done            chan struct{}

	mu      sync.Mutex
	waiting []func()
}

func watchedContext() *watched {
	return &watched{Context: context.Background(), done: make(chan struct{})}
}

// Done implements context.Context.
func (w *watched) Done() <-chan struct{} { return w.done }

// Err implements context.Context.
func (w *watched) Err() error {
	select {
	case <-w.done:
		return context.Canceled
	default:
		return nil
	}
}

// AfterFunc is what context.AfterFunc calls.
func (w *watched) AfterFunc(f func()) (stop func() bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := len(w.waiting)
	w.waiting = append(w.waiting, f)
	return func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		was := w.waiting[i] != nil
		w.waiting[i] = nil
		return was
	}
}

// waits returns who waits.
func (w *watched) waits() []func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.waiting), func(f func()) bool { return f == nil })
}

// end ends the context, and has those go on who wait, on this goroutine.
func (w *watched) end() {
	close(w.done)
	waiting := w.waits()
	w.mu.Lock()
	clear(w.waiting)
	w.mu.Unlock()
	for _, f := range waiting {
		f()
	}
}

// TestAllGone: cancel is called when all contexts have ended, in any order. After stop it is not called, and nothing
// waits for the contexts.
func TestAllGone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ends     []int // -1 stops
		canceled bool
	}{
		"all, in order":                  {[]int{0, 1, 2}, true},
		"all, from the last on":          {[]int{2, 1, 0}, true},
		"all, and then stop":             {[]int{1, 0, 2, -1}, true},
		"but one, and stop":              {[]int{0, 2, -1}, false},
		"stop before the last has ended": {[]int{0, 1, -1, 2}, false},
		"stop at once":                   {[]int{-1, 0, 1, 2}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				contexts, ctx := gone(t, 3)
				for _, end := range c.ends {
					if end < 0 {
						contexts.stop()
						require.Zero(t, contexts.waits())
						continue
					}
					contexts.all[end].end()
					synctest.Wait()
				}
				require.Equal(t, c.canceled, ctx.Err() != nil)
				contexts.stop()
			})
		})
	}
}

// TestAllGoneTooLate: who goes on because a context has ended, and comes after stop, waits for no other.
func TestAllGoneTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range 100 {
			contexts, ctx := gone(t, 2)
			contexts.all[0].end()
			contexts.stop()
			synctest.Wait()
			require.Zero(t, contexts.waits())
			require.NoError(t, ctx.Err())
		}
	})
}

// contexts are those of a group.
type contexts struct {
	all  []*watched
	stop func()
}

// gone returns so many, and a context that is canceled when they have ended.
func gone(t *testing.T, n int) (*contexts, context.Context) {
	t.Helper()
	c, list := &contexts{}, []context.Context{}
	for range n {
		c.all = append(c.all, watchedContext())
		list = append(list, c.all[len(c.all)-1])
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	c.stop = postgres.AllGone(list, cancel)
	return c, ctx
}

// waits returns how many wait for any of them.
func (c *contexts) waits() (n int) {
	for _, one := range c.all {
		n += len(one.waits())
	}
	return n
}
