package tree

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Edit turns trees into others and leaves the first as they were. No two edits have the same number, not even after one
// that was dropped: it marks the nodes that an edit may change in place.
type Edit uint64

// own returns n if this edit made it, and otherwise a copy that it may change. The copy of a branch borrows its
// entries.
func (e Edit) own(n *Tree) *Tree {
	switch {
	case n.edit == e:
		return n
	case n.leaf():
		c := newLeaf(e)
		c.items = append(c.items, n.items...)
		return c
	}
	c := n.borrower(e)
	c.children = append(c.children, n.children...)
	return c
}

// ownItems gives n, which the edit owns, entries of its own before they change.
func (e Edit) ownItems(n *Tree) *Tree {
	if n.borrows {
		n.items, n.borrows = append(make([]store.Pair, 0, maxItems), n.items...), false
	}
	return n
}

// ownChild does the same for the i-th child of n, which the edit owns.
func (e Edit) ownChild(n *Tree, i int) *Tree {
	n.children[i] = e.own(n.children[i])
	return n.children[i]
}

// Put returns the tree with an entry, in place of what its key had. It splits every full node on the way down, so that
// no split has to climb back up.
func (e Edit) Put(root *Tree, pair store.Pair) *Tree {
	key := pair.Key()
	root = e.own(root)
	if len(root.items) == maxItems {
		above := newBranch(e)
		above.children = append(above.children, root)
		root = above
		e.split(root, 0, key)
	}
	for n := root; ; {
		i, found := find(n, key)
		switch {
		case found:
			e.ownItems(n).items[i] = pair
			return root
		case n.leaf():
			n.items = slices.Insert(n.items, i, pair)
			return root
		case len(n.children[i].items) == maxItems:
			e.split(n, i, key) // and search n again, which has one item more
		default:
			n = e.ownChild(n, i)
		}
	}
}

// split divides the full i-th child of n at about the place where key belongs; the item between the parts moves up
// into n. So keys that ascend leave nodes behind that are nearly full.
func (e Edit) split(n *Tree, i int, key string) {
	left := e.ownItems(e.ownChild(e.ownItems(n), i))
	at, _ := find(left, key)
	at = min(max(at, minItems), maxItems-1-minItems)
	middle := left.items[at]
	right := left.like(e)
	right.items = append(right.items, left.items[at+1:]...)
	left.items = cut(left.items, at)
	if !left.leaf() {
		right.children = append(right.children, left.children[at+1:]...)
		left.children = cut(left.children, at+1)
	}
	n.items = slices.Insert(n.items, i, middle)
	n.children = slices.Insert(n.children, i+1, right)
}

// Delete returns the tree without a key that it has.
func (e Edit) Delete(root *Tree, key string) *Tree {
	root = e.own(root)
	e.remove(root, key)
	if len(root.items) == 0 && !root.leaf() {
		return root.children[0]
	}
	return root
}

// remove takes key out of the tree below n. On the way down it fills every node that could not lose an item. An
// item of an inner node is replaced by the one before it, which is in a leaf.
func (e Edit) remove(n *Tree, key string) {
	i, found := find(n, key)
	switch {
	case n.leaf():
		if found {
			n.items = slices.Delete(n.items, i, i+1)
		}
	case len(n.children[i].items) == minItems:
		e.fill(n, i)
		e.remove(n, key) // the positions have changed
	case found:
		e.ownItems(n).items[i] = e.removeLast(e.ownChild(n, i))
	default:
		e.remove(e.ownChild(n, i), key)
	}
}

// removeLast takes the last item below n out of the tree.
func (e Edit) removeLast(n *Tree) store.Pair {
	for !n.leaf() {
		last := len(n.children) - 1
		if len(n.children[last].items) == minItems {
			e.fill(n, last)
			continue
		}
		n = e.ownChild(n, last)
	}
	last := n.items[len(n.items)-1]
	n.items = cut(n.items, len(n.items)-1)
	return last
}

// fill gives the i-th child of n more than minItems: from a neighbour with items to spare, or by joining it with a
// neighbour.
func (e Edit) fill(n *Tree, i int) {
	e.ownItems(n)
	switch {
	case i > 0 && len(n.children[i-1].items) > minItems:
		e.fromLeft(n, i)
	case i < len(n.items) && len(n.children[i+1].items) > minItems:
		e.fromRight(n, i)
	default:
		e.join(n, min(i, len(n.items)-1))
	}
}

func (e Edit) fromLeft(n *Tree, i int) {
	left, child := e.ownItems(e.ownChild(n, i-1)), e.ownItems(e.ownChild(n, i))
	last := len(left.items) - 1
	child.items = slices.Insert(child.items, 0, n.items[i-1])
	n.items[i-1] = left.items[last]
	left.items = cut(left.items, last)
	if !child.leaf() {
		child.children = slices.Insert(child.children, 0, left.children[last+1])
		left.children = cut(left.children, last+1)
	}
}

func (e Edit) fromRight(n *Tree, i int) {
	child, right := e.ownItems(e.ownChild(n, i)), e.ownItems(e.ownChild(n, i+1))
	child.items = append(child.items, n.items[i])
	n.items[i] = right.items[0]
	right.items = slices.Delete(right.items, 0, 1)
	if !child.leaf() {
		child.children = append(child.children, right.children[0])
		right.children = slices.Delete(right.children, 0, 1)
	}
}

// join merges the i-th child of n, the item after it and the next child into one node.
func (e Edit) join(n *Tree, i int) {
	child, right := e.ownItems(e.ownChild(n, i)), n.children[i+1]
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
