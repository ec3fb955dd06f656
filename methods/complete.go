package methods

import "maps"

// Complete returns a copy of the parameters with what the MID's options set, whatever was sent (decision br), and
// with what stands for absent ones: the value under the other name, the default; where a row is bound to another
// parameter's value, only beside that value. It is what a connector is given. Objects and lists that were not sent
// stay away, except single values of the set at the top; unknown parameters are kept. The tree given is not changed.
// Check first: a tree that is not as the set wants it is completed as far as it is.
func (c *Checker) Complete(tree map[string]any, mid MIDOptions) map[string]any {
	f := filling{tree, &mid}
	return f.object(&c.root, tree)
}

// filling is one completion: the whole tree as it was sent, and the options.
type filling struct {
	sent map[string]any
	mid  *MIDOptions
}

func (f *filling) object(n *node, object map[string]any) map[string]any {
	whole := maps.Clone(object)
	if whole == nil {
		whole = map[string]any{}
	}
	for _, child := range n.children {
		if value := f.value(child, whole[child.key], object); value != nil {
			whole[child.key] = value
		}
	}
	return whole
}

// value is the value of a node with everything filled in below it; nil when there is none.
func (f *filling) value(n *node, value any, parent map[string]any) any {
	if isAbsent(value) || n.row != nil && f.mid.value(n.row.Option) != "" {
		return f.substitute(n, value, parent)
	}
	switch typed := value.(type) {
	case map[string]any:
		if n.children != nil {
			return f.object(n, typed)
		}
	case []any:
		if n.element != nil {
			return f.list(n, typed)
		}
	}
	return value
}

func (f *filling) list(n *node, list []any) []any {
	whole := make([]any, len(list))
	for i, element := range list {
		whole[i] = f.value(n.element, element, nil)
	}
	return whole
}

func (f *filling) substitute(n *node, value any, parent map[string]any) any {
	if n.row == nil || !n.row.Where.holds(f.sent) {
		return value
	}
	if option := f.mid.value(n.row.Option); option != "" {
		return option
	}
	if other := parent[n.row.Alias]; n.row.Alias != "" && !isAbsent(other) {
		return other
	}
	if n.row.Default != "" {
		return n.row.Default
	}
	return value
}
