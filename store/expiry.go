package store

import (
	"strconv"
	"strings"
	"time"
)

// Expiry is the last month a card is good for: years 2000 to 2099, months 1 to 12. The zero value is no
// expiry; its text is empty.
type Expiry struct{ Year, Month int }

// MaxExpiryYears is how far ahead a card may expire, our own limit. A later expiry is a typing error.
const MaxExpiryYears = 50

// ParseExpiry reads MM/YY, MM/YYYY, YYYY-MM, a month of one digit with a separator, and MMYY, MMYYYY, YYYYMM
// without one. Two digits of a year are of this century. A dash and a slash are alike. Check says whether the card
// has expired. Error: ErrExpiry.
func ParseExpiry(text string) (Expiry, error) {
	if len(text) > len("MM/YYYY") {
		return Expiry{}, ErrExpiry
	}
	month, year := splitExpiry(text)
	if len(year) == 2 {
		year = "20" + year
	}
	if len(month) < 1 || len(month) > 2 || len(year) != 4 || year[:2] != "20" || !digits(month+year) {
		return Expiry{}, ErrExpiry
	}
	var e Expiry
	e.Month, _ = strconv.Atoi(month)
	e.Year, _ = strconv.Atoi(year)
	if e.Month < 1 || e.Month > 12 {
		return Expiry{}, ErrExpiry
	}
	return e, nil
}

// splitExpiry finds the month and the year. No month is 20, so six digits that begin with 20 begin with a year.
func splitExpiry(text string) (month, year string) {
	if i := strings.IndexAny(text, "/-"); i == 4 {
		return text[i+1:], text[:i]
	} else if i >= 0 {
		return text[:i], text[i+1:]
	}
	switch {
	case len(text) == 6 && text[:2] == "20":
		return text[4:], text[:4]
	case len(text) == 4, len(text) == 6:
		return text[:2], text[2:]
	}
	return "", ""
}

// String returns MM/YYYY, or an empty text without an expiry.
func (e Expiry) String() string {
	if e == (Expiry{}) {
		return ""
	}
	return string(e.append(make([]byte, 0, len("MM/YYYY"))))
}

func (e Expiry) append(to []byte) []byte {
	if e == (Expiry{}) {
		return to
	}
	to = append(to, byte('0'+e.Month/10%10), byte('0'+e.Month%10), '/')
	return append(to, byte('0'+e.Year/1000%10), byte('0'+e.Year/100%10), byte('0'+e.Year/10%10), byte('0'+e.Year%10))
}

// Expired reports whether the last day of the month is over in UTC. A card without an expiry counts as expired.
func (e Expiry) Expired(now time.Time) bool {
	return !now.Before(time.Date(e.Year, time.Month(e.Month)+1, 1, 0, 0, 0, 0, time.UTC))
}

// Check returns ErrExpiry when the card has expired by now, expires more than MaxExpiryYears ahead, or has no
// valid month.
func (e Expiry) Check(now time.Time) error {
	if e.Month < 1 || e.Month > 12 || e.Expired(now) || e.Year > now.UTC().Year()+MaxExpiryYears {
		return ErrExpiry
	}
	return nil
}

// MarshalText writes what String returns; records and JSON hold MM/YYYY.
func (e Expiry) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads every form that ParseExpiry reads. An empty text is no expiry.
func (e *Expiry) UnmarshalText(text []byte) error {
	var parsed Expiry
	if len(text) > 0 {
		var err error
		if parsed, err = ParseExpiry(string(text)); err != nil {
			return err
		}
	}
	*e = parsed
	return nil
}
