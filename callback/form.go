package callback

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is how deep Flatten goes into a tree, in steps below the prefix. A deeper request is refused when it
// arrives, so nothing that a merchant sent is lost here.
const maxDepth = 16

// Field is one parameter of a callback body.
type Field struct{ Name, Value string }

// Encode writes fields in the given order as application/x-www-form-urlencoded: UTF-8, spaces as +. A name may
// occur more than once. Parsing the result returns the same fields.
func Encode(fields []Field) string {
	body := make([]byte, 0, usualBody)
	for i, f := range fields {
		if i > 0 {
			body = append(body, '&')
		}
		body = appendEscaped(append(appendEscaped(body, f.Name), '='), f.Value)
	}
	return string(body)
}

// usualBody is as many bytes as most bodies have. They are written on the stack and copied once.
const usualBody = 1 << 10

// appendEscaped appends what url.QueryEscape returns.
func appendEscaped(body []byte, text string) []byte {
	from := 0 // of the plain bytes that are not in the body yet
	for i := range len(text) {
		c := text[i]
		if isPlain(c) {
			continue
		}
		body = append(body, text[from:i]...)
		if from = i + 1; c == ' ' {
			body = append(body, '+')
		} else {
			body = append(body, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return append(body, text[from:]...)
}

const upperHex = "0123456789ABCDEF"

// plainBytes has a bit for each byte, set for letters, digits and -_.~
var plainBytes = [256 / 64]uint64{0x03FF_6000_0000_0000, 0x47FF_FFFE_87FF_FFFE}

// isPlain reports a byte that stands for itself in a form.
func isPlain(c byte) bool {
	return plainBytes[c/64]>>(c%64)&1 == 1
}

// Flatten writes a JSON tree as fields with bracket keys: prefix[key], prefix[key][0]. Map keys come in byte
// order, so equal trees give equal fields. Values are string, json.Number (as written) and bool (true, false).
// Values that are empty are left out, as everywhere in a callback: null, the empty string, an empty object or
// list, and anything deeper than 16 steps.
//
// Every name begins with the prefix, so no key can replace a parameter of ours. In a key the characters [ ] = %
// and control bytes are percent-encoded, so different keys never give the same name. That encoding is part of the
// name: Encode adds its own.
func Flatten(prefix string, tree any) []Field {
	return flatten(nil, prefix, tree, 0)
}

func flatten(fields []Field, name string, tree any, depth int) []Field {
	switch node := tree.(type) {
	case map[string]any:
		if depth == maxDepth {
			return fields
		}
		for _, key := range slices.Sorted(maps.Keys(node)) {
			fields = flatten(fields, name+"["+escapeKey(key)+"]", node[key], depth+1)
		}
	case []any:
		if depth == maxDepth {
			return fields
		}
		for i, item := range node {
			fields = flatten(fields, name+"["+strconv.Itoa(i)+"]", item, depth+1)
		}
	default:
		if text := scalar(node); text != "" {
			fields = append(fields, Field{name, text})
		}
	}
	return fields
}

// scalar returns the text of a leaf; empty for a type that a JSON decoder in UseNumber mode does not return.
func scalar(leaf any) string {
	switch v := leaf.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// escapeKey works on bytes: no byte of a longer UTF-8 character is one of those that it escapes.
func escapeKey(key string) string {
	var out strings.Builder
	for i := range len(key) {
		if c := key[i]; c < ' ' || c == 0x7f || strings.IndexByte("[]=%", c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
