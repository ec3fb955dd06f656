package store

import (
	"strings"
	"unicode"
)

// FoldDigits makes plain digits of what payers type and paste: Arabic-Indic, extended Arabic-Indic,
// Devanagari and full-width digits become ASCII; bidi marks, spaces and dashes go. For the hosted page
// only: an API takes ASCII digits as they are.
func FoldDigits(text string) string { return strings.Map(foldDigit, text) }

func foldDigit(r rune) rune {
	for _, zero := range [...]rune{'\u0660', '\u06F0', '\u0966', '\uFF10'} {
		if r >= zero && r <= zero+9 {
			return '0' + r - zero
		}
	}
	if unicode.IsSpace(r) || unicode.In(r, unicode.Bidi_Control, unicode.Pd, unicode.Zs) || r == '\u2212' {
		return -1
	}
	return r
}
