package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// depth checks the shape below n and returns its height: every node but the root is at least half full and has one
// child more than items, and all leaves have one depth.
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
	w := &tx{reader: reader{root: &node{}}}
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
