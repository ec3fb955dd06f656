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

// hexDigit returns the value of a lower-case digit, or more than 15. Digits of an id follow no pattern, so a table is
// faster than branches.
func hexDigit(c byte) byte { return hexDigits[c] - 1 }

// hexDigits has the values of the digits and 1 more; 0 for all that is no digit.
var hexDigits = [256]byte{
	'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10,
	'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16,
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
