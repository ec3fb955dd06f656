package methods

import (
	"slices"
	"strings"
)

// Where binds a row to the value of another parameter of the set. Where that one has none of the Values,
// the row is not required and nothing stands for it; sending it beside any other value is a fault. While
// the other parameter is absent, a value that was sent is taken. The zero value binds nothing.
type Where struct {
	// Path is a parameter at the top of the set, without default, option and alias.
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

// forbids reports whether the row has no place in a tree. What is wrong with the other parameter itself is
// said of that one alone.
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
