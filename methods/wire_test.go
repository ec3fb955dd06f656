package methods_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Small encoders of the two protocols, for trees: enough for what tests send.

func decodeJSON(t testing.TB, text string) map[string]any {
	var tree map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&tree))
	return tree
}

// encodeForm writes a tree as parameters[...] pairs, in the order of their keys.
func encodeForm(tree map[string]any) string {
	var pairs []string
	var walk func(prefix string, value any)
	walk = func(prefix string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range value {
				walk(prefix+"["+key+"]", inner)
			}
		case []any:
			for i, inner := range value {
				walk(prefix+"["+strconv.Itoa(i)+"]", inner)
			}
		default:
			pairs = append(pairs, url.QueryEscape(prefix)+"="+url.QueryEscape(fmt.Sprint(value)))
		}
	}
	walk("parameters", tree)
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

func decodeForm(t testing.TB, form string) map[string]any {
	values, err := url.ParseQuery(form)
	require.NoError(t, err)
	tree := map[string]any{}
	for key, value := range values {
		require.Len(t, value, 1, key)
		at := tree
		keys := strings.Split(strings.TrimSuffix(strings.TrimPrefix(key, "parameters["), "]"), "][")
		for _, k := range keys[:len(keys)-1] {
			if at[k] == nil {
				at[k] = map[string]any{}
			}
			at = at[k].(map[string]any)
		}
		at[keys[len(keys)-1]] = value[0]
	}
	return listed(tree).(map[string]any)
}

// listed turns objects whose keys are positions into lists.
func listed(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for key, inner := range object {
		object[key] = listed(inner)
	}
	if _, first := object["0"]; !first {
		return object
	}
	elements := make([]any, len(object))
	for i := range elements {
		elements[i] = object[strconv.Itoa(i)]
	}
	return elements
}
