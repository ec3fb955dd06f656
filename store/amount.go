package store

import (
	"errors"
	"strings"

	"github.com/shopspring/decimal"
)

// MaxIntegerDigits and MaxDecimals bound every amount. MaxAmountText bounds its text, with the point.
const (
	MaxIntegerDigits = 15
	MaxDecimals      = 18
	MaxAmountText    = MaxIntegerDigits + 1 + MaxDecimals
)

// ErrAmount: a text is not an amount by the grammar of ParseAmount.
var ErrAmount = errors.New("amount: must be a decimal number of at most 15 digits and 18 decimals, like 12.34")

// Amount is an exact, non-negative decimal in major units of its currency ("10.00"). It keeps the
// number of decimals it was written with, so that its text is the text that was parsed. The zero value
// is 0. Amounts are compared with Cmp; nothing is ever rounded.
type Amount struct {
	d    decimal.Decimal
	text string // of a number that was parsed or computed; empty for the zero value
}

// ParseAmount reads an amount by the grammar (0|[1-9][0-9]*)(.[0-9]+)?: ASCII digits with an optional point, no
// sign, no exponent, no spaces, bounded length. The grammar is checked before package decimal sees the text. What
// a currency or a protocol asks for beyond that, methods.ParseAmount checks.
func ParseAmount(text string) (Amount, error) {
	if len(text) > MaxAmountText { // before the text is read
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
	return Amount{d, text}, nil
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

// Decimals returns the number of digits after the point that the amount carries.
func (a Amount) Decimals() int { return max(0, -int(a.d.Exponent())) }

// String writes the amount with the decimals it carries.
func (a Amount) String() string {
	if a.text == "" {
		return "0"
	}
	return a.text
}

func amountOf(d decimal.Decimal) Amount { return Amount{d, d.StringFixed(max(0, -d.Exponent()))} }

// Decimal returns the amount as a decimal, for exact arithmetic by the caller.
func (a Amount) Decimal() decimal.Decimal { return a.d }

// Cmp returns -1, 0 or 1 when a is less than, equal to or greater than b.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// IsZero reports whether the amount is zero.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Add returns the exact sum. A sum of more than MaxIntegerDigits is exact and comparable too, but MarshalText
// refuses it, because it could not be read back from a record.
func (a Amount) Add(b Amount) Amount { return amountOf(a.d.Add(b.d)) }

// Sub returns the exact difference. When b is greater than a, ok is false and diff is zero: an amount is never
// negative.
func (a Amount) Sub(b Amount) (diff Amount, ok bool) {
	if a.Cmp(b) < 0 {
		return Amount{}, false
	}
	return amountOf(a.d.Sub(b.d)), true
}

// MarshalText writes the amount as String does; records hold amounts as text. Error: ErrAmount, for a
// sum of more than MaxIntegerDigits.
func (a Amount) MarshalText() ([]byte, error) { return a.AppendText(nil) }

// AppendText is MarshalText that appends to a text.
func (a Amount) AppendText(to []byte) ([]byte, error) {
	text := a.String()
	if whole, _, _ := strings.Cut(text, "."); len(whole) > MaxIntegerDigits {
		return nil, ErrAmount
	}
	return append(to, text...), nil
}

// UnmarshalText reads what MarshalText wrote, by the grammar of ParseAmount.
func (a *Amount) UnmarshalText(text []byte) error {
	parsed, err := ParseAmount(string(text))
	if err == nil {
		*a = parsed
	}
	return err
}
