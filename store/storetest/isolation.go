package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func isolation() []contract {
	return []contract{
		{"of many that insert one key exactly one wins", testExclusiveInsert},
		{"no update is lost", testLostUpdate},
		{"no write skew over two keys", testWriteSkew},
		{"no phantom between scan and insert", testPhantom},
		{"a view sees one state, whatever is written meanwhile", testSnapshot},
		{"readers during writes see whole transactions", testReadersDuringWrites},
		{"what an update left is seen by every later view", testReadAfterWrite},
	}
}

func testExclusiveInsert(t *testing.T, s store.Store) {
	ctx := background(t)
	var won, lost atomic.Int32
	race(func(i int) {
		err := s.Update(ctx, func(tx store.Tx) error { return tx.Insert([]byte("k"), []byte{byte(i)}) })
		switch {
		case err == nil:
			won.Add(1)
		case errors.Is(err, store.ErrExists):
			lost.Add(1)
			// A caller that gets ErrExists must find the key.
			if get(t, s, "k") == "absent" {
				t.Error("ErrExists for a key that is not there yet")
			}
		default:
			t.Error(err)
		}
	})
	require.Equal(t, int32(1), won.Load())
	require.Equal(t, int32(many-1), lost.Load())
}

// meeting is where transactions meet that have read and not yet written: two that run side by side go on together, so
// that what one reads is written by the other. One that runs alone, as all do in a store with one writer, goes on after
// a moment.
type meeting chan struct{}

func (m meeting) meet() {
	alone := time.NewTimer(time.Millisecond)
	defer alone.Stop()
	select {
	case m <- struct{}{}:
	case <-m:
	case <-alone.C:
	}
}

// add adds n to the number under key.
func add(tx store.Tx, key string, n int) error {
	old, err := number(tx, key)
	if err != nil {
		return err
	}
	return tx.Put([]byte(key), []byte(strconv.Itoa(old+n)))
}

// number returns the number under key, zero when absent.
func number(r store.Reader, key string) (int, error) {
	value, err := r.Get([]byte(key))
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

func testLostUpdate(t *testing.T, s store.Store) {
	ctx, two := background(t), make(meeting)
	race(func(int) {
		for range 10 {
			err := s.Update(ctx, func(tx store.Tx) error {
				old, err := number(tx, "n")
				two.meet()
				return errors.Join(err, tx.Put([]byte("n"), []byte(strconv.Itoa(old+1))))
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	require.Equal(t, strconv.Itoa(10*many), get(t, s, "n"))
}

// Each transaction may take 60 from its own account of 100 as long as both together hold enough: only one can.
func testWriteSkew(t *testing.T, s store.Store) {
	ctx, two := background(t), make(meeting)
	for round := range 10 {
		left, right := fmt.Sprintf("left%d", round), fmt.Sprintf("right%d", round)
		put(t, s, left, "50")
		put(t, s, right, "50")
		var took atomic.Int32
		race(func(i int) {
			side := []string{left, right}[i%2]
			var mine bool
			err := s.Update(ctx, func(tx store.Tx) error {
				l, err1 := number(tx, left)
				r, err2 := number(tx, right)
				if mine = l+r >= 60; !mine {
					return errors.Join(err1, err2)
				}
				two.meet()
				return errors.Join(err1, err2, add(tx, side, -60))
			})
			if err != nil {
				t.Error(err)
			} else if mine {
				took.Add(1)
			}
		})
		require.Equal(t, int32(1), took.Load())
	}
}

// Each transaction adds an entry if it sees fewer than three: there are never more than three. On a busy machine two
// may fail to meet, so there are some rounds.
func testPhantom(t *testing.T, s store.Store) {
	ctx, two := background(t), make(meeting)
	for round := range 10 {
		within := store.Range{Prefix: fmt.Appendf(nil, "p%d/", round), Limit: many}
		race(func(i int) {
			err := s.Update(ctx, func(tx store.Tx) error {
				seen := 0
				for e := range tx.Scan(within) {
					if e.Err != nil {
						return e.Err
					}
					seen++
				}
				if seen >= 3 {
					return nil
				}
				two.meet()
				return tx.Insert(fmt.Appendf(nil, "%s%02d", within.Prefix, i), []byte("x"))
			})
			if err != nil {
				t.Error(err)
			}
		})
		require.NoError(t, s.View(ctx, func(r store.Reader) error {
			require.Len(t, keys(t, r, within), 3)
			return nil
		}))
	}
}

// elsewhere runs f on another goroutine and waits for it.
func elsewhere(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	soon(t, done, "an update while a view is open")
}

func testSnapshot(t *testing.T, s store.Store) {
	put(t, s, "a", "1")
	put(t, s, "b", "1")
	put(t, s, "d", "1")
	all := store.Range{Limit: 10}
	require.NoError(t, s.View(background(t), func(r store.Reader) error {
		var during []string
		for e := range r.Scan(all) {
			if len(during) == 0 {
				elsewhere(t, func() {
					put(t, s, "a", "2")
					put(t, s, "c", "2")
					_ = s.Update(background(t), func(tx store.Tx) error { return tx.Delete([]byte("d")) })
				})
			}
			during = append(during, string(e.Key))
		}
		require.Equal(t, []string{"a", "b", "d"}, during)
		require.Equal(t, []string{"a", "b", "d"}, keys(t, r, all))
		require.Equal(t, "1", read(t, r, "a"))
		require.Equal(t, "absent", read(t, r, "c"))
		return nil
	}))
	require.Equal(t, "2", get(t, s, "a"))
	require.Equal(t, "absent", get(t, s, "d"))
}

// Writers move one from x to y. A reader that sees a sum other than zero has seen half of a transaction.
func testReadersDuringWrites(t *testing.T, s store.Store) {
	ctx := background(t)
	race(func(i int) {
		for range 10 {
			var err error
			if i%4 == 0 {
				err = s.Update(ctx, func(tx store.Tx) error {
					return errors.Join(add(tx, "x", -1), add(tx, "y", 1))
				})
			} else {
				err = s.View(ctx, func(r store.Reader) error {
					x, err1 := number(r, "x")
					y, err2 := number(r, "y")
					if x+y != 0 {
						return fmt.Errorf("half a transaction: x=%d y=%d", x, y)
					}
					return errors.Join(err1, err2)
				})
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func testReadAfterWrite(t *testing.T, s store.Store) {
	race(func(i int) {
		key := fmt.Sprintf("k%02d", i)
		put(t, s, key, key)
		if got := get(t, s, key); got != key {
			t.Errorf("after a committed update of %s a view sees %s", key, got)
		}
	})
}
