package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// doors are the ways to run a transaction.
var doors = []struct {
	name   string
	counts bool // each transaction that loses is a conflict of the store
	update func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error
}{
	{"Update", true, func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error { return s.Update(t.Context(), fn) }},
	{"Optimistic", true, func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error {
		return store.Optimistic(t.Context(), s, fn)
	}},
	{"Optimistic, planned above the port", false, func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error {
		return store.Optimistic(t.Context(), struct{ store.Store }{s}, fn)
	}},
}

func count(r store.Reader, rg store.Range) (n int, err error) {
	for entry := range r.Scan(rg) {
		if entry.Err != nil {
			return n, entry.Err
		}
		n++
	}
	return n, nil
}

// barrier lets n functions go on when all have come, the first time that each comes.
type barrier struct{ missing sync.WaitGroup }

func newBarrier(n int) *barrier {
	b := &barrier{}
	b.missing.Add(n)
	return b
}

func (b *barrier) once() func() {
	return sync.OnceFunc(func() {
		b.missing.Done()
		b.missing.Wait()
	})
}

// phantoms are scans that find nothing, and what another transaction inserts or removes where they looked. Two that do
// both have to be told: one of them sees what the other did.
var phantoms = []struct {
	name string
	scan store.Range
}{
	{"a prefix", store.Range{Prefix: []byte("p/"), Limit: 9}},
	{"a prefix, reverse", store.Range{Prefix: []byte("p/"), Limit: 9, Reverse: true}},
	{"from a key", store.Range{Prefix: []byte("p/"), From: []byte("p/1"), Limit: 9}},
	{"up to a key, reverse", store.Range{Prefix: []byte("p/"), From: []byte("p/9"), Limit: 9, Reverse: true}},
	{"all", store.Range{Prefix: []byte("p"), Limit: 1000}},
	{"the first", store.Range{Prefix: []byte("p/"), Limit: 1}},
	{"the last", store.Range{Prefix: []byte("p/"), Limit: 1, Reverse: true}},
}

// TestPhantoms: two transactions on two instances each find a range empty at the same time and then put a key into it.
// Only one may: both scans come before both commits, so the second has to be run again.
func TestPhantoms(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		for _, c := range phantoms {
			t.Run(door.name+" of "+c.name, func(t *testing.T) {
				t.Parallel()
				both := lend(t)
				met := newBarrier(2)
				var won atomic.Int64
				var running sync.WaitGroup
				for i, s := range both {
					meet := met.once()
					running.Go(func() {
						mine := false
						err := door.update(t, s, func(tx store.Tx) error {
							n, err := count(tx, c.scan)
							meet()
							if mine = n == 0; err != nil || !mine {
								return err
							}
							return tx.Put(fmt.Appendf(nil, "p/%d", 3+i), []byte("x"))
						})
						if err != nil {
							t.Error(err)
						}
						if mine {
							won.Add(1)
						}
					})
				}
				running.Wait()
				require.Equal(t, int64(1), won.Load())
				groups, _, conflicts, _ := both[0].Counts()
				more, _, others, _ := both[1].Counts()
				require.Equal(t, int64(1), groups+more)
				if door.counts {
					require.Equal(t, int64(1), conflicts+others)
				}
			})
		}
	}
}

// partScans take a part of p/2, p/4, p/6 and p/8: up to a limit, or until the function has enough.
var partScans = []struct {
	name            string
	scan            store.Range
	take            int
	inside, outside string
}{
	{"up to a limit", store.Range{Prefix: []byte("p/"), Limit: 2}, 9, "p/3", "p/5"},
	{"up to a limit, before the first", store.Range{Prefix: []byte("p/"), Limit: 2}, 9, "p/1", "p/7"},
	{"up to a limit, reverse", store.Range{Prefix: []byte("p/"), Limit: 2, Reverse: true}, 9, "p/7", "p/5"},
	{"up to a limit, reverse, behind the last", store.Range{Prefix: []byte("p/"), Limit: 2, Reverse: true}, 9, "p/9", "p/3"},
	{"until enough", store.Range{Prefix: []byte("p/"), Limit: 9}, 2, "p/3", "p/5"},
	{"until enough, reverse", store.Range{Prefix: []byte("p/"), Limit: 9, Reverse: true}, 2, "p/7", "p/5"},
	{"from a key", store.Range{Prefix: []byte("p/"), From: []byte("p/3"), Limit: 2}, 9, "p/5", "p/1"},
	{"up to a key, reverse", store.Range{Prefix: []byte("p/"), From: []byte("p/7"), Limit: 2, Reverse: true}, 9, "p/5", "p/9"},
}

// putAll stores a value under each of these keys, in one transaction.
func putAll(t *testing.T, s *postgres.Store, keys ...string) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) (err error) {
		for _, key := range keys {
			err = errors.Join(err, tx.Put([]byte(key), nothing))
		}
		return err
	}))
}

// TestPhantomsInParts: a key that comes into the part of a range that a scan has taken makes the function run again;
// one that comes outside of it does not.
func TestPhantomsInParts(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		for _, c := range partScans {
			for key, runs := range map[string]int{c.inside: 2, c.outside: 1} {
				t.Run(door.name+" of "+c.name+" beside "+key, func(t *testing.T) {
					t.Parallel()
					s, other := two(t)
					putAll(t, s, "p/2", "p/4", "p/6", "p/8")
					come := sync.OnceFunc(func() { elsewhere(func() { putAll(t, other, key) }) })
					ran := 0
					require.NoError(t, door.update(t, s, func(tx store.Tx) error {
						ran++
						taken := 0
						for entry := range tx.Scan(c.scan) {
							require.NoError(t, entry.Err)
							if taken++; taken == c.take {
								break
							}
						}
						require.Equal(t, 2, taken)
						come()
						return tx.Put([]byte("done"), nothing)
					}))
					require.Equal(t, runs, ran)
				})
			}
		}
	}
}

// TestOpenScansCount: what a scan took counts also where it is left open, as iter.Pull can leave it.
func TestOpenScansCount(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		for _, reverse := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reverse %t", door.name, reverse), func(t *testing.T) {
				t.Parallel()
				s, other := two(t)
				putAll(t, s, "p/2", "p/4", "p/6")
				come := sync.OnceFunc(func() { elsewhere(func() { putAll(t, other, "p/3", "p/5") }) })
				ran, stops := 0, []func(){}
				require.NoError(t, door.update(t, s, func(tx store.Tx) error {
					ran++
					require.NoError(t, tx.Put([]byte("done"), nothing))
					next, stop := iter.Pull(tx.Scan(store.Range{Prefix: []byte("p/"), Limit: 9, Reverse: reverse}))
					stops = append(stops, stop)
					for range 2 {
						entry, ok := next()
						require.True(t, ok)
						require.NoError(t, entry.Err)
					}
					come()
					return nil
				}))
				require.Equal(t, 2, ran)
				for _, stop := range stops {
					stop()
				}
			})
		}
	}
}

// TestLosersRemoveNothing: a transaction that has lost removes nothing and writes nothing where others of its group
// stand.
func TestLosersRemoveNothing(t *testing.T) {
	t.Parallel()
	s, other := two(t)
	const n = 8
	for round := range 10 {
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
			err := tx.Put([]byte("k"), []byte("old"))
			for i := range n {
				err = errors.Join(err, tx.Put(fmt.Appendf(nil, "d%d", i), nothing))
			}
			return err
		}))
		met, running := newBarrier(2*n+1), sync.WaitGroup{}
		updates := func(fn func(tx store.Tx) error) {
			running.Go(func() {
				if err := s.Update(t.Context(), fn); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range n {
			loses, stands := met.once(), met.once()
			updates(func(tx store.Tx) error {
				k, err := text(tx, "k")
				if loses(); err != nil || k != "old" {
					return err
				}
				return errors.Join(tx.Put(fmt.Appendf(nil, "w%d", i), nothing), tx.Delete(fmt.Appendf(nil, "d%d", i)))
			})
			updates(func(tx store.Tx) error {
				stands()
				return tx.Put(fmt.Appendf(nil, "s%d-%d", round, i), nothing)
			})
		}
		require.NoError(t, other.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte("k"), []byte("new")) }))
		met.once()()
		running.Wait()
		for i := range n {
			require.Equal(t, string(nothing), textIn(t, other, fmt.Sprintf("d%d", i)))
			require.Equal(t, "absent", textIn(t, other, fmt.Sprintf("w%d", i)))
		}
	}
}

// TestCancelledInItsTurn: a context that ends inside of the function stops the transaction, also where it has lost and
// runs in a turn of its own.
func TestCancelledInItsTurn(t *testing.T) {
	t.Parallel()
	s, other := two(t)
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	err := s.Update(ctx, func(tx store.Tx) error {
		runs++
		if _, err := text(tx, "k"); err != nil {
			return err
		}
		if runs <= 3 {
			require.NoError(t, other.Update(context.WithoutCancel(ctx), increment("k")))
		} else {
			cancel()
		}
		return tx.Put([]byte("w"), nothing)
	})
	require.Equal(t, 4, runs)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "absent", textIn(t, other, "w"))
}

// A scan in the middle of a range does not see what is written outside of what it took.
func TestNoFalseConflicts(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			s, _ := two(t)
			require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
				return errors.Join(tx.Put([]byte("p/1"), []byte("1")), tx.Put([]byte("p/5"), []byte("5")))
			}))
			runs := 0
			require.NoError(t, door.update(t, s, func(tx store.Tx) error {
				runs++
				for entry := range tx.Scan(store.Range{Prefix: []byte("p/"), Limit: 9}) {
					require.NoError(t, entry.Err)
					break // takes p/1 only
				}
				elsewhere(func() {
					require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte("p/2"), nothing) }))
				})
				return tx.Put([]byte("done"), nothing)
			}))
			_, _, conflicts, _ := s.Counts()
			require.Zero(t, conflicts)
			require.Equal(t, 1, runs)
		})
	}
}

var nothing = []byte{}

// elsewhere runs f on another goroutine and waits for it.
func elsewhere(f func()) {
	var running sync.WaitGroup
	running.Go(f)
	running.Wait()
}
