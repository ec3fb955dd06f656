package bracketform

import (
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fault"
)

// bracket finds the first bracket of either kind, -1 without one.
func bracket(s string) int {
	for i := range len(s) {
		if s[i] == '[' || s[i] == ']' {
			return i
		}
	}
	return -1
}

// split appends the keys of a name, a[b][] gives a, b and "", and reports whether the name is well formed. Of a
// name with more than limit keys it appends limit+1, so that a long name takes no memory.
func split(keys []string, name string, limit int) ([]string, bool) {
	base := bracket(name)
	if base < 0 {
		return append(keys, name), name != ""
	}
	keys = append(keys, name[:base])
	for rest := name[base:]; rest != ""; {
		end := bracket(rest[1:]) + 1
		if rest[0] != '[' || end < 1 || rest[end] != ']' {
			return keys, false
		}
		if len(keys) <= limit {
			keys = append(keys, rest[1:end])
		}
		rest = rest[end+1:]
	}
	return keys, base > 0
}

// isKey reports whether a string can be a key of a name.
func isKey(s string) bool {
	return s != "" && bracket(s) < 0 && textFault(s) == ""
}

// textFault returns what is wrong with decoded text, "" if nothing is.
func textFault(s string) string {
	switch {
	case !utf8.ValidString(s):
		return fault.Unicode
	case strings.IndexByte(s, 0) >= 0:
		return fault.NUL
	}
	return ""
}

// index reads a key as the index of a list, -1 if it is none.
func index(key string) int {
	if len(key) > len("999999999") || len(key) > 1 && key[0] == '0' {
		return -1
	}
	if key == "" {
		return -1
	}
	n := 0
	for i := range len(key) {
		if !isDigit(key[i]) {
			return -1
		}
		n = 10*n + int(key[i]-'0')
	}
	return n
}

// numeric reports whether a key is a decimal number in any spelling: 7, 007, -1, 1e3, 0.5. Such a key was meant
// as an index. A date, a version or an address is no number.
func numeric(key string) bool {
	point, exponent := false, false
	for i := range len(key) {
		switch c := key[i]; {
		case isDigit(c):
		case c == '+' || c == '-':
			if i > 0 && key[i-1]|0x20 != 'e' {
				return false
			}
		case c == '.' && !point && !exponent:
			point = true
		case c|0x20 == 'e' && !exponent && i > 0 && key[i-1] != '+' && key[i-1] != '-':
			exponent = true
		default:
			return false
		}
	}
	return key != "" && isDigit(key[len(key)-1])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// step is what a key adds to the path of a fault.
func step(key string) string { return "[" + nameText(key) + "]" }
