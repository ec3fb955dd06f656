package bracketform

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// builder makes a form of pairs. Faults between pairs are found in the finished nodes and not while they grow, so
// that no fault depends on the order.
type builder struct {
	Form
	limits Limits
	faults found
	whole  string // the fault of the body as such, which ended the reading
	count  int
	keys   []string
	order  []int32
}

// newBuilder starts a form of about so many pairs.
func newBuilder(limits Limits, pairs int) *builder {
	nodes := pairs + 8 // the root, and the objects of a usual request
	b := builders.Get().(*builder)
	b.limits = limits
	b.nodes = append(slices.Grow(b.nodes, nodes), node{})
	b.table = newTable(b.table.slots, nodes)
	return b
}

// builders are those of forms that were released.
var builders = sync.Pool{New: func() any { return new(builder) }}

// usualNodes is how many nodes a form has at most whose memory another form gets.
const usualNodes = 128

// Release ends a form: nothing of it may be used any longer, but the texts that it returned. The next form gets its
// memory, unless it is large.
func (f *Form) Release() {
	b := f.builder
	if b == nil || cap(b.nodes) > usualNodes {
		return
	}
	clear(b.nodes)
	clear(b.table.slots)
	clear(b.keys)
	*b = builder{keys: b.keys[:0], Form: Form{nodes: b.nodes[:0], table: table{slots: b.table.slots}}}
	builders.Put(b)
}

// stop records the fault of the whole body and ends the reading.
func (b *builder) stop(text string) bool {
	b.whole = text
	return false
}

// pair adds a field. nameWrong and wrong are the faults of its decoding. It returns false when there are too many
// fields.
func (b *builder) pair(name, nameWrong, value, wrong string) bool {
	if b.count++; b.count > b.limits.MaxPairs {
		return b.stop(textMany)
	}
	sound := nameWrong == ""
	if sound {
		b.keys, sound = split(b.keys[:0], name, b.limits.MaxDepth+1)
	}
	if !sound {
		b.faults.add(malformedPath(name), textMalformed)
		return true
	}
	b.insert(b.keys, value, wrong)
	return true
}

// insert puts a value where the keys lead.
func (b *builder) insert(keys []string, value, wrong string) {
	if len(keys) > b.limits.MaxDepth+1 {
		b.fault(b.child(0, keys[0]), textDeep)
		return
	}
	at := int32(0)
	for _, key := range keys {
		if key == "" { // [] takes the next index
			key = strconv.Itoa(int(b.nodes[at].free))
		}
		at = b.child(at, key)
	}
	n := &b.nodes[at]
	n.value, n.given = value, min(n.given+1, 2)
	if wrong != "" {
		b.fault(at, wrong)
	}
}

// child finds the node of a key, or makes it.
func (b *builder) child(parent int32, key string) int32 {
	b.table = b.table.grown(b.nodes)
	slot := b.table.slot(b.nodes, parent, key)
	if i := b.table.slots[slot]; i > 0 {
		return i
	}
	i := int32(len(b.nodes))
	b.table.slots[slot] = i
	objects := b.nodes[parent].objects || parent == 0 && slices.Contains(b.limits.Objects, key)
	b.nodes = append(b.nodes, node{key: key, parent: parent, objects: objects})
	up := &b.nodes[parent]
	if up.first == 0 {
		up.first = i
	} else {
		b.nodes[up.last].next = i
	}
	up.last = i
	up.children++
	if parent == 0 {
		b.marks |= markOf(key)
	} else {
		up.counts(key, objects)
	}
	return i
}

// counts records a new child that may be an entry of a list; among objects it is a key like any other.
func (n *node) counts(key string, objects bool) {
	at := index(key)
	if at >= 0 {
		n.mixed = n.mixed || int32(at) < n.free
		n.free = max(n.free, int32(at)+1)
	}
	switch {
	case objects:
	case at >= 0:
		n.numbers++
	case numeric(key):
		n.numbers++
		n.crooked = true
	}
}

// fault records a fault of a node and withholds its field.
func (b *builder) fault(at int32, text string) {
	var steps [17]string // the deepest limit and the name itself
	from := len(steps)
	for ; b.nodes[at].parent != 0; at = b.nodes[at].parent {
		from--
		steps[from] = step(b.nodes[at].key)
	}
	from--
	steps[from] = nameText(b.nodes[at].key)
	b.nodes[at].broken = true
	b.faults.add(strings.Join(steps[from:], ""), text)
}

// result ends the reading. A body that was not read to its end has no fields.
func (b *builder) result() (Form, Faults) {
	if b.whole != "" {
		return Form{}, Faults{{Path: pathBody, Text: b.whole}}
	}
	for i := 1; i < len(b.nodes); i++ {
		b.seal(int32(i))
	}
	if b.faults != nil {
		b.faults.settle()
	}
	b.builder = b
	return b.Form, Faults(b.faults)
}

// seal checks a node once all of its children are known.
func (b *builder) seal(at int32) {
	n := &b.nodes[at]
	if n.given > 1 {
		b.fault(at, textRepeated)
	}
	if n.given > 0 && n.children > 0 {
		b.fault(at, textCollision)
	}
	switch {
	case n.numbers == 0:
	case n.numbers < n.children:
		b.fault(at, textMixed)
	case n.crooked:
		b.fault(at, textIndex)
	case n.mixed:
		b.sort(n)
	}
}

// sort links the entries of a list in the order of their indexes.
func (b *builder) sort(n *node) {
	b.order = b.order[:0]
	for i := n.first; i != 0; i = b.nodes[i].next {
		b.order = append(b.order, i)
	}
	slices.SortFunc(b.order, func(i, j int32) int { return index(b.nodes[i].key) - index(b.nodes[j].key) })
	next := int32(0)
	n.last = b.order[len(b.order)-1]
	for k := len(b.order) - 1; k >= 0; k-- {
		b.nodes[b.order[k]].next = next
		next = b.order[k]
	}
	n.first = next
}
