package signature

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// capitalASCII changes a to z to A to Z in place, as PHP's strtoupper does.
func capitalASCII(text []byte) {
	for i, c := range text {
		if c-'a' < 26 {
			c -= 'a' - 'A'
		}
		text[i] = c
	}
}

// capitalUnicode returns the capitals of every script by full case mapping, as mb_strtoupper does: the result may
// be longer (ß, ŉ, ﬁ). A byte that is not UTF-8 stays. A Caser must not be shared, so each call makes its own. It
// works on a copy, which keeps the caller's text on the stack.
func capitalUnicode(text []byte) []byte { return cases.Upper(language.Und).Bytes(bytes.Clone(text)) }

// Capitals returns the capitals of every script by full case mapping (ß becomes SS, ﬀ becomes FF), as Verify reads
// them: two texts with the same capitals have the same hash.
func Capitals(text string) string {
	if ascii(text) {
		return strings.ToUpper(text)
	}
	return cases.Upper(language.Und).String(text)
}

func ascii[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
