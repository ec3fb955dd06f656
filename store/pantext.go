package store

import (
	"regexp"
	"strings"
)

// longDigits is what could be a card number in a text: so many ASCII digits, with single spaces or dashes
// between them.
var longDigits = regexp.MustCompile(`[0-9](?:[ -]?[0-9]){11,}`)

// HoldsPAN reports a text with a card number in it: digits that pass as one and begin as those of a network do.
func HoldsPAN(text string) bool {
	if countDigits(text) < MinPANDigits { // most texts, and much quicker than the pattern
		return false
	}
	for _, found := range longDigits.FindAllString(text, -1) {
		number, err := ParsePAN(strings.NewReplacer(" ", "", "-", "").Replace(found))
		if err == nil && number.Brand() != "" {
			return true
		}
	}
	return false
}

// HideDigits puts asterisks in the place of whatever could be a card number in a text of somebody else's.
func HideDigits(text string) string {
	return longDigits.ReplaceAllString(text, hidden)
}

func countDigits(text string) (n int) {
	for i := range len(text) {
		if text[i]-'0' < 10 {
			n++
		}
	}
	return n
}
