package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
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
	update func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error
}{
	{"Update", func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error { return s.Update(t.Context(), fn) }},
	{"Share", func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error { return s.Share(t.Context(), fn) }},
	{"Optimistic", func(t *testing.T, s *postgres.Store, fn func(store.Tx) error) error {
		return store.Optimistic(t.Context(), s, fn)
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
				schema := newSchema(t)
				both := []*postgres.Store{open(t, schema), open(t, schema)}
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
				require.Equal(t, []int64{1, 1}, []int64{groups + more, conflicts + others})
			})
		}
	}
}

// TestSkews: the write-skew pairs of the study: what each of two transactions reads, the other writes.
func TestSkews(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			both := []*postgres.Store{open(t, schema), open(t, schema)}
			for round := range rounds(t, "TOLLGATE_SKEWS", 100) {
				keys := [][]byte{fmt.Appendf(nil, "a%d", round), fmt.Appendf(nil, "b%d", round)}
				met := newBarrier(2)
				var won atomic.Int64
				var running sync.WaitGroup
				for i, s := range both {
					meet := met.once()
					running.Go(func() {
						mine := false
						err := door.update(t, s, func(tx store.Tx) error {
							_, err := tx.Get(keys[1-i])
							meet()
							if mine = errors.Is(err, store.ErrNotFound); !mine {
								return err
							}
							return tx.Put(keys[i], []byte("x"))
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
				require.Equal(t, int64(1), won.Load(), "round %d", round)
			}
		})
	}
}

// A scan in the middle of a range does not see what is written outside of what it took.
func TestNoFalseConflicts(t *testing.T) {
	t.Parallel()
	for _, door := range doors {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, newSchema(t))
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

// What a shared function assumed is compared, also when it fails or writes nothing because of that.
func TestAssumptionsAreCompared(t *testing.T) {
	t.Parallel()
	s := open(t, newSchema(t))
	key, wrong := []byte("k"), store.NewPair([]byte("k"), []byte("wrong"))
	own := errors.New("own")
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put(key, []byte("right")) }))
	for _, c := range []struct {
		name string
		end  func(tx store.Tx) error
	}{
		{"writes", func(tx store.Tx) error { return tx.Put([]byte("other"), nothing) }},
		{"writes nothing", func(store.Tx) error { return nil }},
		{"fails", func(store.Tx) error { return own }},
		{"reads on", func(tx store.Tx) error { _, err := tx.Get([]byte("absent")); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var told []bool
			_ = s.Share(t.Context(), func(tx store.Tx) error {
				same, err := tx.(store.Frugal).Holds(wrong)
				if told = append(told, same); err != nil || !same {
					return err
				}
				return c.end(tx)
			})
			require.Equal(t, []bool{true, false}, told)
		})
	}
	require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
		_, err := r.Get([]byte("other"))
		require.ErrorIs(t, err, store.ErrNotFound)
		return nil
	}))
	var torn []bool
	require.NoError(t, s.Share(t.Context(), func(tx store.Tx) error { // assumes a value and reads another
		value, err := tx.Get(key)
		same, _ := tx.(store.Frugal).Holds(wrong)
		torn = append(torn, same, bytes.Equal(value, []byte("right")))
		return errors.Join(err, tx.Put([]byte("torn"), nothing))
	}))
	require.Equal(t, []bool{true, true, false, true}, torn)
}
