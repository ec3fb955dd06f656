package tree

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
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

// past is every tree of a test, with its entries. An edit shows in no other tree, also when several start from one, as
// after edits that were dropped.
type past struct {
	roots []*Tree
	wants [][]store.Pair
}

// put makes an edit of one entry of the tree at, and returns the tree that it makes.
func (h *past) put(at int, p store.Pair) int {
	want := slices.Clone(h.wants[at])
	i, found := slices.BinarySearchFunc(want, p, byKey)
	if found {
		want[i] = p
	} else {
		want = slices.Insert(want, i, p)
	}
	return h.add(Edit(len(h.roots)).Put(h.roots[at], p), want)
}

// delete makes an edit without the n-th entry of the tree at.
func (h *past) delete(at, n int) int {
	root := Edit(len(h.roots)).Delete(h.roots[at], h.wants[at][n].Key())
	return h.add(root, slices.Delete(slices.Clone(h.wants[at]), n, n+1))
}

func (h *past) add(root *Tree, want []store.Pair) int {
	h.roots, h.wants = append(h.roots, root), append(h.wants, want)
	return len(h.roots) - 1
}

func byKey(a, b store.Pair) int { return strings.Compare(a.Key(), b.Key()) }

func (h *past) check(t *testing.T) {
	t.Helper()
	for n, want := range h.wants {
		got := make([]store.Pair, 0, len(want))
		h.roots[n].Ascend(nil, nil, func(p store.Pair) bool {
			got = append(got, p)
			return true
		})
		require.True(t, slices.Equal(want, got), "the tree of edit %d is another", n)
	}
}

func TestEarlierTreesStay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for name, place := range map[string]func(n int) int{
		"from the first": func(int) int { return 0 }, "from the last": func(n int) int { return n - 1 },
		"anywhere": random.IntN,
	} {
		t.Run(name, func(t *testing.T) {
			const size = 700
			h := &past{roots: []*Tree{New()}, wants: [][]store.Pair{nil}}
			entry := func() store.Pair {
				return store.NewPair(fmt.Appendf(nil, "%04d", random.IntN(3*size)), fmt.Append(nil, len(h.roots)))
			}
			at := 0
			for len(h.wants[at]) < size {
				h.put(at, entry()) // dropped
				at = h.put(at, entry())
			}
			for len(h.wants[at]) > 0 {
				h.delete(at, random.IntN(len(h.wants[at]))) // dropped
				h.put(at, entry())
				at = h.delete(at, place(len(h.wants[at])))
			}
			h.check(t)
		})
	}
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
