package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/store"
)

const callers = 64

// update is Update or Share.
type update func(s *Store, ctx context.Context, fn func(store.Tx) error) error

// byEachDoor runs a test with Update, with Share, and with both by turns.
func byEachDoor(t *testing.T, test func(t *testing.T, do update)) {
	var calls atomic.Int64
	for name, do := range map[string]update{
		"Update": (*Store).Update,
		"Share":  (*Store).Share,
		"both by turns": func(s *Store, ctx context.Context, fn func(store.Tx) error) error {
			if calls.Add(1)%2 == 0 {
				return s.Update(ctx, fn)
			}
			return s.Share(ctx, fn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, do)
		})
	}
}

// together runs one update of each fn so that all share a group: the first keeps the turn until the others wait in
// line. Each after runs as soon as an update has returned.
func together(t *testing.T, s *Store, do update, fns []func(store.Tx) error, after ...func(err error)) []error {
	t.Helper()
	errs := make([]error, len(fns))
	inside := make(chan struct{})
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() {
			if i > 0 {
				<-inside
			}
			errs[i] = do(s, t.Context(), func(tx store.Tx) error {
				if i == 0 {
					close(inside)
					for s.line.Waiting() < len(fns)-1 {
						runtime.Gosched()
					}
				}
				return fn(tx)
			})
			for _, f := range after {
				f(errs[i])
			}
		})
	}
	wg.Wait()
	return errs
}

// commits returns the number of the last batch.
func commits(t *testing.T, s *Store) int {
	t.Helper()
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	defer s.pass()
	if s.log == nil {
		return int(s.status.settled)
	}
	return int(s.log.Next() - 1)
}

func open(t *testing.T, path string, opts ...Option) *Store {
	t.Helper()
	s, err := Open(path, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func putter(i int) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.Put(fmt.Appendf(nil, "k%03d", i), []byte("v")) }
}

func TestWaitingCallersShareOneCommit(t *testing.T) {
	t.Parallel()
	errOwn := errors.New("own")
	for _, c := range []struct {
		name    string
		count   int
		fn      func(i int) func(store.Tx) error
		commits int
	}{
		{"all write", callers, putter, 1},
		{"more members than a group takes", maxMembers + 10, putter, 2},
		{"more bytes than a group takes", 20, func(i int) func(store.Tx) error {
			return func(tx store.Tx) error { return tx.Put([]byte{byte(i)}, make([]byte, store.MaxValue)) }
		}, 3},
		{"none writes", callers, func(int) func(store.Tx) error { return func(store.Tx) error { return nil } }, 0},
		{"all fail", callers, func(i int) func(store.Tx) error {
			return func(tx store.Tx) error { return errors.Join(putter(i)(tx), errOwn) }
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			byEachDoor(t, func(t *testing.T, do update) {
				s := open(t, filepath.Join(t.TempDir(), "store.db"), func(o *Options) { o.LogSize = 1 << 30 })
				fns := make([]func(store.Tx) error, c.count)
				for i := range fns {
					fns[i] = c.fn(i)
				}
				before := commits(t, s)
				for _, err := range together(t, s, do, fns) {
					if err != nil {
						require.ErrorIs(t, err, errOwn)
					}
				}
				require.Equal(t, c.commits, commits(t, s)-before)
			})
		})
	}
}

// breakLog lets every later write of the log fail.
func breakLog(t *testing.T, s *Store) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), putter(999)))
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	defer s.pass()
	require.NoError(t, s.log.Close())
}

func TestFailedCommitClosesTheStore(t *testing.T) {
	t.Parallel()
	byEachDoor(t, testFailedCommitClosesTheStore)
}

func testFailedCommitClosesTheStore(t *testing.T, do update) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path)
	require.NoError(t, err)
	breakLog(t, s)
	errOwn := errors.New("own")
	fns := make([]func(store.Tx) error, callers)
	for i := range fns {
		fns[i] = putter(i)
	}
	fns[callers-1] = func(store.Tx) error { return errOwn }
	errs := together(t, s, do, fns)
	for _, err := range errs[:callers-1] {
		require.ErrorIs(t, err, store.ErrUnknownCommit)
		require.ErrorIs(t, err, os.ErrClosed)
	}
	require.ErrorIs(t, errs[callers-1], errOwn)
	require.NotErrorIs(t, errs[callers-1], store.ErrUnknownCommit, "a function that failed has stored nothing")

	for _, err := range []error{
		s.Update(t.Context(), putter(0)),
		s.View(t.Context(), func(store.Reader) error { return nil }),
	} {
		require.ErrorIs(t, err, store.ErrClosed)
		require.ErrorIs(t, err, os.ErrClosed)
		require.NotErrorIs(t, err, store.ErrUnknownCommit)
	}
	require.ErrorIs(t, s.Close(), os.ErrClosed)

	again := open(t, path)
	require.NoError(t, again.View(t.Context(), func(r store.Reader) error {
		_, err := r.Get([]byte("k999"))
		require.NoError(t, err)
		_, err = r.Get([]byte("k000"))
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
}

// A member that waits in line while the store fails is refused, and its error says that nothing was stored.
func TestFailureRefusesTheLine(t *testing.T) {
	t.Parallel()
	byEachDoor(t, testFailureRefusesTheLine)
}

func testFailureRefusesTheLine(t *testing.T, do update) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.ErrorIs(t, s.Close(), os.ErrClosed) })
	breakLog(t, s)
	fns := make([]func(store.Tx) error, maxMembers+5)
	for i := range fns {
		fns[i] = putter(i)
	}
	unknown, refused := 0, 0
	for _, err := range together(t, s, do, fns) {
		switch {
		case errors.Is(err, store.ErrUnknownCommit):
			unknown++
		case errors.Is(err, store.ErrClosed):
			refused++
		}
	}
	require.Equal(t, maxMembers, unknown)
	require.Equal(t, 5, refused)
}

// A caller that gets ErrExists finds the key, even when the neighbour that wrote it was not committed yet when the
// function failed.
func TestFailureIsReportedAfterItsCause(t *testing.T) {
	t.Parallel()
	byEachDoor(t, testFailureIsReportedAfterItsCause)
}

func testFailureIsReportedAfterItsCause(t *testing.T, do update) {
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	key, fns := []byte("key"), make([]func(store.Tx) error, callers)
	for i := range fns {
		fns[i] = func(tx store.Tx) error { return tx.Insert(key, []byte{byte(i)}) }
	}
	together(t, s, do, fns, func(err error) {
		if !errors.Is(err, store.ErrExists) {
			return
		}
		if err := s.View(t.Context(), func(r store.Reader) error {
			_, err := r.Get(key)
			return err
		}); err != nil {
			t.Error(err)
		}
	})
}

// A caller that is cancelled between getting the turn and using it passes it on.
func TestCancelledWithTheTurn(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	_, err = s.run(ctx, func(store.Tx) error {
		t.Error("ran")
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, s.Update(t.Context(), putter(1)))
}

func TestGuardTurnsPanicsIntoErrors(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, guard(func() error { panic("page 7 is damaged") }), "page 7 is damaged")
	require.NoError(t, guard(func() error { return nil }))
}

// A function that panics on the goroutine of another stops neither that one nor its neighbours.
func TestPanicOfASharedFunction(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	fns := make([]func(store.Tx) error, callers)
	for i := range fns {
		fns[i] = putter(i)
	}
	fns[7] = func(tx store.Tx) error { panic(tx.Put([]byte("half"), []byte("done"))) }
	for i, err := range together(t, s, (*Store).Share, fns) {
		if i == 7 {
			require.ErrorContains(t, err, "panic")
			continue
		}
		require.NoError(t, err)
	}
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		_, err := r.Get([]byte("half"))
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
}

// A caller does the work of others until its own is committed, and no longer.
func TestNobodyServesForEver(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	fills := func(tx store.Tx) error { // the group is full with it
		for i := range 9 {
			if err := tx.Put([]byte{byte(i)}, make([]byte, store.MaxValue)); err != nil {
				return err
			}
		}
		return nil
	}
	works := []func(store.Tx) error{fills, putter(2)}
	mine, errs := make([]bool, len(works)), make([]error, len(works))
	var came sync.WaitGroup
	for i, work := range works {
		came.Go(func() { mine[i], errs[i] = s.line.Wait(t.Context(), work) })
		for s.line.Waiting() <= i {
			runtime.Gosched()
		}
	}
	_, err = s.run(t.Context(), putter(0))
	require.NoError(t, err)
	came.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, []bool{false, true}, mine, "the first was served, and the second has the turn")
	s.pass()
}

// A caller whose context ends in line is not served.
func TestCancelledInLine(t *testing.T) {
	t.Parallel()
	byEachDoor(t, func(t *testing.T, do update) {
		s := open(t, filepath.Join(t.TempDir(), "store.db"))
		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error)
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			go func() {
				errs <- do(s, ctx, func(store.Tx) error {
					t.Error("ran")
					return nil
				})
			}()
			for s.line.Waiting() == 0 {
				runtime.Gosched()
			}
			cancel()
			require.ErrorIs(t, <-errs, context.Canceled)
			return putter(1)(tx)
		}))
	})
}
