package bracketform

import "hash/maphash"

// table finds nodes by parent and key: open addressing with linear steps, at most half full, so that a step is
// rarely needed. The seed is chosen per body, which keeps clients from aiming at one slot. A map would store every
// key once more and take three times as long.
type table struct {
	slots []int32 // node, 0 for free; the number of slots is a power of two
	seed  maphash.Seed
}

// newTable returns an empty table for so many nodes. It uses free slots if they are enough.
func newTable(free []int32, nodes int) table {
	size := 16
	for size < 2*nodes {
		size *= 2
	}
	if len(free) < size {
		free = make([]int32, size)
	}
	return table{free, maphash.MakeSeed()}
}

// slot returns the place where the node is or belongs.
func (t table) slot(nodes []node, parent int32, key string) int {
	const spread = 0x9e3779b97f4a7c15 // odd, so equal keys of different parents take different slots
	mask := uint64(len(t.slots) - 1)
	at := (maphash.String(t.seed, key) + uint64(parent)*spread) & mask
	for {
		i := t.slots[at]
		if i == 0 || nodes[i].parent == parent && nodes[i].key == key {
			return int(at)
		}
		at = (at + 1) & mask
	}
}

// grown returns a table that has room for one more node than there are.
func (t table) grown(nodes []node) table {
	if 2*len(nodes) < len(t.slots) {
		return t
	}
	wide := table{make([]int32, 4*len(t.slots)), t.seed}
	for i := 1; i < len(nodes); i++ {
		wide.slots[wide.slot(nodes, nodes[i].parent, nodes[i].key)] = int32(i)
	}
	return wide
}
