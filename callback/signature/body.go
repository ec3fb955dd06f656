package signature

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// appendBody appends every value of an APM callback, each reversed, in the order of the names. A nested array
// takes the place of its name and is sorted within itself (s2s_apm.md, "Hash formulas"), so comparing whole names
// level by level gives the order of the tree.
func appendBody(dst []byte, form url.Values) []byte {
	names := make([]string, 0, len(form))
	for name := range form {
		if name != "hash" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareNames)
	for _, name := range names {
		for _, value := range sent(name, form[name]) {
			from := len(dst)
			dst = append(dst, value...)
			reverse(dst[from:])
		}
	}
	return dst
}

// sent returns the values that a form reader written in PHP returns: all of name[], otherwise the last one.
func sent(name string, values []string) []string {
	if strings.HasSuffix(name, "[]") {
		return values
	}
	return values[max(0, len(values)-1):]
}

func compareNames(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		var keyA, keyB string
		keyA, restA = cutKey(restA)
		keyB, restB = cutKey(restB)
		if order := compareKeys(keyA, keyB); order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(len(restA), len(restB)), strings.Compare(a, b))
}

// cutKey splits the first key off the rest of a name: a of a[b][c], then b of [b][c].
func cutKey(name string) (key, rest string) {
	if inner, bracket := strings.CutPrefix(name, "["); bracket {
		if end := strings.IndexByte(inner, ']'); end >= 0 {
			return inner[:end], inner[end+1:]
		}
		return name, ""
	}
	if start := strings.IndexByte(name, '['); start >= 0 {
		return name[:start], name[start:]
	}
	return name, ""
}

// compareKeys follows ksort: whole numbers by value, so that item 9 of a list precedes item 10, other
// keys by their bytes. Where a level mixes both, the numbers come first.
func compareKeys(a, b string) int {
	numberA, wholeA := whole(a)
	numberB, wholeB := whole(b)
	switch {
	case wholeA && wholeB:
		return cmp.Compare(numberA, numberB)
	case wholeA:
		return -1
	case wholeB:
		return 1
	}
	return strings.Compare(a, b)
}

// whole reads a key that PHP turns into an integer: no leading zero, no plus sign.
func whole(key string) (int64, bool) {
	if key == "" || len(key) > 20 || key[0] > '9' {
		return 0, false
	}
	number, err := strconv.ParseInt(key, 10, 64)
	return number, err == nil && strconv.FormatInt(number, 10) == key
}
