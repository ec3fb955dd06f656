package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// chosen returns the ids of what Choose chooses.
func chosen(t *testing.T, r store.Reader, turns *store.Turns, limit int, guard store.Guard) (ids []string, moved int) {
	t.Helper()
	list, moved, err := fair.Choose(r, noon.Add(time.Hour), turns, limit, guard)
	require.NoError(t, err)
	for _, entry := range list {
		ids = append(ids, entry.ID)
	}
	return ids, moved
}

// Choose chooses what Take would take, in the same turns, and changes nothing.
func TestFairQueueChooses(t *testing.T) {
	t.Parallel()
	items := []string{"a/x/a1", "a/x/a2", "a/x/a3", "a/y/a4", "b/x/b1", "c/z/c1", "c/z/c2"}
	for limit := 1; limit <= len(items)+1; limit++ {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				queued(t, tx, noon, items...)
				before := allKeys(t, tx)
				var turns, same store.Turns
				ids, moved := chosen(t, tx, &turns, limit, store.Guard{})
				require.Zero(t, moved)
				require.Equal(t, before, allKeys(t, tx))
				require.Equal(t, takeFrom(t, tx, &same, limit, store.Guard{}), ids)
			})
		})
	}
}

func allKeys(t *testing.T, tx store.Tx) (keys []string) {
	t.Helper()
	for entry := range tx.Scan(store.Range{Prefix: []byte("f"), Limit: 999}) {
		require.NoError(t, entry.Err)
		keys = append(keys, string(entry.Key))
	}
	return keys
}

// Choose counts what else there is to do, and leaves that to Take too.
func TestFairQueueChoosesOnly(t *testing.T) {
	t.Parallel()
	at, block := store.Spot{Group: "a", Lane: "x"}, store.Block{Name: "block", Until: noon.Add(2 * time.Hour)}
	for _, c := range []struct {
		name  string
		begin func(t *testing.T, tx store.Tx)
		guard store.Guard
	}{
		{"a group that is blocked", nil, store.Guard{GroupBlock: func(string) (store.Block, error) { return block, nil }}},
		{"a lane that is blocked", nil, store.Guard{LaneBlock: func(store.Spot) (store.Block, error) { return block, nil }}},
		{"an entry that came too early", func(t *testing.T, tx store.Tx) {
			require.NoError(t, fair.Remove(tx, at, "1", noon, noon.Add(time.Hour)))
			require.NoError(t, fair.Put(tx, at, "2", noon.Add(9*time.Hour), noon.Add(9*time.Hour)))
		}, store.Guard{}},
		{"an empty lane", func(t *testing.T, tx store.Tx) {
			require.NoError(t, fair.Remove(tx, at, "1", noon, noon.Add(time.Hour)))
		}, store.Guard{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				queued(t, tx, noon, "a/x/1")
				if c.begin != nil {
					c.begin(t, tx)
				}
				before := allKeys(t, tx)
				ids, moved := chosen(t, tx, &store.Turns{}, 9, c.guard)
				require.Empty(t, ids)
				require.Positive(t, moved)
				require.Equal(t, before, allKeys(t, tx))
				taken, same, err := fair.Take(tx, noon.Add(time.Hour), &store.Turns{}, 9, c.guard)
				require.NoError(t, err)
				require.Empty(t, taken)
				require.Positive(t, same)
				require.NotEqual(t, before, allKeys(t, tx))
			})
		})
	}
}

// Choose begins behind as many entries of each lane as it is told to skip, and anywhere in a shorter lane.
func TestFairQueueSkips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		skip int
		want []string
	}{
		{0, []string{"a1", "b1", "a2", "a3"}},
		{1, []string{"a2", "b1", "a3"}},
		{2, []string{"a3", "b1"}},
		{3, []string{"a1", "b1", "a2", "a3"}},
		{4, []string{"a2", "b1", "a3"}},
	} {
		t.Run(fmt.Sprint(c.skip), func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				queued(t, tx, noon, "a/x/a1", "a/x/a2", "a/x/a3", "b/x/b1")
				ids, _ := chosen(t, tx, &store.Turns{}, 9, store.Guard{Skip: c.skip})
				require.Equal(t, c.want, ids)
				require.Equal(t, []string{"a1", "b1", "a2", "a3"}, takeFrom(t, tx, &store.Turns{}, 9, store.Guard{Skip: c.skip}))
			})
		})
	}
}

// What came due after the guard's moment stays where it is, and its lane keeps its turns.
func TestFairQueueLeavesWhatIsFresh(t *testing.T) {
	t.Parallel()
	guard := store.Guard{Until: noon.Add(time.Minute)}
	for _, c := range []struct {
		name string
		due  time.Time
		left bool
	}{
		{"before it", noon, false},
		{"at it", guard.Until, false},
		{"after it", guard.Until.Add(time.Microsecond), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				queued(t, tx, c.due, "a/x/1")
				want := []string{"1"}
				if c.left {
					want = nil
				}
				ids, moved := chosen(t, tx, &store.Turns{}, 9, guard)
				require.Equal(t, want, ids)
				require.Zero(t, moved)
				require.Equal(t, want, takeFrom(t, tx, &store.Turns{}, 9, guard))
				if c.left {
					require.Equal(t, []string{"1"}, takeFrom(t, tx, &store.Turns{}, 9, store.Guard{}))
				}
				empty(t, tx)
			})
		})
	}
}

// What a clock that is ahead brought too early is put off, though it came due after the guard's moment too.
func TestFairQueuePutsOffWhatIsEarly(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		now := noon.Add(time.Hour)
		at := store.Spot{Group: "a", Lane: "x"}
		require.NoError(t, fair.Put(tx, at, "early", now.Add(time.Hour), now.Add(time.Hour)))
		guard := store.Guard{Until: now.Add(-time.Minute)}
		taken, moved, err := fair.Take(tx, now, &store.Turns{}, 9, guard)
		require.NoError(t, err)
		require.Empty(t, taken)
		require.Equal(t, 1, moved)
		some, err := fair.Offers(tx, now, &store.Turns{}, guard)
		require.NoError(t, err)
		require.False(t, some, "its lane has no turns until then")
		next, err := fair.Next(tx)
		require.NoError(t, err)
		require.Equal(t, now.Add(time.Hour), next)
	})
}

// Pick takes the entry of one item that is in its lane, once, and nothing else.
func TestFairQueuePicks(t *testing.T) {
	t.Parallel()
	at := store.Spot{Group: "a", Lane: "x"}
	update(t, func(tx store.Tx) {
		queued(t, tx, noon, "a/x/1", "a/x/2")
		for _, c := range []struct {
			name  string
			at    store.Spot
			id    string
			due   time.Time
			there bool
		}{
			{"another lane", store.Spot{Group: "a", Lane: "y"}, "1", noon, false},
			{"another group", store.Spot{Group: "b", Lane: "x"}, "1", noon, false},
			{"another time", at, "1", noon.Add(time.Second), false},
			{"another item", at, "3", noon, false},
			{"the item", at, "1", noon, true},
			{"the item again", at, "1", noon, false},
		} {
			there, err := fair.Pick(tx, c.at, c.id, c.due)
			require.NoError(t, err, c.name)
			require.Equal(t, c.there, there, c.name)
		}
		require.Equal(t, []string{"2"}, takeFrom(t, tx, &store.Turns{}, 9, store.Guard{}))
		empty(t, tx)
	})
}
