package methods

import "maps"

// Complete answers a copy of the parameters with what stands for absent ones: the value under the other
// name, the MID's option, the default. It is what a connector is given. Objects and lists that were not
// sent stay away, except single values of the set at the top; unknown parameters are kept. The tree
// given is not changed. Check first: a tree that is not as the set wants it is completed as far as it is.
func (c *Checker) Complete(tree map[string]any, mid MIDOptions) map[string]any {
	return c.root.complete(tree, &mid)
}

func (n *node) complete(object map[string]any, mid *MIDOptions) map[string]any {
	whole := maps.Clone(object)
	if whole == nil {
		whole = map[string]any{}
	}
	for _, child := range n.children {
		if value := child.completed(whole[child.key], object, mid); value != nil {
			whole[child.key] = value
		}
	}
	return whole
}

// completed is the value of a node with everything filled in below it; nil when there is none.
func (n *node) completed(value any, parent map[string]any, mid *MIDOptions) any {
	if isAbsent(value) {
		return n.substitute(value, parent, mid)
	}
	switch typed := value.(type) {
	case map[string]any:
		if n.children != nil {
			return n.complete(typed, mid)
		}
	case []any:
		if n.element != nil {
			return n.elements(typed, mid)
		}
	}
	return value
}

func (n *node) elements(list []any, mid *MIDOptions) []any {
	whole := make([]any, len(list))
	for i, element := range list {
		whole[i] = n.element.completed(element, nil, mid)
	}
	return whole
}

func (n *node) substitute(value any, parent map[string]any, mid *MIDOptions) any {
	if n.row == nil {
		return value
	}
	if other := parent[n.row.Alias]; n.row.Alias != "" && !isAbsent(other) {
		return other
	}
	if option := mid.value(n.row.Option); option != "" {
		return option
	}
	if n.row.Default != "" {
		return n.row.Default
	}
	return value
}
