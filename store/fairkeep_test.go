package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// A lane that is empty keeps its turns as long as the guard says so: putting the next entry into it writes no mark.
func TestFairQueueKeeps(t *testing.T) {
	t.Parallel()
	at := store.Spot{Group: "a", Lane: "x"}
	for _, c := range []struct {
		name  string
		keep  func(store.Spot) bool
		marks int // of a lane and of a group
	}{
		{"nothing", nil, 0},
		{"another", func(s store.Spot) bool { return s != at }, 0},
		{"this one", func(s store.Spot) bool { return s == at }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				var turns store.Turns
				guard := store.Guard{Keep: c.keep}
				for range 3 {
					queued(t, tx, noon, "a/x/1")
					require.Equal(t, []string{"1"}, takeFrom(t, tx, &turns, 9, guard))
					require.Len(t, allKeys(t, tx), c.marks)
					taken, moved, err := fair.Take(tx, noon, &turns, 9, guard)
					require.NoError(t, err)
					require.Empty(t, taken)
					require.Zero(t, moved, "to look again would find nothing either")
				}
				require.Empty(t, takeFrom(t, tx, &turns, 9, store.Guard{}))
				empty(t, tx)
			})
		})
	}
}
