package methods

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Spelling is how a caller writes the place of a parameter. Both spellings name the same places of one tree.
type Spelling string

// The two spellings of SPEC2, "Resources and their fields".
const (
	// JSON is Checkout's: parameters.<method_code>.cart.items[0].name.
	JSON Spelling = "json"
	// Form is that of the form-encoded S2S requests: parameters[cart][items][0][name].
	Form Spelling = "form"
)

// Step is one step into a tree of parameters: the key of an object, or the position in a list when Key
// is empty.
type Step struct {
	Key   string
	Index int // from 0; Any in a pattern
}

// Any is the Index of a pattern's step that stands for every element of a list.
const Any = -1

// Path is a place in a tree of parameters, from the root of the method's own parameters. A path with a
// step of Index Any is a pattern.
type Path []Step

// maxDepth bounds the steps of a pattern, and so every walk through a tree.
const maxDepth = 16

// ParsePath reads a path or pattern such as "cart.items[].recipient.city" or "cart.items[3].name". Keys
// are ASCII letters, digits, "_" and "-". The error says what is wrong.
func ParsePath(text string) (Path, error) {
	var path Path
	for part := range strings.SplitSeq(text, ".") {
		key, indexes, _ := strings.Cut(part, "[")
		if !isKey(key) {
			return nil, fmt.Errorf("path %q: %q is not a key", text, key)
		}
		path = append(path, Step{Key: key})
		if len(key) == len(part) {
			continue
		}
		steps, err := parseIndexes(indexes)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		path = append(path, steps...)
	}
	if len(path) > maxDepth {
		return nil, fmt.Errorf("path %q: deeper than %d", text, maxDepth)
	}
	return path, nil
}

// parseIndexes reads what follows the first "[" of a part.
func parseIndexes(text string) (Path, error) {
	inner, closed := strings.CutSuffix(text, "]")
	if !closed {
		return nil, errors.New("a bracket is not closed")
	}
	var path Path
	for index := range strings.SplitSeq(inner, "][") {
		if index == "" {
			path = append(path, Step{Index: Any})
			continue
		}
		n, err := strconv.Atoi(index)
		if err != nil || !digits(index) || n > 9999 || strconv.Itoa(n) != index {
			return nil, fmt.Errorf("%q is not an index", index)
		}
		path = append(path, Step{Index: n})
	}
	return path, nil
}

func isKey(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return text != ""
}

// String returns the pattern in the form that ParsePath reads.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch {
		case step.Key == "":
			b.WriteByte('[')
			if step.Index != Any {
				b.WriteString(strconv.Itoa(step.Index))
			}
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(step.Key)
		}
	}
	return b.String()
}

// Spell returns the place as the caller writes it. Only the JSON spelling has the method's code. A pattern has n
// for every position.
func (p Path) Spell(spelling Spelling, code string) string {
	if spelling == JSON {
		return "parameters." + code + "." + strings.ReplaceAll(p.String(), "[]", "[n]")
	}
	var b strings.Builder
	b.WriteString("parameters")
	for _, step := range p {
		b.WriteByte('[')
		switch {
		case step.Key != "":
			b.WriteString(step.Key)
		case step.Index == Any:
			b.WriteByte('n')
		default:
			b.WriteString(strconv.Itoa(step.Index))
		}
		b.WriteByte(']')
	}
	return b.String()
}
