package store

import "encoding/hex"

// The lengths of a UUID: in bytes, and as text in its usual form, lower-case with hyphens.
const (
	uuidSize = 16
	uuidText = 36
)

// uuidGroups are where the groups of digits begin and end in the text.
var uuidGroups = [...][2]int{{0, 8}, {9, 13}, {14, 18}, {19, 23}, {24, 36}}

// leadingUUID returns the UUID at the beginning of a text.
func leadingUUID(text string) (id [uuidSize]byte, ok bool) {
	if len(text) < uuidText || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return id, false
	}
	n := 0
	for _, group := range uuidGroups {
		for i := group[0]; i < group[1]; i += 2 {
			high, low := hexDigit(text[i]), hexDigit(text[i+1])
			if high|low > 15 {
				return id, false
			}
			id[n] = high<<4 | low
			n++
		}
	}
	return id, true
}

// hexDigit returns the value of a lower-case digit, or more than 15.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	}
	return 0xFF
}

func appendUUID(out, id []byte) []byte {
	for i, group := range [...][2]int{{0, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 16}} {
		if i > 0 {
			out = append(out, '-')
		}
		out = hex.AppendEncode(out, id[group[0]:group[1]])
	}
	return out
}
