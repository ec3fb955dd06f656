package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// frugal is the contract of store.Lender, store.Frugal, store.Sharer, store.Planner and store.Presumer. It holds for a
// back end that offers none of them.
func frugal() []contract {
	return []contract{
		{"what is lent is what Get returns", testLend},
		{"what is given is stored, and a pair without value removes its key", testGive},
		{"a shared function is a transaction like any other", testShare},
		{"a planned function is a transaction like any other", testPlan},
		{"a request that presumes counts by what is there", testPresume},
		{"nothing is given during a scan, and nothing afterwards", testGiveTooLate},
	}
}

func testLend(t *testing.T, s store.Store) {
	put(t, s, "a", "1")
	put(t, s, "empty", "")
	var lender store.Lender
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		var ok bool
		if lender, ok = r.(store.Lender); !ok {
			return nil
		}
		for key, value := range map[string][]byte{"a": []byte("1"), "empty": {}, "absent": nil} {
			pair, err := lender.Lend([]byte(key))
			require.NoError(t, err)
			require.Equal(t, store.NewPair([]byte(key), value), pair)
		}
		_, err := lender.Lend(nil)
		require.ErrorIs(t, err, store.ErrKey)
		return nil
	}))
	if lender != nil {
		_, err := lender.Lend([]byte("a"))
		require.ErrorIs(t, err, store.ErrDone)
	}
}

func testGive(t *testing.T, s store.Store) {
	put(t, s, "doomed", "1")
	put(t, s, "changed", "1")
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		f, ok := tx.(store.Frugal)
		if !ok {
			return nil
		}
		for key, value := range map[string][]byte{"doomed": nil, "changed": []byte("2"), "new": {}, "absent": nil} {
			pair := store.NewPair([]byte(key), value)
			was, err := f.Holds(pair)
			require.NoError(t, err)
			require.Equal(t, key == "absent", was)
			require.NoError(t, f.Give(pair))
			is, err := f.Holds(pair)
			require.NoError(t, err)
			require.True(t, is)
			require.Equal(t, value == nil, read(t, tx, key) == "absent")
		}
		return nil
	}))
	if get(t, s, "new") != "absent" { // the store offers Give
		require.Equal(t, "2", get(t, s, "changed"))
		require.Equal(t, "absent", get(t, s, "doomed"))
	}
}

func testGiveTooLate(t *testing.T, s store.Store) {
	put(t, s, "a", "1")
	var kept store.Frugal
	pair := store.NewPair([]byte("b"), []byte("2"))
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		var ok bool
		if kept, ok = tx.(store.Frugal); !ok {
			return nil
		}
		for range tx.Scan(store.Range{Limit: 2}) {
			require.ErrorIs(t, kept.Give(pair), store.ErrScanOpen)
		}
		return nil
	}))
	if kept != nil {
		require.ErrorIs(t, kept.Give(pair), store.ErrDone)
		_, err := kept.Holds(pair)
		require.ErrorIs(t, err, store.ErrDone)
	}
	require.Equal(t, "absent", get(t, s, "b"))
}

func testShare(t *testing.T, s store.Store) {
	if sharer, ok := s.(store.Sharer); ok {
		testLikeUpdate(t, s, sharer.Share)
	}
}

func testPlan(t *testing.T, s store.Store) {
	if planner, ok := s.(store.Planner); ok {
		testLikeUpdate(t, s, planner.Plan)
	}
}

// testPresume changes what a request has viewed, before and after its transaction. It counts by what it has viewed
// last, runs twice at most, and returns its own error.
func testPresume(t *testing.T, s store.Store) {
	p, ok := s.(store.Presumer)
	if !ok {
		return
	}
	errOwn := errors.New("own")
	for _, changes := range []bool{false, true} {
		put(t, s, "k", "old")
		put(t, s, "seen", "")
		runs, viewed := 0, ""
		err := p.Presume(background(t), func(ctx context.Context) error {
			runs++
			if err := s.View(ctx, func(r store.Reader) error { viewed = read(t, r, "k"); return nil }); err != nil {
				return err
			}
			if changes && runs == 1 {
				put(t, s, "k", "new")
			}
			err := s.Update(ctx, func(tx store.Tx) error { return tx.Put([]byte("seen"), []byte(viewed)) })
			if err != nil {
				require.ErrorIs(t, err, store.ErrPresumed)
				return err
			}
			put(t, s, "k", "late")
			require.NoError(t, p.Confirm(ctx), "it has stored something")
			require.NoError(t, s.View(ctx, func(r store.Reader) error { viewed = read(t, r, "k"); return nil }))
			require.Equal(t, "late", viewed)
			return errOwn
		})
		require.ErrorIs(t, err, errOwn)
		require.LessOrEqual(t, runs, 2)
		want := "old"
		if runs == 2 {
			want = "new"
		}
		require.Equal(t, want, get(t, s, "seen"))
	}
}

// testLikeUpdate counts by Update and by another way at the same time.
func testLikeUpdate(t *testing.T, s store.Store, other func(context.Context, func(store.Tx) error) error) {
	ctx, errOwn := background(t), errors.New("own")
	const rounds = 40
	count := func(tx store.Tx) error {
		value := read(t, tx, "count")
		if value == "absent" {
			value = ""
		}
		return tx.Put([]byte("count"), []byte(value+"+"))
	}
	var all sync.WaitGroup
	for i := range rounds {
		all.Go(func() {
			var err error
			switch i % 4 {
			case 0:
				err = s.Update(ctx, count)
			case 1:
				failed := other(ctx, func(tx store.Tx) error { return errors.Join(count(tx), errOwn) })
				if !errors.Is(failed, errOwn) {
					t.Error("the function's error did not come back")
				}
			default:
				err = other(ctx, count)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.Len(t, get(t, s, "count"), rounds*3/4)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, other(cancelled, count), context.Canceled)
	require.Len(t, get(t, s, "count"), rounds*3/4)
}
