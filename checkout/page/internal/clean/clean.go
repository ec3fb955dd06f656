// Package clean owns which characters of a text from elsewhere get through.
package clean

import (
	"strings"
	"unicode"
)

// Shown drops control characters and those that change the direction of the text around them, so that
// a description cannot rearrange the amount beside it.
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

// Lines is Shown of a text that keeps its lines and its spaces within.
func Lines(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, text))
}

// Visible drops what payers paste without seeing it: bidi marks, zero-width and other format
// characters, controls. What joins letters in names goes too; acquirers want plain names.
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
