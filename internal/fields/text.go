package fields

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsPrintable reports a text without control characters and without those that turn the direction of what
// follows, so that it reads elsewhere than it stands (decision ca). The marks of a direction, which turn
// nothing around, are letters of their scripts and stay.
func IsPrintable(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			return !strings.ContainsFunc(text[i:], isHidden)
		case isHidden(rune(c)):
			return false
		}
	}
	return true
}

func isHidden(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// Printable says what is wrong with a text, "" when it is printable.
func Printable(text string) string {
	if IsPrintable(text) {
		return ""
	}
	return TextPrintable
}
