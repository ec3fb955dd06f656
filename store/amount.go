package store

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// MaxIntegerDigits and MaxDecimals bound every amount, MaxAmountText its text with the point.
const (
	MaxIntegerDigits = 15
	MaxDecimals      = 18
	MaxAmountText    = MaxIntegerDigits + 1 + MaxDecimals
)

// ErrAmount says that a text is not an amount by the grammar of ParseAmount.
var ErrAmount = errors.New("amount: must be a decimal number of at most 15 digits and 18 decimals, like 12.34")

// Amount is an exact, non-negative decimal in major units of its currency ("10.00"). It keeps the
// number of decimals it was written with, so that its text is the text that was parsed. The zero value
// is 0. Amounts are compared with Cmp; nothing is ever rounded.
type Amount struct{ d decimal.Decimal }

// ParseAmount reads digits with an optional point by our own grammar, (0|[1-9][0-9]*)(.[0-9]+)?,
// before decimal ever sees them: ASCII digits only, no sign, no exponent, no spaces, bounded length.
// What a currency and a protocol ask for beyond that is methods.ParseAmount's to check.
func ParseAmount(text string) (Amount, error) {
	if len(text) > MaxAmountText { // before the text is looked at
		return Amount{}, ErrAmount
	}
	whole, fraction, point := strings.Cut(text, ".")
	switch {
	case whole == "" || len(whole) > MaxIntegerDigits || !digits(whole),
		len(whole) > 1 && whole[0] == '0',
		point && (fraction == "" || len(fraction) > MaxDecimals || !digits(fraction)):
		return Amount{}, ErrAmount
	}
	d, err := decimal.NewFromString(text)
	if err != nil {
		return Amount{}, ErrAmount
	}
	return Amount{d}, nil
}

// MustAmount is ParseAmount for literals in tests and tables; it panics on a bad text.
func MustAmount(text string) Amount {
	a, err := ParseAmount(text)
	if err != nil {
		panic(err)
	}
	return a
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Decimals is the number of digits after the point that the amount carries.
func (a Amount) Decimals() int { return max(0, -int(a.d.Exponent())) }

// String writes the amount with the decimals it carries.
func (a Amount) String() string { return a.d.StringFixed(int32(a.Decimals())) }

// Decimal is the amount as a decimal, for exact arithmetic by the caller.
func (a Amount) Decimal() decimal.Decimal { return a.d }

// Cmp is -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// IsZero reports whether the amount is nothing.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Add is the exact sum. One of more than MaxIntegerDigits is exact as well, compares as it should, and
// is refused by MarshalText, so that no record ever holds what could not be read back.
func (a Amount) Add(b Amount) Amount { return Amount{a.d.Add(b.d)} }

// Sub is the exact difference. ok is false, and the result zero, when b is greater than a: an amount is
// never negative.
func (a Amount) Sub(b Amount) (diff Amount, ok bool) {
	if a.Cmp(b) < 0 {
		return Amount{}, false
	}
	return Amount{a.d.Sub(b.d)}, true
}

// MarshalText writes the amount as String does; records hold amounts as text. Error: ErrAmount, for a
// sum of more than MaxIntegerDigits.
func (a Amount) MarshalText() ([]byte, error) {
	text := a.String()
	if whole, _, _ := strings.Cut(text, "."); len(whole) > MaxIntegerDigits {
		return nil, ErrAmount
	}
	return []byte(text), nil
}

// UnmarshalText reads what MarshalText wrote, by the grammar of ParseAmount.
func (a *Amount) UnmarshalText(text []byte) error {
	parsed, err := ParseAmount(string(text))
	if err == nil {
		*a = parsed
	}
	return err
}
