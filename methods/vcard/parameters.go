package vcard

import (
	"encoding/json"

	"github.com/tollgatepay/gateway/methods"
)

// texts returns the parameters of an operation that are text at the top level; none when they are not JSON.
func texts(op methods.Operation) map[string]string {
	var sent map[string]any
	_ = json.Unmarshal(op.Parameters, &sent)
	all := map[string]string{}
	for name, value := range sent {
		if text, ok := value.(string); ok {
			all[name] = text
		}
	}
	return all
}

func textAt(tree map[string]any, path []string) string {
	if len(path) == 1 {
		text, _ := tree[path[0]].(string)
		return text
	}
	below, _ := tree[path[0]].(map[string]any)
	return textAt(below, path[1:])
}
