package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func lifecycle() []contract {
	return []contract{
		{"a cancelled context runs nothing", testCancelledBefore},
		{"a context cancelled while waiting gives up", testCancelledWaiting},
		{"a context cancelled inside rolls back", testCancelledInside},
		{"a reader or tx kept for later is refused", testKeptHandles},
		{"a scan kept for later is refused", testKeptScans},
		{"after Close everything is refused", testClosed},
		{"Close waits for running transactions", testCloseWaits},
	}
}

func testCancelledBefore(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Update(ctx, func(store.Tx) error {
		t.Error("ran")
		return nil
	}), context.Canceled)
	require.ErrorIs(t, s.View(ctx, func(store.Reader) error {
		t.Error("ran")
		return nil
	}), context.Canceled)
}

// testCancelledWaiting keeps the store busy while others wait for their turn and are cancelled. Where writers run
// side by side one may run before that, so only the outcome is checked.
func testCancelledWaiting(t *testing.T, s store.Store) {
	inside, release, first := make(chan struct{}), make(chan struct{}), make(chan struct{})
	letGo := sync.OnceFunc(func() { close(release) })
	t.Cleanup(letGo)                                 // before the store is closed, which waits for the first update
	enter := sync.OnceFunc(func() { close(inside) }) // a function may run again
	go func() {
		defer close(first)
		put := func(tx store.Tx) error {
			enter()
			<-release
			return tx.Put([]byte("first"), []byte("v"))
		}
		if err := s.Update(background(t), put); err != nil {
			t.Error(err)
		}
	}()
	soon(t, inside, "the first update")
	ctx, cancel := context.WithCancel(t.Context())
	others := make(chan error, many)
	for i := range many {
		go func() {
			others <- s.Update(ctx, func(tx store.Tx) error {
				<-ctx.Done() // a function that runs nevertheless is cancelled inside
				return tx.Put(fmt.Appendf(nil, "other%d", i), []byte("v"))
			})
		}()
	}
	cancel()
	for range many {
		require.ErrorIs(t, <-others, context.Canceled)
	}
	letGo()
	soon(t, first, "the first update")
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		require.Equal(t, []string{"first"}, keys(t, r, store.Range{Limit: 9}))
		return nil
	}))
}

func testCancelledInside(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, s.Update(ctx, func(tx store.Tx) error {
		cancel()
		return tx.Put([]byte("k"), []byte("v"))
	}), context.Canceled)
	require.Equal(t, "absent", get(t, s, "k"))
}

func testKeptHandles(t *testing.T, s store.Store) {
	put(t, s, "k", "v")
	var reader store.Reader
	var tx store.Tx
	require.NoError(t, s.View(background(t), func(r store.Reader) error { reader = r; return nil }))
	require.NoError(t, s.Update(background(t), func(w store.Tx) error { tx = w; return nil }))
	for _, r := range []store.Reader{reader, tx} {
		_, err := r.Get([]byte("k"))
		require.ErrorIs(t, err, store.ErrDone)
		for _, limit := range []int{9, 0} {
			var seen []store.Entry
			for e := range r.Scan(store.Range{Limit: limit}) {
				seen = append(seen, e)
			}
			require.Len(t, seen, 1)
			require.ErrorIs(t, seen[0].Err, store.ErrDone)
		}
	}
	require.ErrorIs(t, tx.Put([]byte("k"), []byte("w")), store.ErrDone)
	require.ErrorIs(t, tx.Insert([]byte("l"), []byte("w")), store.ErrDone)
	require.ErrorIs(t, tx.Delete([]byte("k")), store.ErrDone)
	require.Equal(t, "v", get(t, s, "k"))
}

// testKeptScans: a scan that a function has begun and left open, as iter.Pull can, ends with ErrDone once the function
// has returned.
func testKeptScans(t *testing.T, s store.Store) {
	const entries = 40 // more than a store may read ahead
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		for i := range entries {
			if err := tx.Put(fmt.Appendf(nil, "k%02d", i), []byte("v")); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, reverse := range []bool{false, true} {
		for name, door := range map[string]func(func(store.Reader) error) error{
			"View": func(fn func(store.Reader) error) error { return s.View(background(t), fn) },
			"Update": func(fn func(store.Reader) error) error {
				return s.Update(background(t), func(tx store.Tx) error { return fn(tx) })
			},
			"Optimistic": func(fn func(store.Reader) error) error {
				return store.Optimistic(background(t), s, func(tx store.Tx) error { return fn(tx) })
			},
			"Update after a write": func(fn func(store.Reader) error) error {
				return s.Update(background(t), func(tx store.Tx) error {
					return errors.Join(tx.Put([]byte("k00a"), []byte("w")), fn(tx))
				})
			},
		} {
			var next func() (store.Entry, bool)
			stop := func() {}
			require.NoError(t, door(func(r store.Reader) error {
				stop() // of an earlier run
				next, stop = iter.Pull(r.Scan(store.Range{Prefix: []byte("k"), Limit: entries, Reverse: reverse}))
				entry, ok := next()
				require.True(t, ok, name)
				return entry.Err
			}))
			entry, ok := next()
			require.True(t, ok, name)
			require.ErrorIs(t, entry.Err, store.ErrDone, name)
			_, ok = next()
			require.False(t, ok, name)
			stop()
		}
	}
}

func testClosed(t *testing.T, s store.Store) {
	require.NoError(t, s.Close())
	require.ErrorIs(t, s.View(background(t), func(store.Reader) error { return nil }), store.ErrClosed)
	require.ErrorIs(t, s.Update(background(t), func(store.Tx) error { return nil }), store.ErrClosed)
	require.NoError(t, s.Close())
}

func testCloseWaits(t *testing.T, s store.Store) {
	inside, release := make(chan struct{}), make(chan struct{})
	updated, closed := make(chan error, 1), make(chan struct{})
	letGo := sync.OnceFunc(func() { close(release) })
	t.Cleanup(letGo)
	enter := sync.OnceFunc(func() { close(inside) })
	ctx := background(t)
	go func() {
		updated <- s.Update(ctx, func(tx store.Tx) error {
			enter()
			<-release
			return tx.Put([]byte("k"), []byte("v"))
		})
	}()
	soon(t, inside, "the update")
	go func() {
		defer close(closed)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for s.View(ctx, func(store.Reader) error { return nil }) == nil { // until Close has begun
		if ctx.Err() != nil {
			break
		}
	}
	moment := time.NewTimer(20 * time.Millisecond) // for a Close that does not wait to return
	defer moment.Stop()
	select {
	case <-closed:
		t.Error("Close did not wait for a running update")
	case <-moment.C:
	}
	letGo()
	require.NoError(t, <-updated)
	soon(t, closed, "Close")
}

func (s *suite) testReopen(t *testing.T) {
	if s.reopen == nil {
		t.Skip("this back end keeps no data after Close: it passed no storetest.Reopen")
	}
	st := s.open(t)
	for i := range 300 {
		put(t, st, fmt.Sprintf("k%03d", i), fmt.Sprint(i))
	}
	require.NoError(t, st.Update(background(t), func(tx store.Tx) error { return tx.Delete([]byte("k007")) }))
	_ = st.Update(background(t), func(tx store.Tx) error {
		scribble(t, tx)
		return errOwn
	})
	st = s.reopen(t, st)
	defer func() { require.NoError(t, st.Close()) }()
	require.NoError(t, st.View(background(t), func(r store.Reader) error {
		require.Len(t, keys(t, r, store.Range{Limit: 999}), 299)
		require.Equal(t, "299", read(t, r, "k299"))
		require.Equal(t, "absent", read(t, r, "k007"))
		require.Equal(t, "absent", read(t, r, "new"))
		return nil
	}))
	put(t, st, "after", "works")
	require.Equal(t, "works", get(t, st, "after"))
}
