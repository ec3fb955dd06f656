package memory

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// ending is how the wait of a caller ended.
type ending struct {
	mine bool
	err  error
}

// inLine lets callers join the line one after the other, ends the turn of the writer before them, and waits until each
// was served or has had the turn. Those with the turn pass it on.
func inLine(t *testing.T, s *Store, works ...func(store.Tx) error) []ending {
	t.Helper()
	_, err := s.line.Wait(t.Context(), nil)
	require.NoError(t, err)
	all := make([]ending, len(works))
	var came sync.WaitGroup
	for i, work := range works {
		came.Go(func() {
			if all[i].mine, all[i].err = s.line.Wait(t.Context(), work); all[i].mine {
				s.pass()
			}
		})
		for s.line.Waiting() <= i {
			runtime.Gosched()
		}
	}
	s.pass()
	came.Wait()
	return all
}

func puts(key string) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.Put([]byte(key), []byte("1")) }
}

func stored(t *testing.T, s *Store, key string) bool {
	t.Helper()
	err := s.View(t.Context(), func(r store.Reader) error {
		_, err := r.Get([]byte(key))
		return err
	})
	if err != nil {
		require.ErrorIs(t, err, store.ErrNotFound)
	}
	return err == nil
}

// Those in line are served in their order. What one of them does wrong is that one's alone.
func TestServesThoseInLine(t *testing.T) {
	t.Parallel()
	s := New()
	own := errors.New("own")
	fails := func(tx store.Tx) error { return errors.Join(puts("of one that failed")(tx), own) }
	panics := func(tx store.Tx) error { panic(puts("of one that panicked")(tx)) }
	sees := func(tx store.Tx) error {
		_, err := tx.Get([]byte("a"))
		return err
	}
	all := inLine(t, s, puts("a"), fails, panics, sees)
	for i, want := range []string{"", "own", "memory: panic", ""} {
		require.False(t, all[i].mine)
		if want == "" {
			require.NoError(t, all[i].err)
			continue
		}
		require.ErrorContains(t, all[i].err, want)
	}
	require.True(t, stored(t, s, "a"))
	require.False(t, stored(t, s, "of one that failed"))
	require.False(t, stored(t, s, "of one that panicked"))
}

// A caller who may not be served gets the turn, and so does the next after one has served many.
func TestPassesTheTurnOn(t *testing.T) {
	t.Parallel()
	s := New()
	works := make([]func(store.Tx) error, 2*served)
	for i := range works {
		works[i] = puts(fmt.Sprint(i))
	}
	works[3] = nil
	all := inLine(t, s, works...)
	for i, c := range all {
		require.NoError(t, c.err)
		require.Equal(t, i == 3 || i == 4+served, c.mine, "caller %d", i)
	}
	require.NoError(t, s.Update(t.Context(), puts("afterwards")), "the turn is free")
}
