package store

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// What is wrong with a card, in the words of the hosted page (errors.md, "Checkout hosted-page (form)
// messages"). Compare with errors.Is.
const (
	ErrPAN          constError = "Invalid card number"
	ErrExpiry       constError = "The expiration date of card is expired and not valid."
	ErrSecurityCode constError = "Invalid security code"
)

// Lengths of a card number that ParsePAN takes (ISO/IEC 7812; 12 and 13 are old Maestro and Visa
// numbers). The hosted page asks for 14 at least, as errors.md says.
const (
	MinPANDigits = 12
	MaxPANDigits = 19
)

// PAN is a card number. It prints and logs as its mask, six digits, six asterisks and four digits, and
// refuses to be marshalled. The zero value is no card.
type PAN struct{ guarded }

// ParsePAN takes 12 to 19 ASCII digits with the right Luhn check digit, without spaces or dashes; only
// zeros are no card number. Error: ErrPAN.
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

// luhn doubles every second digit from the right, and wants the sum of all digits divisible by ten.
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

// Digits is the whole number, empty for none: the only way to it, to be found by this name.
func (p PAN) Digits() string { return p.reveal() }

// Mask is what may be shown: 411111******1111 in every case, whatever the length. Empty for no card.
func (p PAN) Mask() string {
	if p.IsZero() {
		return ""
	}
	return p.BIN() + hidden + p.Last4()
}

// BIN is the first six digits, empty for no card.
func (p PAN) BIN() string {
	number := p.reveal()
	return number[:min(6, len(number))]
}

// Last4 is the last four digits, empty for no card.
func (p PAN) Last4() string {
	number := p.reveal()
	return number[max(0, len(number)-4):]
}

// String is the mask.
func (p PAN) String() string { return p.Mask() }

// Format writes the mask, whatever the verb.
func (p PAN) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, p.Mask()) }

// LogValue is the mask.
func (p PAN) LogValue() slog.Value { return slog.StringValue(p.Mask()) }

// Brand is the scheme the number belongs to, empty when its prefix is none we know.
func (p PAN) Brand() Brand { return brandOf(p.reveal()) }

func brandOf(number string) Brand {
	for _, r := range prefixes {
		if n := len(r.from); len(number) >= n && number[:n] >= r.from && number[:n] <= r.to {
			return r.brand
		}
	}
	return ""
}
