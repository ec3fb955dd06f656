// Package storetest is the contract of store.Store as a test suite. A back end that passes it, under the race
// detector too, can serve a gateway:
//
//	func TestContract(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New() })
//	}
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Option tells the suite more about a back end.
type Option func(*suite)

// Reopen lets the suite check that data survives the store: f closes s and opens the same data again.
func Reopen(f func(t *testing.T, s store.Store) store.Store) Option {
	return func(s *suite) { s.reopen = f }
}

// suite is what the cases know about the back end.
type suite struct {
	open   func(t *testing.T) store.Store
	reopen func(t *testing.T, s store.Store) store.Store
}

// contract is one named promise and the test of it.
type contract struct {
	name string
	test func(t *testing.T, s store.Store)
}

// Run checks every promise of the contract, each on a fresh and empty store from open. Run closes what open
// returns, once or twice, so open has to clean up files only.
func Run(t *testing.T, open func(t *testing.T) store.Store, opts ...Option) {
	t.Helper()
	s := &suite{open: open}
	for _, opt := range opts {
		opt(s)
	}
	for _, cases := range [][]contract{atomicity(), isolation(), scans(), limits(), lifecycle(), frugal()} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				st := s.open(t)
				t.Cleanup(func() { require.NoError(t, st.Close()) })
				c.test(t, st)
			})
		}
	}
	t.Run("reopen keeps everything", func(t *testing.T) {
		t.Parallel()
		s.testReopen(t)
	})
}

// patience is how long anything may take that should happen at once, so that a deadlock fails instead of hanging.
const patience = 20 * time.Second

// background returns a context that ends a deadlock.
func background(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// put stores value under key in a transaction of its own.
func put(t *testing.T, s store.Store, key, value string) {
	t.Helper()
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		return tx.Put([]byte(key), []byte(value))
	}))
}

// get returns what a new View sees under key, or "absent".
func get(t *testing.T, s store.Store, key string) string {
	t.Helper()
	value := "absent"
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		value = read(t, r, key)
		return nil
	}))
	return value
}

// read returns the value under key, or "absent".
func read(t *testing.T, r store.Reader, key string) string {
	t.Helper()
	value, err := r.Get([]byte(key))
	if err != nil {
		require.ErrorIs(t, err, store.ErrNotFound)
		return "absent"
	}
	return string(value)
}

// keys returns the keys a scan yields.
func keys(t *testing.T, r store.Reader, rg store.Range) []string {
	t.Helper()
	found := []string{}
	for e := range r.Scan(rg) {
		require.NoError(t, e.Err)
		found = append(found, string(e.Key))
	}
	return found
}

// soon requires that done is closed at once.
func soon(t *testing.T, done <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		require.FailNow(t, "dead-lock", what)
	}
}
