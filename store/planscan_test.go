package store_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// scanned returns the keys that a scan yields; with a stop it ends after so many.
func scanned(tx store.Tx, rg store.Range, stop int) (found []string, err error) {
	for entry := range tx.Scan(rg) {
		if entry.Err != nil {
			return nil, entry.Err
		}
		found = append(found, string(entry.Key)+"="+string(entry.Value))
		if len(found) == stop {
			break
		}
	}
	return found, nil
}

func TestOptimisticChecksItsScans(t *testing.T) {
	t.Parallel()
	within := store.Range{Prefix: []byte("k"), Limit: 3}
	back := store.Range{Prefix: []byte("k"), From: []byte("k5"), Limit: 2, Reverse: true}
	cases := []struct {
		name          string
		within        store.Range
		stop          int
		key, value    string // what another transaction puts in between
		runs          int
		before, after string
	}{
		{"nothing changed", within, 0, "other", "x", 1, "k2=a k4=b", "k2=a k4=b"},
		{"a value changed", within, 0, "k4", "x", 2, "k2=a k4=b", "k2=a k4=x"},
		{"a new entry at the front", within, 0, "k1", "x", 2, "k2=a k4=b", "k1=x k2=a k4=b"},
		{"a new entry in the middle", within, 0, "k3", "x", 2, "k2=a k4=b", "k2=a k3=x k4=b"},
		{"a new entry at the end", within, 0, "k5", "x", 2, "k2=a k4=b", "k2=a k4=b k5=x"},
		{"a new entry after the stop", within, 1, "k3", "x", 1, "k2=a", "k2=a"},
		{"a new entry before the stop", within, 2, "k3", "x", 2, "k2=a k4=b", "k2=a k3=x"},
		{"backwards, a new entry beyond the start", back, 0, "k6", "x", 1, "k4=b k2=a", "k4=b k2=a"},
		{"backwards, a new entry at the start", back, 0, "k5", "x", 2, "k4=b k2=a", "k5=x k4=b"},
		{"backwards, a new entry beyond the limit", back, 0, "k1", "x", 1, "k4=b k2=a", "k4=b k2=a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			inner := memory.New()
			put(t, inner, "k2", "a")
			put(t, inner, "k4", "b")
			s := &between{Store: inner, do: func() { put(t, inner, c.key, c.value) }}
			var runs []string
			require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
				found, err := scanned(tx, c.within, c.stop)
				runs = append(runs, strings.Join(found, " "))
				return errors.Join(err, tx.Put([]byte("found"), []byte(strings.Join(found, " "))))
			}))
			require.Len(t, runs, c.runs)
			require.Equal(t, c.before, runs[0])
			require.Equal(t, c.after, get(t, inner, "found"))
		})
	}
}

// An entry that another transaction removes is missed too. The function changes the bytes of its range and its
// entries, which the plan has copied.
func TestOptimisticMissesARemovedEntry(t *testing.T) {
	t.Parallel()
	for _, removed := range []string{"k1", "k2", "other"} {
		inner := memory.New()
		put(t, inner, "k1", "a")
		put(t, inner, "k2", "b")
		put(t, inner, "other", "c")
		s := &between{Store: inner, do: func() {
			require.NoError(t, inner.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte(removed)) }))
		}}
		runs := 0
		require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
			runs++
			rg := store.Range{Prefix: []byte("k"), From: []byte("k1"), Limit: 9}
			n := 0
			for entry := range tx.Scan(rg) {
				require.NoError(t, entry.Err)
				clear(entry.Key)
				clear(entry.Value)
				n++
			}
			clear(rg.Prefix)
			clear(rg.From)
			return tx.Put([]byte("n"), []byte(strconv.Itoa(n)))
		}))
		gone := removed != "other"
		require.Equal(t, gone, runs == 2)
		require.Equal(t, gone, get(t, inner, "n") == "1")
	}
}

// A scan that a plan does not keep makes the function run inside the Update, also when it went on after the error.
func TestOptimisticRunsAgainAfterAScanThatIsNotPlanned(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		stored int
		write  string
		want   int
	}{
		{"as many entries as a plan keeps", 16, "", 16},
		{"one more", 17, "", 17},
		{"an own write in the range", 2, "k5", 3},
		{"an own write that replaces", 2, "k00", 2},
	}
	for _, c := range cases {
		for _, goesOn := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, goes on %t", c.name, goesOn), func(t *testing.T) {
				t.Parallel()
				s := memory.New()
				for i := range c.stored {
					put(t, s, fmt.Sprintf("k%02d", i), "x")
				}
				runs, n := 0, 0
				require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
					runs++
					if c.write != "" {
						require.NoError(t, tx.Put([]byte(c.write), []byte("mine")))
					}
					found, err := scanned(tx, store.Range{Prefix: []byte("k"), Limit: 100}, 0)
					if err != nil && !goesOn {
						return err
					}
					n = len(found)
					return tx.Put([]byte("n"), []byte(strconv.Itoa(n)))
				}))
				require.Equal(t, c.stored == 16, runs == 1)
				require.Equal(t, strconv.Itoa(c.want), get(t, s, "n"))
			})
		}
	}
}

// A plan does not know what a scan takes that is left open, so there is none.
func TestOptimisticWithAnOpenScan(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "k1", "a")
	put(t, s, "k3", "a")
	var kept []func() (store.Entry, bool)
	require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		require.NoError(t, tx.Put([]byte("n"), []byte("1")))
		next, stop := iter.Pull(tx.Scan(store.Range{Prefix: []byte("k"), Limit: 9}))
		t.Cleanup(stop)
		kept = append(kept, next)
		entry, ok := next()
		require.True(t, ok)
		return entry.Err
	}))
	require.Len(t, kept, 2)
	for _, next := range kept {
		entry, ok := next()
		require.True(t, ok)
		require.ErrorIs(t, entry.Err, store.ErrDone)
	}
}

// twiceViewed runs the function of a View twice.
type twiceViewed struct{ *memory.Store }

func (s twiceViewed) View(ctx context.Context, fn func(store.Reader) error) error {
	return errors.Join(s.Store.View(ctx, fn), s.Store.View(ctx, fn))
}

// A scan that an earlier run has left open is not one of the run that counts, also where it ends meanwhile.
func TestOptimisticWithAnEarlierScan(t *testing.T) {
	t.Parallel()
	for _, ends := range []bool{false, true} {
		t.Run(fmt.Sprintf("ends %t", ends), func(t *testing.T) {
			t.Parallel()
			s := twiceViewed{memory.New()}
			put(t, s, "k1", "a")
			runs, stops := 0, []func(){}
			require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
				runs++
				require.NoError(t, tx.Put([]byte("n"), []byte("1")))
				if ends && runs == 2 {
					stops[0]()
				}
				next, stop := iter.Pull(tx.Scan(store.Range{Prefix: []byte("k"), Limit: 9}))
				stops = append(stops, stop)
				entry, ok := next()
				require.True(t, ok)
				return entry.Err
			}))
			require.Equal(t, 3, runs)
			for _, stop := range stops {
				stop()
			}
		})
	}
}

func TestOptimisticIsOverAfterwards(t *testing.T) {
	t.Parallel()
	s := memory.New()
	put(t, s, "k", "a")
	var plan store.Tx
	require.NoError(t, store.Optimistic(t.Context(), s, func(tx store.Tx) error {
		plan = tx
		_, err := tx.Get([]byte("k"))
		for range tx.Scan(store.Range{Limit: 1}) {
			require.ErrorIs(t, tx.Put([]byte("n"), []byte("1")), store.ErrScanOpen)
			require.ErrorIs(t, tx.Insert([]byte("n"), []byte("1")), store.ErrScanOpen)
			require.ErrorIs(t, tx.Delete([]byte("k")), store.ErrScanOpen)
		}
		return err
	}))
	_, err := plan.Get([]byte("k"))
	require.ErrorIs(t, err, store.ErrDone)
	require.ErrorIs(t, plan.Put([]byte("n"), []byte("1")), store.ErrDone)
	require.ErrorIs(t, plan.Insert([]byte("n"), []byte("1")), store.ErrDone)
	require.ErrorIs(t, plan.Delete([]byte("k")), store.ErrDone)
	_, err = scanned(plan, store.Range{Limit: 1}, 0)
	require.ErrorIs(t, err, store.ErrDone)
	require.Equal(t, "a", get(t, s, "k"))
}
