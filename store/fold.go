package store

import (
	"strings"
	"unicode"
)

// FoldDigits turns the digits that payers type and paste into ASCII: Arabic-Indic, extended Arabic-Indic,
// Devanagari and full-width ones. It drops bidi marks, spaces and dashes. Only the hosted page uses it: the APIs
// accept ASCII digits only.
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
