package page

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
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

// compact folds digits of other scripts and drops spaces and dashes of every kind.
func compact(text string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || unicode.Is(unicode.Pd, r) || r == '−' {
			return -1
		}
		return r
	}, store.FoldDigits(visible(text)))
}

// parsePAN takes 14 to 19 digits that pass the Luhn check.
func parsePAN(text string) (store.PAN, error) {
	digits := compact(text)
	if len(digits) < 14 || len(digits) > 19 {
		return store.PAN{}, errField
	}
	return store.ParsePAN(digits)
}

// parseCode takes three or four digits.
func parseCode(text string) (store.SecurityCode, error) {
	return store.ParseSecurityCode(compact(text))
}

// The shapes of an expiry: as printed on the card, and as password managers keep it.
var (
	monthFirst = regexp.MustCompile(`^(0?[1-9]|1[0-2])/(20[0-9]{2}|[0-9]{2})$`)
	monthTight = regexp.MustCompile(`^(0[1-9]|1[0-2])(20[0-9]{2}|[0-9]{2})$`)
	yearFirst  = regexp.MustCompile(`^(20[0-9]{2})/?(0?[1-9]|1[0-2])$`)
)

// maxYears bounds how far ahead a card may run; what lies further is a slip.
const maxYears = 50

// parseExpiry takes MM/YY and the other shapes. A card is good through the last day of its month,
// wherever the payer is: until that day is over at UTC-12, where it ends last.
func parseExpiry(text string, now time.Time) (store.Expiry, error) {
	year, month, ok := splitExpiry(text)
	latest := now.UTC().Add(-12 * time.Hour)
	end := time.Date(year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC)
	if !ok || !latest.Before(end) || year > latest.Year()+maxYears {
		return store.Expiry{}, errField
	}
	return store.ParseExpiry(fmt.Sprintf("%02d/%04d", month, year))
}

func splitExpiry(text string) (year, month int, ok bool) {
	text = strings.Map(func(r rune) rune {
		if r == '.' || unicode.Is(unicode.Pd, r) {
			return '/'
		}
		return r
	}, strings.ReplaceAll(store.FoldDigits(visible(text)), " ", ""))
	for _, shape := range []*regexp.Regexp{monthFirst, monthTight} {
		if found := shape.FindStringSubmatch(text); found != nil {
			return fullYear(found[2]), atoi(found[1]), true
		}
	}
	if found := yearFirst.FindStringSubmatch(text); found != nil {
		return atoi(found[1]), atoi(found[2]), true
	}
	return 0, 0, false
}

func fullYear(text string) int {
	if len(text) == 2 {
		return 2000 + atoi(text)
	}
	return atoi(text)
}

// atoi reads digits that a pattern has let through.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
