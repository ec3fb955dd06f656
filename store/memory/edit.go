package memory

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// own returns n if this transaction made it, and otherwise a copy that it may edit.
func (t *tx) own(n *node) *node {
	if n.stamp == t.stamp {
		return n
	}
	c := n.like(t.stamp)
	c.items = append(c.items, n.items...)
	c.children = append(c.children, n.children...)
	return c
}

// ownChild does the same for the i-th child of n, which the transaction owns.
func (t *tx) ownChild(n *node, i int) *node {
	n.children[i] = t.own(n.children[i])
	return n.children[i]
}

// put stores an entry, splitting every full node on the way down so that no split has to climb back up.
func (t *tx) put(pair store.Pair) {
	key := pair.Key()
	t.root = t.own(t.root)
	if len(t.root.items) == maxItems {
		above := newBranch(t.stamp)
		above.children = append(above.children, t.root)
		t.root = above
		t.split(t.root, 0, key)
	}
	for n := t.root; ; {
		i, found := find(n, key)
		switch {
		case found:
			n.items[i] = pair
			return
		case n.leaf():
			n.items = slices.Insert(n.items, i, pair)
			return
		case len(n.children[i].items) == maxItems:
			t.split(n, i, key) // and search n again, which has one item more
		default:
			n = t.ownChild(n, i)
		}
	}
}

// split divides the full i-th child of n at about the place where key belongs; the item between the parts moves up
// into n. So keys that ascend leave nodes behind that are nearly full.
func (t *tx) split(n *node, i int, key string) {
	left := t.ownChild(n, i)
	at, _ := find(left, key)
	at = min(max(at, minItems), maxItems-1-minItems)
	middle := left.items[at]
	right := left.like(t.stamp)
	right.items = append(right.items, left.items[at+1:]...)
	left.items = cut(left.items, at)
	if !left.leaf() {
		right.children = append(right.children, left.children[at+1:]...)
		left.children = cut(left.children, at+1)
	}
	n.items = slices.Insert(n.items, i, middle)
	n.children = slices.Insert(n.children, i+1, right)
}

// delete removes key, which must be present.
func (t *tx) delete(key string) {
	t.root = t.own(t.root)
	t.remove(t.root, key)
	if len(t.root.items) == 0 && !t.root.leaf() {
		t.root = t.root.children[0]
	}
}

// remove takes key out of the tree below n. On the way down it fills every node that could not lose an item. An
// item of an inner node is replaced by the one before it, which is in a leaf.
func (t *tx) remove(n *node, key string) {
	i, found := find(n, key)
	switch {
	case n.leaf():
		if found {
			n.items = slices.Delete(n.items, i, i+1)
		}
	case len(n.children[i].items) == minItems:
		t.fill(n, i)
		t.remove(n, key) // the positions have changed
	case found:
		n.items[i] = t.removeLast(t.ownChild(n, i))
	default:
		t.remove(t.ownChild(n, i), key)
	}
}

// removeLast takes the last item below n out of the tree.
func (t *tx) removeLast(n *node) store.Pair {
	for !n.leaf() {
		last := len(n.children) - 1
		if len(n.children[last].items) == minItems {
			t.fill(n, last)
			continue
		}
		n = t.ownChild(n, last)
	}
	last := n.items[len(n.items)-1]
	n.items = cut(n.items, len(n.items)-1)
	return last
}

// fill gives the i-th child of n more than minItems: from a neighbour with items to spare, or by joining it with a
// neighbour.
func (t *tx) fill(n *node, i int) {
	switch {
	case i > 0 && len(n.children[i-1].items) > minItems:
		t.fromLeft(n, i)
	case i < len(n.items) && len(n.children[i+1].items) > minItems:
		t.fromRight(n, i)
	default:
		t.join(n, min(i, len(n.items)-1))
	}
}

func (t *tx) fromLeft(n *node, i int) {
	left, child := t.ownChild(n, i-1), t.ownChild(n, i)
	last := len(left.items) - 1
	child.items = slices.Insert(child.items, 0, n.items[i-1])
	n.items[i-1] = left.items[last]
	left.items = cut(left.items, last)
	if !child.leaf() {
		child.children = slices.Insert(child.children, 0, left.children[last+1])
		left.children = cut(left.children, last+1)
	}
}

func (t *tx) fromRight(n *node, i int) {
	child, right := t.ownChild(n, i), t.ownChild(n, i+1)
	child.items = append(child.items, n.items[i])
	n.items[i] = right.items[0]
	right.items = slices.Delete(right.items, 0, 1)
	if !child.leaf() {
		child.children = append(child.children, right.children[0])
		right.children = slices.Delete(right.children, 0, 1)
	}
}

// join merges the i-th child of n, the item after it and the next child into one node.
func (t *tx) join(n *node, i int) {
	child, right := t.ownChild(n, i), n.children[i+1]
	child.items = append(append(child.items, n.items[i]), right.items...)
	child.children = append(child.children, right.children...)
	n.items = slices.Delete(n.items, i, i+1)
	n.children = slices.Delete(n.children, i+1, i+2)
}

// cut shortens s to n elements and clears the rest for the garbage collector.
func cut[S ~[]E, E any](s S, n int) S {
	clear(s[n:])
	return s[:n]
}
