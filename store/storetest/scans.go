package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func scans() []contract {
	return []contract{
		{"a scan is ordered and bounded, in both directions", testScanTable},
		{"a scan sees the transaction's own writes", testScanOwnWrites},
		{"a scan agrees with a plain model over random writes", testScanModel},
		{"a scan may be stopped early, and repeated", testScanBreak},
		{"no write while a scan is open", testScanThenWrite},
	}
}

// fill stores a/1 to a/4 around neighbours with similar names.
func fill(t *testing.T, s store.Store) {
	t.Helper()
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		for _, key := range []string{"a", "a.", "a/1", "a/2", "a/3", "a/4", "a0", "b", "\xff", "\xff\xff", "\xff\xff1"} {
			if err := tx.Put([]byte(key), []byte("v"+key)); err != nil {
				return err
			}
		}
		return nil
	}))
}

// scanCases are ranges over what fill stored, with the keys that they select, separated by blanks.
var scanCases = []struct {
	name    string
	in      store.Range
	forward string
	reverse string
}{
	{"prefix", rangeOf("a/", "", 9), "a/1 a/2 a/3 a/4", "a/4 a/3 a/2 a/1"},
	{"limit", rangeOf("a/", "", 2), "a/1 a/2", "a/4 a/3"},
	{"limit zero yields none", rangeOf("a/", "", 0), "", ""},
	{"limit below zero yields none", rangeOf("a/", "", -1), "", ""},
	{"from a key", rangeOf("a/", "a/2", 9), "a/2 a/3 a/4", "a/2 a/1"},
	{"from a key, limited", rangeOf("a/", "a/2", 1), "a/2", "a/2"},
	{"from between keys", rangeOf("a/", "a/2x", 9), "a/3 a/4", "a/2 a/1"},
	{"from before the prefix", rangeOf("a/", "a", 9), "a/1 a/2 a/3 a/4", ""},
	{"from after the prefix", rangeOf("a/", "b", 9), "", "a/4 a/3 a/2 a/1"},
	{"from the first key after the prefix", rangeOf("a/", "a0", 9), "", "a/4 a/3 a/2 a/1"},
	{"a prefix that is a key", rangeOf("a", "", 9), "a a. a/1 a/2 a/3 a/4 a0", "a0 a/4 a/3 a/2 a/1 a. a"},
	{"from the prefix itself", rangeOf("a", "a", 9), "a a. a/1 a/2 a/3 a/4 a0", "a"},
	{"absent prefix", rangeOf("a/2x", "", 9), "", ""},
	{"everything", rangeOf("", "", 3), "a a. a/1", "\xff\xff1 \xff\xff \xff"},
	{"everything from a key", rangeOf("", "a0", 3), "a0 b \xff", "a0 a/4 a/3"},
	{"prefix without a successor", rangeOf("\xff", "", 9), "\xff \xff\xff \xff\xff1", "\xff\xff1 \xff\xff \xff"},
	{"the same from a key", rangeOf("\xff", "\xff\xff", 9), "\xff\xff \xff\xff1", "\xff\xff \xff"},
}

func rangeOf(prefix, from string, limit int) store.Range {
	return store.Range{Prefix: []byte(prefix), From: []byte(from), Limit: limit}
}

func testScanTable(t *testing.T, s store.Store) {
	fill(t, s)
	check := func(r store.Reader) {
		for _, c := range scanCases {
			require.Equal(t, strings.Fields(c.forward), keys(t, r, c.in), c.name)
			c.in.Reverse = true
			require.Equal(t, strings.Fields(c.reverse), keys(t, r, c.in), c.name+", reverse")
		}
		for e := range r.Scan(rangeOf("", "", 99)) {
			require.Equal(t, "v"+string(e.Key), string(e.Value))
		}
	}
	require.NoError(t, s.View(background(t), func(r store.Reader) error { check(r); return nil }))
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error { check(tx); return nil }))
}

func testScanOwnWrites(t *testing.T, s store.Store) {
	fill(t, s)
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		require.NoError(t, tx.Put([]byte("a/0"), []byte("first")))
		require.NoError(t, tx.Put([]byte("a/2"), []byte("replaced")))
		require.NoError(t, tx.Delete([]byte("a/3")))
		require.NoError(t, tx.Delete([]byte("a/4")))
		require.NoError(t, tx.Insert([]byte("a/5"), []byte{}))
		in := rangeOf("a/", "", 9)
		require.Equal(t, []string{"a/0", "a/1", "a/2", "a/5"}, keys(t, tx, in))
		for e := range tx.Scan(rangeOf("a/", "a/2", 1)) {
			require.Equal(t, "replaced", string(e.Value))
		}
		in.Reverse = true
		require.Equal(t, []string{"a/5", "a/2", "a/1", "a/0"}, keys(t, tx, in))
		in.Limit = 2
		require.Equal(t, []string{"a/5", "a/2"}, keys(t, tx, in))
		return nil
	}))
}

// model is the simplest store: a map.
type model map[string]string

// keys returns the keys that a range selects.
func (m model) keys(r store.Range) []string {
	found := []string{}
	for key := range m {
		from := string(r.From)
		if strings.HasPrefix(key, string(r.Prefix)) && (from == "" || key == from || key > from != r.Reverse) {
			found = append(found, key)
		}
	}
	slices.Sort(found)
	if r.Reverse {
		slices.Reverse(found)
	}
	return found[:min(r.Limit, len(found))]
}

// testScanModel writes enough to split and join the nodes of any tree, and rolls some of it back.
func testScanModel(t *testing.T, s store.Store) {
	random := rand.New(rand.NewPCG(1, 2))
	m := model{}
	for round := range 60 {
		next, failed := model{}, round%5 == 4
		for k, v := range m {
			next[k] = v
		}
		err := s.Update(background(t), func(tx store.Tx) error {
			for range 60 {
				change(t, random, tx, next, round)
			}
			compare(t, random, tx, next)
			if failed {
				return errOwn
			}
			return nil
		})
		if failed {
			require.ErrorIs(t, err, errOwn)
		} else {
			require.NoError(t, err)
			m = next
		}
		require.NoError(t, s.View(background(t), func(r store.Reader) error {
			compare(t, random, r, m)
			return nil
		}))
	}
}

// change makes one random write to both; in the second half of the rounds mostly removals.
func change(t *testing.T, random *rand.Rand, tx store.Tx, m model, round int) {
	t.Helper()
	key := randomKey(random)
	if random.IntN(60) < round {
		require.NoError(t, tx.Delete([]byte(key)))
		delete(m, key)
		return
	}
	value := fmt.Sprintf("%s in round %d", key, round)
	require.NoError(t, tx.Put([]byte(key), []byte(value)))
	m[key] = value
}

func randomKey(random *rand.Rand) string { return fmt.Sprintf("%03x", random.IntN(1500)) }

func compare(t *testing.T, random *rand.Rand, r store.Reader, m model) {
	t.Helper()
	for range 12 {
		key := randomKey(random)
		want, found := m[key]
		if !found {
			want = "absent"
		}
		require.Equal(t, want, read(t, r, key))
		rg := rangeOf(key[:random.IntN(3)], "", random.IntN(40))
		rg.Reverse = random.IntN(2) == 0
		if random.IntN(2) == 0 {
			rg.From = []byte(randomKey(random))
		}
		require.Equal(t, m.keys(rg), keys(t, r, rg))
	}
	require.Len(t, keys(t, r, rangeOf("", "", 5000)), len(m))
}

func testScanBreak(t *testing.T, s store.Store) {
	fill(t, s)
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		scan := tx.Scan(rangeOf("a/", "", 9))
		for range 2 { // the same sequence can be run twice
			for e := range scan {
				require.Equal(t, "a/1", string(e.Key))
				break
			}
		}
		return tx.Put([]byte("a/9"), []byte("a scan that was stopped is not open"))
	}))
}

func testScanThenWrite(t *testing.T, s store.Store) {
	fill(t, s)
	require.NoError(t, s.Update(background(t), func(tx store.Tx) error {
		for e := range tx.Scan(rangeOf("a/", "", 9)) {
			require.ErrorIs(t, tx.Put(e.Key, []byte("x")), store.ErrScanOpen)
			require.ErrorIs(t, tx.Insert([]byte("x"), []byte("x")), store.ErrScanOpen)
			require.ErrorIs(t, tx.Delete(e.Key), store.ErrScanOpen)
			require.Equal(t, "v"+string(e.Key), read(t, tx, string(e.Key)))
		}
		return tx.Put([]byte("a/1"), []byte("now"))
	}))
	require.Equal(t, "now", get(t, s, "a/1"))
}
