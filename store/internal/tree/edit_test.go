package tree

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// depth checks the shape below n and returns its height: every node but the root has at least minItems, each has
// one child more than items, and all leaves have one depth.
func depth(t *testing.T, n *Tree, root bool) int {
	t.Helper()
	require.LessOrEqual(t, len(n.items), maxItems)
	if !root {
		require.GreaterOrEqual(t, len(n.items), minItems)
	}
	if n.leaf() {
		return 1
	}
	require.Len(t, n.children, len(n.items)+1)
	height := depth(t, n.children[0], false)
	for _, child := range n.children[1:] {
		require.Equal(t, height, depth(t, child, false))
	}
	return height + 1
}

func pair(key string) store.Pair { return store.NewPair([]byte(key), []byte{1}) }

func TestTreeKeepsItsShape(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	root, edit, present := New(), Edit(0), map[string]bool{}
	for round := range 200 {
		edit++
		for range 100 {
			key := fmt.Sprintf("%05d", random.IntN(8000))
			if random.IntN(200) >= round { // grows at first and shrinks at the end
				root = edit.Put(root, pair(key))
				present[key] = true
			} else if present[key] {
				root = edit.Delete(root, key)
				delete(present, key)
			}
		}
		depth(t, root, true)
		checkCursor(t, root, present, random)
	}
	edit++
	for key := range present {
		root = edit.Delete(root, key)
	}
	require.Empty(t, root.items)
	require.True(t, root.leaf())
}

// checkCursor compares walks from a few keys, in both directions, with a sorted list of all keys.
func checkCursor(t *testing.T, root *Tree, present map[string]bool, random *rand.Rand) {
	t.Helper()
	keys := slices.Sorted(maps.Keys(present))
	for range 5 {
		bound := fmt.Appendf(nil, "%05d", random.IntN(8000))
		i, _ := slices.BinarySearch(keys, string(bound))
		var c Cursor
		var ahead, behind []string
		for at := c.First(root, bound); at != ""; at = c.Next() {
			ahead = append(ahead, at.Key())
		}
		for at := c.Last(root, bound); at != ""; at = c.Prev() {
			behind = append(behind, at.Key())
		}
		slices.Reverse(behind)
		require.Equal(t, keys, append(behind, ahead...))
		require.Len(t, ahead, len(keys)-i)
		require.Empty(t, c.Next()+c.Prev(), "a cursor at its end stays there")
	}
	var c Cursor
	require.Empty(t, c.Next()+c.Prev())
	if len(keys) > 0 {
		require.Equal(t, keys[0], c.First(root, nil).Key())
		require.Equal(t, keys[len(keys)-1], c.Last(root, nil).Key())
	}
}

// An edit shows in no tree that was there before it.
func TestEarlierTreesStay(t *testing.T) {
	t.Parallel()
	before := New()
	for n := range 500 {
		before = Edit(1).Put(before, pair(fmt.Sprintf("%03d", n)))
	}
	after := before
	for n := range 500 {
		after = Edit(2).Delete(after, fmt.Sprintf("%03d", n))
		after = Edit(2).Put(after, pair(fmt.Sprintf("x%03d", n)))
	}
	n := 0
	require.True(t, before.Ascend(nil, nil, func(p store.Pair) bool {
		require.Equal(t, fmt.Sprintf("%03d", n), p.Key())
		n++
		return true
	}))
	require.Equal(t, 500, n)
}

// Keys that ascend within their tables, as those of a gateway do, leave nodes behind that are three quarters full.
func TestAscendingKeysFillTheTree(t *testing.T) {
	t.Parallel()
	root := New()
	for n := range 2000 {
		edit := Edit(n + 1)
		for _, table := range []string{"a", "b", "c"} {
			root = edit.Put(root, pair(fmt.Sprintf("%s%05d", table, n)))
		}
	}
	depth(t, root, true)
	items, nodes := count(root)
	require.Equal(t, 6000, items)
	require.Greater(t, float64(items)/float64(nodes), 0.7*maxItems)
}

// count returns how many items and nodes there are from n down.
func count(n *Tree) (items, nodes int) {
	items, nodes = len(n.items), 1
	for _, child := range n.children {
		below, more := count(child)
		items, nodes = items+below, nodes+more
	}
	return items, nodes
}
