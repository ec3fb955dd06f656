package s2sclient

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pair is a field of a form body.
type Pair struct{ Name, Value string }

// ParseBody splits a form-urlencoded body and keeps the order of its fields. The errors name faults of the
// encoding.
func ParseBody(body string) (pairs []Pair, err error) {
	for part := range strings.SplitSeq(body, "&") {
		if part == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		if !found {
			return nil, fmt.Errorf("field %d has no equals sign", len(pairs)+1)
		}
		pair := Pair{}
		if pair.Name, err = unescape(name); err == nil {
			pair.Value, err = unescape(value)
		}
		if err != nil {
			return nil, fmt.Errorf("field %d: %w", len(pairs)+1, err)
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

func unescape(s string) (string, error) {
	text, err := url.QueryUnescape(s)
	if err == nil && !utf8.ValidString(text) {
		err = fmt.Errorf("not UTF-8")
	}
	return text, err
}

// node is a value of a body with bracket keys: a text, or an array with its own names.
type node struct {
	text  string
	array map[string]*node
	next  int // name of the next entry of name[]
}

// wholeBody is steps 1 to 4 of the APM callback formula: without hash, every value reversed, sorted by
// name on each level, arrays expanded in place.
func wholeBody(pairs []Pair) string {
	root := &node{array: map[string]*node{}}
	for _, p := range pairs {
		if p.Name != "hash" {
			root.put(path(p.Name), p.Value)
		}
	}
	return root.concat()
}

// path is a[b][c] as a, b, c.
func path(name string) []string {
	head, rest, found := strings.Cut(name, "[")
	if !found || head == "" || !strings.HasSuffix(rest, "]") {
		return []string{name}
	}
	return append([]string{head}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

func (n *node) put(path []string, value string) {
	for _, name := range path {
		if n.array == nil {
			n.array = map[string]*node{}
		}
		if name == "" {
			name = strconv.Itoa(n.next)
		}
		if i, err := strconv.Atoi(name); err == nil && i >= n.next {
			n.next = i + 1
		}
		if n.array[name] == nil {
			n.array[name] = &node{}
		}
		n = n.array[name]
	}
	n.text = value
}

func (n *node) concat() string {
	if n.array == nil {
		return reverse(n.text)
	}
	var names []string
	for name := range n.array {
		names = append(names, name)
	}
	slices.SortFunc(names, byKey)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(n.array[name].concat())
	}
	return b.String()
}

// byKey is the order of ksort: numbers by value, everything else by its bytes.
func byKey(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return x - y
	}
	return strings.Compare(a, b)
}
