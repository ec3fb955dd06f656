package methods

import "maps"

// Complete returns the parameters that a connector gets, as a copy. The MID's options replace what was sent
// (decision br). An absent parameter gets the value under its alias, or its default; a row that is bound to
// another parameter's value gets one only beside that value, and one that is ignored is left out. Objects and lists
// that were not sent stay absent, except for single values at the top level of the set. Unknown parameters are kept.
// The tree is not changed. Check it first: of a tree that breaks the rules only the good parts are completed.
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
	for _, child := range n.children {
		if child.row != nil && child.row.ignored(f.sent) {
			delete(whole, child.key)
			continue
		}
		value := f.value(child, whole[child.key], object)
		if value == nil {
			continue
		}
		if whole == nil {
			whole = map[string]any{}
		}
		whole[child.key] = value
	}
	return whole
}

// value returns the value of a node with everything filled in below it; nil without a value.
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
