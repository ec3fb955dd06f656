package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// depth checks the shape below n and returns its height: every node but the root has at least minItems, each has
// one child more than items, and all leaves have one depth.
func depth(t *testing.T, n *node, root bool) int {
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

func TestTreeKeepsItsShape(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	w := &tx{reader: reader{root: newLeaf(0)}}
	present := map[string]bool{}
	for round := range 200 {
		w.stamp++ // as if each round were a transaction
		for range 100 {
			key := fmt.Sprintf("%05d", random.IntN(8000))
			if random.IntN(200) < round { // grows at first and shrinks at the end
				require.NoError(t, w.Delete([]byte(key)))
				delete(present, key)
			} else {
				require.NoError(t, w.Put([]byte(key), []byte{1}))
				present[key] = true
			}
		}
		depth(t, w.root, true)
	}
	for key := range present {
		require.NoError(t, w.Delete([]byte(key)))
	}
	require.Empty(t, w.root.items)
	require.True(t, w.root.leaf())
}

// Keys that ascend within their tables, as those of a gateway do, leave nodes behind that are three quarters full.
func TestAscendingKeysFillTheTree(t *testing.T) {
	t.Parallel()
	w := &tx{reader: reader{root: newLeaf(0)}}
	for n := range 2000 {
		w.stamp++
		for _, table := range []string{"a", "b", "c"} {
			require.NoError(t, w.Put(fmt.Appendf(nil, "%s%05d", table, n), []byte{1}))
		}
	}
	depth(t, w.root, true)
	items, nodes := count(w.root)
	require.Equal(t, 6000, items)
	require.Greater(t, float64(items)/float64(nodes), 0.7*maxItems)
}

// count returns how many items and nodes there are from n down.
func count(n *node) (items, nodes int) {
	items, nodes = len(n.items), 1
	for _, child := range n.children {
		below, more := count(child)
		items, nodes = items+below, nodes+more
	}
	return items, nodes
}
