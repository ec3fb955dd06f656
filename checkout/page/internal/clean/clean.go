// Package clean owns which characters of a text from outside are kept.
package clean

import (
	"strings"
	"unicode"
)

// Shown removes control characters and those that change the direction of the text around them, so that a
// description cannot rearrange the amount beside it.
func Shown(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text))
}

// Lines is Shown for a text that keeps its line breaks and the spaces inside its lines.
func Lines(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, text))
}

// Visible removes what payers paste without seeing it: bidi marks, zero-width and other format characters,
// controls. It removes joiners in names too, because acquirers need plain names.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
}
