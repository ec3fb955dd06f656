// Package cardinput owns the reading of a card that a payer types.
package cardinput

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/store"
)

// errField: a field is not valid. The error never has the value.
var errField = errors.New("field is not valid")

// PAN reads 14 to 19 digits that pass the Luhn check (errors.md, "Checkout hosted-page (form) messages").
func PAN(text string) (store.PAN, error) {
	digits := store.FoldDigits(clean.Visible(text))
	if len(digits) < 14 || len(digits) > 19 {
		return store.PAN{}, errField
	}
	return store.ParsePAN(digits)
}

// Code reads three or four digits.
func Code(text string) (store.SecurityCode, error) {
	return store.ParseSecurityCode(store.FoldDigits(clean.Visible(text)))
}

// Expiry reads MM/YY and the other forms of store.ParseExpiry, with any dash or a full stop in place of the slash.
// A card is good through the last day of its month in the payer's time zone, so it expires when that day is over
// at UTC-12, the last zone.
func Expiry(text string, now time.Time) (store.Expiry, error) {
	e, err := AnyExpiry(text)
	if err != nil || e.Check(now.Add(-12*time.Hour)) != nil {
		return store.Expiry{}, errField
	}
	return e, nil
}

// AnyExpiry reads the form only; past months are accepted too.
func AnyExpiry(text string) (store.Expiry, error) {
	slashed := strings.Map(func(r rune) rune {
		if r == '.' || unicode.Is(unicode.Pd, r) {
			return '/' // before FoldDigits, which drops dashes
		}
		return r
	}, clean.Visible(text))
	return store.ParseExpiry(store.FoldDigits(slashed))
}

// MaxName is the most characters of the name on a card, in the script and in the form.
const MaxName = 200

// Holder reports whether a text is a name on a card: up to 200 characters like customer.name (SPEC1), at least two
// words of letters, with hyphen, apostrophe, full stop and diacritics.
func Holder(name string) bool {
	if utf8.RuneCountInString(name) > MaxName || len(strings.Fields(name)) < 2 {
		return false
	}
	for _, word := range strings.Fields(name) {
		if !strings.ContainsFunc(word, unicode.IsLetter) {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -'’.", r)
	})
}
