package strictjson_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// reference reads body by encoding/json and reports whether it breaks a rule of syntax, text, depth, size or
// repeated keys. It is slow and simple on purpose.
func reference(body []byte) (tree any, wrong bool) {
	if !utf8.Valid(body) || !json.Valid(body) || loneSurrogate(body) {
		return nil, true
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	tree, pairs := nil, 0
	tree, wrong = referenceValue(d, 0, &pairs)
	_, err := d.Token()
	return tree, wrong || err != io.EOF || pairs > 10_000
}

func referenceValue(d *json.Decoder, depth int, pairs *int) (tree any, wrong bool) {
	token, _ := d.Token()
	switch token := token.(type) {
	case json.Delim:
		return referenceContainer(d, token, depth+1, pairs)
	case string:
		return token, strings.Contains(token, "\x00")
	}
	return token, false
}

func referenceContainer(d *json.Decoder, open json.Delim, depth int, pairs *int) (any, bool) {
	object, list, wrong := map[string]any{}, []any{}, depth > 16
	for d.More() {
		*pairs++
		if open == '[' {
			v, bad := referenceValue(d, depth, pairs)
			list, wrong = append(list, v), wrong || bad
			continue
		}
		token, _ := d.Token()
		key := token.(string)
		_, twice := object[key]
		v, bad := referenceValue(d, depth, pairs)
		object[key] = v
		wrong = wrong || bad || twice || strings.Contains(key, "\x00")
	}
	_, _ = d.Token()
	if open == '[' {
		return list, wrong || len(list) > 1000
	}
	return object, wrong || len(object) > 200
}

// honest finds every escape, so that a backslash that is itself escaped is never taken for the start of one.
var honest = regexp.MustCompile(`\\(?:u[fF]{3}[dD]|[^u]|u)`)

// loneSurrogate looks for escapes that encoding/json turns into U+FFFD. Proper spellings of that character are
// removed first.
func loneSurrogate(body []byte) bool {
	rest := bytes.ReplaceAll(body, []byte("\uFFFD"), []byte("?"))
	rest = honest.ReplaceAllFunc(rest, func(escape []byte) []byte {
		if len(escape) == 6 {
			return []byte("??????")
		}
		return escape
	})
	d := json.NewDecoder(bytes.NewReader(rest))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if s, _ := token.(string); strings.Contains(s, "\uFFFD") {
			return true
		}
	}
}
