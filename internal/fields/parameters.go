package fields

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// ParameterText is the text of a single parameter.
func ParameterText(sent map[string]any, name string) string {
	switch value := sent[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	}
	return ""
}

// SentParameters reads the parameters of a request by method code, in a steady order.
func SentParameters(text json.RawMessage) (sent map[string]any, codes []string) {
	if len(text) == 0 {
		return nil, nil
	}
	sent = decoded(text)
	for code := range sent {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return sent, codes
}

func decoded(text json.RawMessage) (sent map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&sent) != nil {
		return nil // the form has refused what is no object
	}
	return sent
}

// Parameters returns parameters as JSON; nil for none. They are no page: escapes for one would make them up to six
// times as long.
func Parameters(tree map[string]any) (json.RawMessage, error) {
	if len(tree) == 0 {
		return nil, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tree); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// PutParameter sets a value at a path through objects, making those that are missing.
func PutParameter(tree map[string]any, path []string, value string) {
	for _, step := range path[:len(path)-1] {
		next, ok := tree[step].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[step] = next
		}
		tree = next
	}
	tree[path[len(path)-1]] = value
}
