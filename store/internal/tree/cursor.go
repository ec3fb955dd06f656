package tree

import "github.com/tollgatepay/gateway/store"

// Cursor goes through the entries of a tree, one by one, in one direction. The zero value has no tree.
type Cursor struct {
	path []place // from the root down
	room [usualHeight]place
}

// usualHeight is that of a tree of some ten thousand entries.
const usualHeight = 6

// place is where a path passes a node: behind its child i and before its item i.
type place struct {
	node *Tree
	i    int
}

// First places the cursor on the first entry at or after low, from which Next goes on. It returns "" when there is
// none.
func (c *Cursor) First(root *Tree, low []byte) store.Pair {
	c.path = c.room[:0]
	for n := root; ; {
		i, found := find(n, low)
		c.path = append(c.path, place{n, i})
		if found || n.leaf() {
			return c.ahead()
		}
		n = n.children[i]
	}
}

// Next goes on to the next entry, or to the end, where it returns "".
func (c *Cursor) Next() store.Pair {
	if len(c.path) == 0 {
		return ""
	}
	top := &c.path[len(c.path)-1]
	top.i++
	for n := top.node; !n.leaf(); {
		n = n.children[c.path[len(c.path)-1].i]
		c.path = append(c.path, place{n, 0})
	}
	return c.ahead()
}

// ahead leaves the nodes that have no more items, and returns the next item.
func (c *Cursor) ahead() store.Pair {
	for last := len(c.path) - 1; last >= 0; last-- {
		if top := c.path[last]; top.i < len(top.node.items) {
			return top.node.items[top.i]
		}
		c.path = c.path[:last]
	}
	return ""
}

// Last places the cursor on the last entry before high, or on the last of all with a nil high, from which Prev goes on.
// It returns "" when there is none.
func (c *Cursor) Last(root *Tree, high []byte) store.Pair {
	c.path = c.room[:0]
	for n := root; ; {
		i := len(n.items)
		if high != nil {
			i, _ = find(n, high)
		}
		c.path = append(c.path, place{n, i})
		if n.leaf() {
			return c.behind()
		}
		n = n.children[i]
	}
}

// Prev goes back to the entry before, or to the beginning, where it returns "".
func (c *Cursor) Prev() store.Pair {
	if len(c.path) == 0 {
		return ""
	}
	top := &c.path[len(c.path)-1]
	top.i--
	for n := top.node; !n.leaf(); {
		n = n.children[c.path[len(c.path)-1].i]
		c.path = append(c.path, place{n, len(n.items)})
	}
	return c.behind()
}

// behind leaves the nodes that have no items before, and returns the item before.
func (c *Cursor) behind() store.Pair {
	for last := len(c.path) - 1; last >= 0; last-- {
		if top := c.path[last]; top.i > 0 {
			return top.node.items[top.i-1]
		}
		c.path = c.path[:last]
	}
	return ""
}
