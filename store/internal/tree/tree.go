// Package tree is a B-tree of entries that keeps its earlier states: an edit copies each node that it changes once, and
// edits the copy in place. A reader that holds an earlier root sees the earlier entries, without a lock.
package tree

import "github.com/tollgatepay/gateway/store"

// Entries per node; a root may hold fewer. Few are cheap to copy, many make a flat tree.
const (
	minItems = 3
	maxItems = 16
)

// Tree is the root of a B-tree, and any node of it: its entries in order, and unless it is a leaf one child more than
// entries, children[i] holding what lies before items[i]. Only the edit that made a node may change it. Once that
// edit is over the node does not change.
type Tree struct {
	edit     Edit // that made it
	items    []store.Pair
	children []*Tree
	borrows  bool // its entries are those of the node that it is a copy of: most edits change children alone
}

// New returns an empty tree.
func New() *Tree { return newLeaf(0) }

// newLeaf returns a node without children. It is one piece of memory with the room for its entries.
func newLeaf(edit Edit) *Tree {
	n := &struct {
		Tree
		items [maxItems]store.Pair
	}{Tree: Tree{edit: edit}}
	n.Tree.items = n.items[:0]
	return &n.Tree
}

// newBranch returns a node with room for children too.
func newBranch(edit Edit) *Tree {
	n := &struct {
		Tree
		items    [maxItems]store.Pair
		children [maxItems + 1]*Tree
	}{Tree: Tree{edit: edit}}
	n.Tree.items, n.Tree.children = n.items[:0], n.children[:0]
	return &n.Tree
}

// borrower returns a branch with the entries of another, and room for children alone.
func (n *Tree) borrower(edit Edit) *Tree {
	c := &struct {
		Tree
		children [maxItems + 1]*Tree
	}{Tree: Tree{edit: edit, items: n.items, borrows: true}}
	c.Tree.children = c.children[:0]
	return &c.Tree
}

// like returns an empty node of the same kind.
func (n *Tree) like(edit Edit) *Tree {
	if n.leaf() {
		return newLeaf(edit)
	}
	return newBranch(edit)
}

func (n *Tree) leaf() bool { return len(n.children) == 0 }

// text is a key in the form in which the caller has it: nothing is copied to compare it.
type text interface{ ~string | ~[]byte }

// find returns the place of the first item of n at or after key, and whether that item has the key.
func find[K text](n *Tree, key K) (int, bool) {
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

// Get returns the entry of key, or "".
func Get[K text](n *Tree, key K) store.Pair {
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

// Ascend visits the items at or after low and before high (nil: to the end) until visit returns false.
// It returns false when it was stopped.
func (n *Tree) Ascend(low, high []byte, visit func(store.Pair) bool) bool {
	i, found := find(n, low)
	if !n.leaf() && !found && !n.children[i].Ascend(low, high, visit) {
		return false
	}
	for ; i < len(n.items); i++ {
		it := n.items[i]
		if high != nil && it.Key() >= string(high) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i+1].Ascend(nil, high, visit) {
			return false
		}
	}
	return true
}

// Descend visits the same items as Ascend, the last one first.
func (n *Tree) Descend(low, high []byte, visit func(store.Pair) bool) bool {
	i := len(n.items)
	if high != nil {
		i, _ = find(n, high)
	}
	if !n.leaf() && !n.children[i].Descend(low, high, visit) {
		return false
	}
	for i--; i >= 0; i-- {
		it := n.items[i]
		if it.Key() < string(low) || !visit(it) {
			return false
		}
		if !n.leaf() && !n.children[i].Descend(low, nil, visit) {
			return false
		}
	}
	return true
}
