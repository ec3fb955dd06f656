package memory

// Items per node; a root may hold fewer. Few items are cheap to copy, many make a flat tree.
const (
	minItems = 7
	maxItems = 2*minItems + 1
)

// item is one entry. Its strings never change, so nodes share them.
type item struct{ key, value string }

// node is a node of a B-tree: its items in order, and unless it is a leaf one child more than items, children[i]
// holding what lies before items[i]. Only the transaction whose stamp the node has may edit it. Once that
// transaction has ended the node does not change.
type node struct {
	stamp    uint64
	items    []item
	children []*node
}

func (n *node) leaf() bool { return len(n.children) == 0 }

// find returns the place of the first item at or after key, and whether that item has the key.
func (n *node) find(key []byte) (int, bool) {
	low, high := 0, len(n.items)
	for low < high {
		middle := int(uint(low+high) / 2)
		if n.items[middle].key < string(key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(n.items) && n.items[low].key == string(key)
}

func (n *node) get(key []byte) (string, bool) {
	for {
		i, found := n.find(key)
		if found {
			return n.items[i].value, true
		}
		if n.leaf() {
			return "", false
		}
		n = n.children[i]
	}
}

// ascend visits the items at or after low and before high (nil: to the end) until visit returns false.
// It returns false when it was stopped.
func (n *node) ascend(low, high []byte, visit func(*item) bool) bool {
	i, found := n.find(low)
	if !n.leaf() && !found && !n.children[i].ascend(low, high, visit) {
		return false
	}
	for ; i < len(n.items); i++ {
		it := &n.items[i]
		if high != nil && it.key >= string(high) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i+1].ascend(nil, high, visit) {
			return false
		}
	}
	return true
}

// descend visits the same items as ascend, the last one first.
func (n *node) descend(low, high []byte, visit func(*item) bool) bool {
	i := len(n.items)
	if high != nil {
		i, _ = n.find(high)
	}
	if !n.leaf() && !n.children[i].descend(low, high, visit) {
		return false
	}
	for i--; i >= 0; i-- {
		it := &n.items[i]
		if it.key < string(low) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i].descend(low, nil, visit) {
			return false
		}
	}
	return true
}
