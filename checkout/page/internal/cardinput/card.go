// Package cardinput owns how the card that a payer types is read.
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

// errField says that a field does not hold what it should. It never says what it holds.
var errField = errors.New("field is not valid")

// PAN takes 14 to 19 digits that pass the Luhn check (errors.md, "Checkout hosted-page (form)
// messages").
func PAN(text string) (store.PAN, error) {
	digits := store.FoldDigits(clean.Visible(text))
	if len(digits) < 14 || len(digits) > 19 {
		return store.PAN{}, errField
	}
	return store.ParsePAN(digits)
}

// Code takes three or four digits.
func Code(text string) (store.SecurityCode, error) {
	return store.ParseSecurityCode(store.FoldDigits(clean.Visible(text)))
}

// Expiry takes MM/YY and the other shapes of store.ParseExpiry, with any dash or a full stop for
// the slash. A card is good through the last day of its month, wherever the payer is: until that day is
// over at UTC-12, where it ends last.
func Expiry(text string, now time.Time) (store.Expiry, error) {
	e, err := AnyExpiry(text)
	if err != nil || e.Check(now.Add(-12*time.Hour)) != nil {
		return store.Expiry{}, errField
	}
	return e, nil
}

// AnyExpiry reads the shape; months that are over are taken too.
func AnyExpiry(text string) (store.Expiry, error) {
	slashed := strings.Map(func(r rune) rune {
		if r == '.' || unicode.Is(unicode.Pd, r) {
			return '/' // before FoldDigits, which drops dashes
		}
		return r
	}, clean.Visible(text))
	return store.ParseExpiry(store.FoldDigits(slashed))
}

// MaxName is how many characters the name on a card may have, in the script and in the form as well.
const MaxName = 200

// Holder reports whether a text is a name on a card: up to 200 characters as customer.name has (SPEC1), at least two
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
