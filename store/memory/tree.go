package memory

import "github.com/tollgatepay/gateway/store"

// Entries per node; a root may hold fewer. Few are cheap to copy, many make a flat tree.
const (
	minItems = 3
	maxItems = 16
)

// node is a node of a B-tree: its entries in order, and unless it is a leaf one child more than entries,
// children[i] holding what lies before items[i]. Only the transaction whose stamp the node has may edit it. Once
// that transaction has ended the node does not change.
type node struct {
	stamp    uint64
	items    []store.Pair
	children []*node
}

// newLeaf returns a node without children. It is one piece of memory with the room for its entries.
func newLeaf(stamp uint64) *node {
	n := &struct {
		node
		items [maxItems]store.Pair
	}{node: node{stamp: stamp}}
	n.node.items = n.items[:0]
	return &n.node
}

// newBranch returns a node with room for children too.
func newBranch(stamp uint64) *node {
	n := &struct {
		node
		items    [maxItems]store.Pair
		children [maxItems + 1]*node
	}{node: node{stamp: stamp}}
	n.node.items, n.node.children = n.items[:0], n.children[:0]
	return &n.node
}

// like returns an empty node of the same kind.
func (n *node) like(stamp uint64) *node {
	if n.leaf() {
		return newLeaf(stamp)
	}
	return newBranch(stamp)
}

func (n *node) leaf() bool { return len(n.children) == 0 }

// text is a key in the form in which the caller has it: nothing is copied to compare it.
type text interface{ ~string | ~[]byte }

// find returns the place of the first item of n at or after key, and whether that item has the key.
func find[K text](n *node, key K) (int, bool) {
	low, high := 0, len(n.items)
	for low < high {
		middle := int(uint(low+high) / 2)
		if n.items[middle].Key() < string(key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(n.items) && n.items[low].Key() == string(key)
}

// get returns the entry of key below n, or "".
func get[K text](n *node, key K) store.Pair {
	for {
		i, found := find(n, key)
		if found {
			return n.items[i]
		}
		if n.leaf() {
			return ""
		}
		n = n.children[i]
	}
}

// ascend visits the items at or after low and before high (nil: to the end) until visit returns false.
// It returns false when it was stopped.
func (n *node) ascend(low, high []byte, visit func(store.Pair) bool) bool {
	i, found := find(n, low)
	if !n.leaf() && !found && !n.children[i].ascend(low, high, visit) {
		return false
	}
	for ; i < len(n.items); i++ {
		it := n.items[i]
		if high != nil && it.Key() >= string(high) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i+1].ascend(nil, high, visit) {
			return false
		}
	}
	return true
}

// descend visits the same items as ascend, the last one first.
func (n *node) descend(low, high []byte, visit func(store.Pair) bool) bool {
	i := len(n.items)
	if high != nil {
		i, _ = find(n, high)
	}
	if !n.leaf() && !n.children[i].descend(low, high, visit) {
		return false
	}
	for i--; i >= 0; i-- {
		it := n.items[i]
		if it.Key() < string(low) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i].descend(low, nil, visit) {
			return false
		}
	}
	return true
}
