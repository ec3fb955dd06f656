package bracketform

import "iter"

// Form is a body that was read. It never changes until it is released, and nothing in it refers to the body. The zero
// Form is empty.
//
// A field with a fault is withheld: it counts as absent as a whole. The faults show that it was there.
type Form struct {
	nodes []node // the first is the root, whose children are the fields; each stands behind its parent
	table table
	marks uint64 // of the fields' names, see markOf

	builder *builder // that made it
}

// node is a place in the tree. Links are indexes into the nodes; 0, the root, is no node's child and means none.
type node struct {
	key, value  string
	parent      int32
	first, last int32 // children; of a list in the order of the indexes, else in the order of the body
	next        int32 // the next child of the same parent
	children    int32
	numbers     int32 // children whose key reads as a number
	free        int32 // the index behind the highest among the children, which [] takes
	given       uint8 // how often a value was here: 0, 1 or 2 for more
	crooked     bool  // a child's key is a number but no index
	mixed       bool  // the children did not come in the order of their indexes
	broken      bool  // of a field: there is a fault here or below
	objects     bool  // nothing here or below is a list
}

// find returns the node of a valid field, 0 without one.
func (f *Form) find(name string) int32 {
	if f.marks&markOf(name) == 0 {
		return 0
	}
	i := f.table.slots[f.table.slot(f.nodes, 0, name)]
	if i > 0 && f.nodes[i].broken {
		return 0
	}
	return i
}

// markOf returns one bit for a name. A name whose bit no field has is in no field, which saves the search for most of
// those that a request could have.
func markOf(name string) uint64 {
	if name == "" {
		return 1
	}
	return 1 << ((uint(name[0]) + uint(name[len(name)-1]) + 4*uint(len(name))) % 64)
}

// Scalar returns the value of a field without brackets. It is "" and false for a field that is absent or has
// brackets.
func (f *Form) Scalar(name string) (string, bool) {
	i := f.find(name)
	if i == 0 || f.nodes[i].children > 0 {
		return "", false
	}
	return f.nodes[i].value, true
}

// HasBrackets reports whether a field was sent with brackets. In most forms none was, which is known at once.
func (f *Form) HasBrackets(name string) bool {
	if len(f.nodes) == 0 || int(f.nodes[0].children) == len(f.nodes)-1 {
		return false
	}
	i := f.find(name)
	return i > 0 && f.nodes[i].children > 0
}

// Tree returns a field of any shape as a string, a map[string]any or a []any of such; nil if it is absent. Each
// call builds the maps and lists anew, so the caller may change them.
func (f *Form) Tree(name string) any {
	i := f.find(name)
	if i == 0 {
		return nil
	}
	return f.tree(i)
}

func (f *Form) tree(i int32) any {
	n := &f.nodes[i]
	switch {
	case n.children == 0:
		return n.value
	case n.numbers > 0:
		list := make([]any, 0, n.children)
		for at := n.first; at != 0; at = f.nodes[at].next {
			list = append(list, f.tree(at))
		}
		return list
	}
	object := make(map[string]any, n.children)
	for at := n.first; at != 0; at = f.nodes[at].next {
		object[f.nodes[at].key] = f.tree(at)
	}
	return object
}

// Names lists the fields, each by the name before the first bracket, in the order of the body.
func (f *Form) Names() []string {
	var names []string
	for i := range f.fields() {
		names = append(names, f.nodes[i].key)
	}
	return names
}

// fields walks over the nodes of the valid fields.
func (f *Form) fields() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if len(f.nodes) == 0 {
			return
		}
		for i := f.nodes[0].first; i != 0; i = f.nodes[i].next {
			if !f.nodes[i].broken && !yield(i) {
				return
			}
		}
	}
}

// Pairs walks over all values with their names in brackets, decoded. Lists come in the order of their indexes,
// fields and keys in the order of the body.
func (f *Form) Pairs() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i := range f.fields() {
			if !f.pairs(i, f.nodes[i].key, yield) {
				return
			}
		}
	}
}

func (f *Form) pairs(i int32, name string, yield func(string, string) bool) bool {
	if f.nodes[i].children == 0 {
		return yield(name, f.nodes[i].value)
	}
	for at := f.nodes[i].first; at != 0; at = f.nodes[at].next {
		if !f.pairs(at, name+"["+f.nodes[at].key+"]", yield) {
			return false
		}
	}
	return true
}
