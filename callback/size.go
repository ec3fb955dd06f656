package callback

import (
	"net/url"
	"strconv"
)

// Size returns how many bytes a JSON tree needs in a body, flattened under prefix and encoded, without building
// it: every leaf repeats the keys that lead to it, each escaped, so a small tree can grow a thousandfold. It is
// never less than the size of Encode of Flatten.
func Size(prefix string, tree any) int { return size(len(url.QueryEscape(prefix)), tree, 0) }

// size counts the bytes below a name of that many bytes.
func size(name int, tree any, depth int) (total int) {
	const brackets, between = len("%5B%5D"), len("&=")
	if depth > maxDepth {
		return 0
	}
	switch node := tree.(type) {
	case map[string]any:
		for key, below := range node {
			total += size(name+brackets+len(url.QueryEscape(escapeKey(key))), below, depth+1)
		}
	case []any:
		for i, below := range node {
			total += size(name+brackets+len(strconv.Itoa(i)), below, depth+1)
		}
	default:
		if text := scalar(node); text != "" {
			total = name + between + len(url.QueryEscape(text))
		}
	}
	return total
}
