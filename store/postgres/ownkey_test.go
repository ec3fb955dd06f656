package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// hand is what a transaction does with a key that others want too. It reads it first.
type hand func(tx store.Tx, key []byte, before string) error

// appends writes a letter more.
func appends(letter string) hand {
	return func(tx store.Tx, key []byte, before string) error { return tx.Put(key, []byte(before+letter)) }
}

func removes(tx store.Tx, key []byte, _ string) error { return tx.Delete(key) }

// ownKeys are transactions that write the key that they have read, and what may be there in the end: what one after the
// other would leave.
var ownKeys = []struct {
	name   string
	before string // empty: the key is absent
	hands  []hand
	serial []string
}{
	{"both insert", "", []hand{appends("a"), appends("b")}, []string{"ab", "ba"}},
	{"both change", "x", []hand{appends("a"), appends("b")}, []string{"xab", "xba"}},
	{"one changes, one removes", "x", []hand{appends("a"), removes}, []string{"", "a"}},
	{"one inserts, one removes", "", []hand{appends("a"), removes}, []string{"", "a"}},
	{"three insert", "", []hand{appends("a"), appends("b"), appends("c")},
		[]string{"abc", "acb", "bac", "bca", "cab", "cba"}},
}

// TestUpdatesAreCompared: transactions of two instances read a key at the same time and write it. None is lost, and who
// is committed beside them does not notice.
func TestUpdatesAreCompared(t *testing.T) {
	t.Parallel()
	for _, c := range ownKeys {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			both := lend(t)
			for round := range rounds(t, "TOLLGATE_SKEWS", 30) {
				key := fmt.Appendf(nil, "own/%d", round)
				if c.before != "" {
					require.NoError(t, both[0].Update(t.Context(), func(tx store.Tx) error {
						return tx.Put(key, []byte(c.before))
					}))
				}
				atOnce(t, both, key, c.hands)
				require.Contains(t, c.serial, there(t, both[round%2], key))
				for i := range c.hands {
					require.Equal(t, "beside", there(t, both[round%2], beside(key, i)))
				}
			}
		})
	}
}

// atOnce runs a transaction for each hand and one beside it. All have read before one commits.
func atOnce(t *testing.T, both pair, key []byte, hands []hand) {
	t.Helper()
	met := newBarrier(2 * len(hands))
	var running sync.WaitGroup
	update := func(i int, key []byte, do hand) {
		meet := met.once()
		running.Go(func() {
			err := both[i%2].Update(t.Context(), func(tx store.Tx) error {
				before, err := text(tx, string(key))
				if before == "absent" {
					before = ""
				}
				if meet(); err != nil {
					return err
				}
				return do(tx, key, before)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for i, do := range hands {
		update(i, key, do)
		update(i, beside(key, i), appends("beside"))
	}
	running.Wait()
	require.False(t, t.Failed())
}

func beside(key []byte, i int) []byte { return fmt.Appendf(nil, "%s/%d", key, i) }

// there returns the value of a key, empty if it is absent.
func there(t *testing.T, s *postgres.Store, key []byte) string {
	t.Helper()
	if found := textIn(t, s, string(key)); found != "absent" {
		return found
	}
	return ""
}
