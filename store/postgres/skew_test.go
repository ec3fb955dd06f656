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

// skew is transactions of which each reads what another writes. Each decides by what it read, and is right in its own
// snapshot; together they are wrong. A serial order lets at most so many of them write.
type skew struct {
	name    string
	members int
	most    int64
	before  int // keys that have values
	// act reads, waits for the others, and writes if it may.
	act func(tx store.Tx, key func(int) []byte, i int, meet func()) (wrote bool, err error)
}

var skews = []skew{
	{"each takes what the other has not taken", 2, 1, 0,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			return take(tx, key(1-i), meet, "absent", func() error { return tx.Put(key(i), []byte("taken")) })
		}},
	{"each leaves while the other stays", 2, 1, 2,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			return take(tx, key(1-i), meet, "here", func() error { return tx.Delete(key(i)) })
		}},
	{"each changes its own by the other's", 2, 1, 2,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			return take(tx, key(1-i), meet, "here", func() error { return tx.Put(key(i), []byte("gone")) })
		}},
	{"three in a ring", 3, 2, 0,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			return take(tx, key((i+1)%3), meet, "absent", func() error { return tx.Put(key(i), []byte("taken")) })
		}},
	{"each finds a range empty", 2, 1, 0,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			n, err := count(tx, store.Range{Prefix: key(-1), Limit: 9})
			if meet(); err != nil || n > 0 {
				return false, err
			}
			return true, tx.Put(key(i), []byte("taken"))
		}},
	{"one finds a range empty, the other a key", 2, 1, 0,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			if i == 0 {
				return take(tx, key(0), meet, "absent", func() error { return tx.Put(key(1), []byte("taken")) })
			}
			n, err := count(tx, store.Range{Prefix: key(-1), Limit: 9})
			if meet(); err != nil || n > 0 {
				return false, err
			}
			return true, tx.Put(key(0), []byte("taken"))
		}},
	{"a range has as many keys, but others", 2, 1, 2,
		func(tx store.Tx, key func(int) []byte, i int, meet func()) (bool, error) {
			other := append([]byte("other"), key(0)...)
			if i == 0 {
				return take(tx, other, meet, "absent", func() error { // 1 and 2 are there in place of 0 and 1
					return errors.Join(tx.Delete(key(0)), tx.Put(key(2), []byte("here")))
				})
			}
			var first []byte
			for entry := range tx.Scan(store.Range{Prefix: key(-1), Limit: 9}) {
				if entry.Err != nil {
					return false, entry.Err
				}
				if first == nil {
					first = entry.Key
				}
			}
			if meet(); !bytes.Equal(first, key(0)) {
				return false, nil
			}
			return true, tx.Put(other, []byte("0 was first"))
		}},
}

// take writes if a key has what is wanted.
func take(tx store.Tx, key []byte, meet func(), wanted string, write func() error) (bool, error) {
	found, err := text(tx, string(key))
	if meet(); err != nil || found != wanted {
		return false, err
	}
	return true, write()
}

// casts are where the transactions run, and how many others are committed beside them, so that they are in one group.
var casts = []struct {
	name   string
	beside int
	of     func(both pair, i int) *postgres.Store
}{
	{"on one instance", 2, func(both pair, _ int) *postgres.Store { return both[0] }},
	{"on two", 0, func(both pair, i int) *postgres.Store { return both[i%2] }},
}

// TestSkews: no transaction is decided by a reader of a stale snapshot. TOLLGATE_SKEWS=10000 has each write-skew pair
// meet so often, by each way to run a transaction; docs/postgres.md has the command.
func TestSkews(t *testing.T) {
	t.Parallel()
	var all atomic.Int64
	t.Cleanup(func() {
		if !t.Failed() {
			t.Logf("skews: pairs=%d ways=%d trials=%d wrong=0", len(skews), len(casts)*len(doors), all.Load())
		}
	})
	for _, c := range skews {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, cast := range casts {
				for _, door := range doors {
					t.Run(cast.name+", by "+door.name, func(t *testing.T) {
						t.Parallel()
						both := lend(t)
						trials := rounds(t, "TOLLGATE_SKEWS", 50)
						for round := range trials {
							c.play(t, both, round, cast.beside, func(i int, fn func(store.Tx) error) error {
								return door.update(t, cast.of(both, i), fn)
							})
						}
						groups, members, conflicts, _ := both[0].Counts()
						all.Add(int64(trials))
						t.Logf("skews: pair=%q way=%q trials=%d groups=%d members=%d conflicts=%d",
							c.name, cast.name+", by "+door.name, trials, groups, members, conflicts)
					})
				}
			}
		})
	}
}

// play makes the transactions meet once: all have read before one commits.
func (c skew) play(t *testing.T, both pair, round, beside int,
	update func(i int, fn func(store.Tx) error) error,
) {
	t.Helper()
	key := func(i int) []byte {
		if i < 0 {
			return fmt.Appendf(nil, "k\x00%d/", round)
		}
		return fmt.Appendf(nil, "k\x00%d/%d", round, i)
	}
	if c.before > 0 {
		require.NoError(t, both[round%2].Update(t.Context(), func(tx store.Tx) error {
			for i := range c.before {
				if err := tx.Put(key(i), []byte("here")); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	met := newBarrier(c.members + beside)
	var won atomic.Int64
	var running sync.WaitGroup
	for i := range beside {
		meet := met.once()
		running.Go(func() {
			err := update(i, func(tx store.Tx) error {
				meet()
				return tx.Put(fmt.Appendf(nil, "beside%d", i), nothing)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for i := range c.members {
		meet := met.once()
		running.Go(func() {
			wrote := false
			err := update(i, func(tx store.Tx) (err error) {
				wrote, err = c.act(tx, key, i, meet)
				return err
			})
			meet() // where it has ended before
			if err != nil {
				t.Error(err)
			}
			if wrote {
				won.Add(1)
			}
		})
	}
	running.Wait()
	require.False(t, t.Failed())
	require.Positive(t, won.Load(), "round %d: nothing was written", round)
	require.LessOrEqual(t, won.Load(), c.most, "round %d: decided by what was there no more", round)
}
