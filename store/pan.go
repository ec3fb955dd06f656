package store

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// The faults of a card, in the words of the hosted page (errors.md, "Checkout hosted-page (form) messages").
// Compare with errors.Is.
const (
	ErrPAN          constError = "Invalid card number"
	ErrExpiry       constError = "The expiration date of card is expired and not valid."
	ErrSecurityCode constError = "Invalid security code"
)

// The lengths of a card number that ParsePAN accepts (ISO/IEC 7812; 12 and 13 are old Maestro and Visa numbers).
// The hosted page asks for at least 14, as errors.md says.
const (
	MinPANDigits = 12
	MaxPANDigits = 19
)

// PAN is a card number. It prints and logs as its mask, six digits, six asterisks and four digits, and
// refuses to be marshalled. The zero value is no card.
type PAN struct{ guarded }

// ParsePAN reads 12 to 19 ASCII digits with the right Luhn check digit, without spaces or dashes. Zeros alone are
// no card number. Error: ErrPAN.
func ParsePAN(text string) (PAN, error) {
	if !isPAN(text) {
		return PAN{}, ErrPAN
	}
	return PAN{guard(text)}, nil
}

func isPAN(text string) bool {
	return len(text) >= MinPANDigits && len(text) <= MaxPANDigits && digits(text) && luhn(text) &&
		strings.Trim(text, "0") != ""
}

// luhn reports whether the check digit is right: every second digit from the right is doubled, and the sum of all
// digits is divisible by ten.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// Digits returns the whole number, empty for no card. It is the only way to the number, and easy to search for by
// its name.
func (p PAN) Digits() string { return p.reveal() }

// Mask returns what may be shown: 411111******1111, whatever the length. Empty for no card.
func (p PAN) Mask() string {
	if p.IsZero() {
		return ""
	}
	return p.BIN() + hidden + p.Last4()
}

// BIN returns the first six digits, empty for no card.
func (p PAN) BIN() string {
	number := p.reveal()
	return number[:min(6, len(number))]
}

// Last4 returns the last four digits, empty for no card.
func (p PAN) Last4() string {
	number := p.reveal()
	return number[max(0, len(number)-4):]
}

// String returns the mask.
func (p PAN) String() string { return p.Mask() }

// Format writes the mask, whatever the verb.
func (p PAN) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, p.Mask()) }

// LogValue returns the mask.
func (p PAN) LogValue() slog.Value { return slog.StringValue(p.Mask()) }

// Brand returns the scheme that the number belongs to, empty when its prefix is not known.
func (p PAN) Brand() Brand { return brandOf(p.reveal()) }

func brandOf(number string) Brand {
	for _, r := range prefixes {
		if n := len(r.from); len(number) >= n && number[:n] >= r.from && number[:n] <= r.to {
			return r.brand
		}
	}
	return ""
}
