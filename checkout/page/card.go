package page

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/tollgatepay/gateway/store"
)

// errField says that a field does not hold what it should. It never says what it holds.
var errField = errors.New("field is not valid")

// visible drops what payers paste without seeing it: bidi marks, zero-width and other format
// characters, controls. What joins letters in names goes too; acquirers want plain names.
func visible(text string) string {
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

// parsePAN takes 14 to 19 digits that pass the Luhn check (errors.md, hosted-page messages).
func parsePAN(text string) (store.PAN, error) {
	digits := store.FoldDigits(visible(text))
	if len(digits) < 14 || len(digits) > 19 {
		return store.PAN{}, errField
	}
	return store.ParsePAN(digits)
}

// parseCode takes three or four digits.
func parseCode(text string) (store.SecurityCode, error) {
	return store.ParseSecurityCode(store.FoldDigits(visible(text)))
}

// parseExpiry takes MM/YY and the other shapes of store.ParseExpiry, with any dash or a full stop for
// the slash. A card is good through the last day of its month, wherever the payer is: until that day is
// over at UTC-12, where it ends last.
func parseExpiry(text string, now time.Time) (store.Expiry, error) {
	e, err := readExpiry(text)
	if err != nil || e.Check(now.Add(-12*time.Hour)) != nil {
		return store.Expiry{}, errField
	}
	return e, nil
}

// readExpiry reads the shape, of past months too.
func readExpiry(text string) (store.Expiry, error) {
	slashed := strings.Map(func(r rune) rune {
		if r == '.' || unicode.Is(unicode.Pd, r) {
			return '/' // before FoldDigits, which drops dashes
		}
		return r
	}, visible(text))
	return store.ParseExpiry(store.FoldDigits(slashed))
}
