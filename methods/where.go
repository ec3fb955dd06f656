package methods

import (
	"slices"
	"strings"
)

// Where binds a row to the value of another parameter of the set. When the other parameter has none of the Values,
// the row is not required and has no default, and sending it is a fault. While the other parameter is absent, the
// row may be sent. The zero value binds nothing.
type Where struct {
	// Path is a parameter at the top level of the set, without default, option and alias.
	Path   string   `json:"path"`
	Values []string `json:"values"` // in that letter case
}

// holds reports whether the row applies to a tree.
func (w *Where) holds(tree map[string]any) bool {
	if w.Path == "" {
		return true
	}
	text, _ := textOf(tree[w.Path])
	return slices.Contains(w.Values, text)
}

// forbids reports whether the row must not be in a tree. A fault of the other parameter itself is reported for
// that one alone.
func (w *Where) forbids(tree map[string]any) bool {
	if w.holds(tree) {
		return false
	}
	text, _ := textOf(tree[w.Path])
	return text != ""
}

func (w *Where) text() string {
	return "may be sent only where " + w.Path + " is " + strings.Join(w.Values, " or ")
}

func (w *Where) words() string {
	if w.Path == "" {
		return ""
	}
	return ", only where `" + w.Path + "` is `" + strings.Join(w.Values, "` or `") + "`"
}
