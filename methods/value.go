package methods

import (
	"encoding/json"
	"strconv"
)

// textOf returns the text of a single value; false for anything else.
func textOf(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.Number:
		return string(value), true
	case bool:
		return strconv.FormatBool(value), true
	}
	return "", false
}

// isAbsent reports whether a value counts as not sent (decision m).
func isAbsent(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case json.Number:
		return value == ""
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	}
	return false
}
