package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

var errOwn = errors.New("the function's own error")

func atomicity() []contract {
	return []contract{
		{"an error rolls everything back and comes back unchanged", testRollbackOnError},
		{"a panic rolls everything back and reaches its caller", testRollbackOnPanic},
		{"a goroutine that ends inside rolls everything back", testRollbackOnGoexit},
		{"of several writes to a key the last counts", testLastWrite},
		{"a deleted key is absent and may be inserted again", testDelete},
		{"one failing function does not undo its neighbours", testNeighbours},
		{"one panicking function does not undo its neighbours", testPanickingNeighbours},
	}
}

// scribble makes every kind of change that a transaction can make.
func scribble(t *testing.T, tx store.Tx) {
	t.Helper()
	require.NoError(t, tx.Put([]byte("old"), []byte("changed")))
	require.NoError(t, tx.Insert([]byte("new"), []byte("1")))
	require.NoError(t, tx.Delete([]byte("doomed")))
}

// untouched requires that no change of scribble was stored.
func untouched(t *testing.T, s store.Store) {
	t.Helper()
	require.Equal(t, "old", get(t, s, "old"))
	require.Equal(t, "absent", get(t, s, "new"))
	require.Equal(t, "doomed", get(t, s, "doomed"))
	put(t, s, "after", "works") // and the store still works
	require.Equal(t, "works", get(t, s, "after"))
}

func prepare(t *testing.T, s store.Store) {
	t.Helper()
	put(t, s, "old", "old")
	put(t, s, "doomed", "doomed")
}

func testRollbackOnError(t *testing.T, s store.Store) {
	prepare(t, s)
	err := s.Update(background(t), func(tx store.Tx) error {
		scribble(t, tx)
		return fmt.Errorf("wrapped: %w", errOwn)
	})
	require.ErrorIs(t, err, errOwn)
	require.NotErrorIs(t, err, store.ErrUnknownCommit)
	untouched(t, s)
	require.ErrorIs(t, s.View(background(t), func(store.Reader) error { return errOwn }), errOwn)
}

func testRollbackOnPanic(t *testing.T, s store.Store) {
	prepare(t, s)
	require.PanicsWithValue(t, "own", func() {
		_ = s.Update(background(t), func(tx store.Tx) error {
			scribble(t, tx)
			panic("own")
		})
	})
	untouched(t, s)
	require.PanicsWithValue(t, "own", func() {
		_ = s.View(background(t), func(store.Reader) error { panic("own") })
	})
	untouched(t, s)
}

func testRollbackOnGoexit(t *testing.T, s store.Store) {
	prepare(t, s)
	done := make(chan struct{})
	t.Run("inner", func(t *testing.T) {
		defer close(done)
		_ = s.Update(background(t), func(tx store.Tx) error {
			scribble(t, tx)
			t.SkipNow() // ends the goroutine as runtime.Goexit does
			return nil
		})
	})
	soon(t, done, "a goroutine that ended inside Update")
	untouched(t, s)
}

func testLastWrite(t *testing.T, s store.Store) {
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		require.NoError(t, tx.Put([]byte("k"), []byte("1")))
		require.NoError(t, tx.Delete([]byte("k")))
		require.Equal(t, "absent", read(t, tx, "k"))
		require.NoError(t, tx.Insert([]byte("k"), []byte("2")))
		require.ErrorIs(t, tx.Insert([]byte("k"), []byte("3")), store.ErrExists)
		require.Equal(t, "2", read(t, tx, "k"))
		return tx.Put([]byte("k"), []byte("4"))
	}))
	require.Equal(t, "4", get(t, s, "k"))
}

func testDelete(t *testing.T, s store.Store) {
	put(t, s, "k", "1")
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		require.NoError(t, tx.Delete([]byte("never there")))
		return tx.Delete([]byte("k"))
	}))
	require.Equal(t, "absent", get(t, s, "k"))
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		return tx.Insert([]byte("k"), []byte("2"))
	}))
	require.Equal(t, "2", get(t, s, "k"))
}

// many is how many goroutines race in a case.
const many = 48

// race runs f many times at once and waits.
func race(f func(i int)) {
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

func testNeighbours(t *testing.T, s store.Store) {
	ctx, errs := background(t), make([]error, many)
	race(func(i int) {
		errs[i] = s.Update(ctx, func(tx store.Tx) error {
			err := tx.Put(fmt.Appendf(nil, "n%02d", i), []byte("here"))
			if i%2 == 1 {
				return errOwn
			}
			return err
		})
	})
	checkNeighbours(t, s, errs)
}

func testPanickingNeighbours(t *testing.T, s store.Store) {
	ctx, errs := background(t), make([]error, many)
	race(func(i int) {
		defer func() {
			if v := recover(); v != nil {
				errs[i], _ = v.(error)
			}
		}()
		errs[i] = s.Update(ctx, func(tx store.Tx) error {
			err := tx.Put(fmt.Appendf(nil, "n%02d", i), []byte("here"))
			if i%2 == 1 {
				panic(errOwn)
			}
			return err
		})
	})
	checkNeighbours(t, s, errs)
}

// checkNeighbours requires that the even ones are stored, and that the odd ones failed and left nothing.
func checkNeighbours(t *testing.T, s store.Store, errs []error) {
	t.Helper()
	for i, err := range errs {
		if i%2 == 1 {
			require.Equal(t, errOwn, err)
			require.Equal(t, "absent", get(t, s, fmt.Sprintf("n%02d", i)))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "here", get(t, s, fmt.Sprintf("n%02d", i)))
	}
}
