package bracketform

import (
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// Encode writes a form as application/x-www-form-urlencoded. [Parse] reads it back as the same form, with its
// fields in the same order.
func Encode(form Form) []byte { return EncodePairs(form.Pairs()) }

// EncodePairs writes any names and values as application/x-www-form-urlencoded: spaces as +, all else outside
// letters, digits and -_.~ as %XX.
func EncodePairs(pairs iter.Seq2[string, string]) []byte {
	var out []byte
	for name, value := range pairs {
		if out != nil {
			out = append(out, '&')
		}
		out = append(out, url.QueryEscape(name)...)
		out = append(out, '=')
		out = append(out, url.QueryEscape(value)...)
	}
	return out
}

// New makes a form of trees, for a client. Leaves are string, json.Number (as written) and bool (true, false). nil,
// empty objects and empty lists cannot be sent and are left out. The fields and keys are in byte order. Faults are
// those of [Parse], under the default [Limits] except for the bytes: above all, a key that is empty, has a bracket
// or reads as a number is not allowed in a form.
func New(fields map[string]any) (Form, Faults) {
	b := newBuilder(Limits{}.checked(), len(fields))
	b.object(nil, fields)
	return b.result()
}

// object adds a tree whose keys follow those in above. It returns false when there are too many fields.
func (b *builder) object(above []string, object map[string]any) bool {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		keys := append(above, key)
		if !isKey(key) || len(above) > 0 && numeric(key) {
			b.malformed(keys)
		} else if !b.value(keys, object[key]) {
			return false
		}
	}
	return true
}

func (b *builder) value(keys []string, tree any) bool {
	if len(keys) > b.limits.MaxDepth+1 {
		b.insert(keys, "", "")
		return true
	}
	switch v := tree.(type) {
	case nil:
		return true
	case map[string]any:
		return b.object(keys, v)
	case []any:
		for i, entry := range v {
			if !b.value(append(keys, strconv.Itoa(i)), entry) {
				return false
			}
		}
		return true
	case string:
		return b.leaf(keys, v, textFault(v))
	case json.Number:
		return b.leaf(keys, v.String(), textFault(v.String()))
	case bool:
		return b.leaf(keys, strconv.FormatBool(v), "")
	}
	return b.leaf(keys, "", textText)
}

func (b *builder) leaf(keys []string, value, wrong string) bool {
	if b.count++; b.count > b.limits.MaxPairs {
		return b.stop(textMany)
	}
	b.insert(keys, value, wrong)
	return true
}

// malformed records a key that a name cannot have, under the name that it would give.
func (b *builder) malformed(keys []string) {
	name := keys[0]
	for _, key := range keys[1:] {
		name += "[" + key + "]"
	}
	b.faults.add(malformedPath(name), textMalformed)
}
