package store

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// constError is an error that nobody can change. It says which rule is broken, never by what.
type constError string

// Error is the text itself; of a card rule, the one a payer is shown.
func (e constError) Error() string { return string(e) }

// What is wrong with a card, in the words of the hosted page (errors.md, "Checkout hosted-page (form)
// messages"). Compare with errors.Is.
const (
	ErrPAN          constError = "Invalid card number"
	ErrExpiry       constError = "The expiration date of card is expired and not valid."
	ErrSecurityCode constError = "Invalid security code"
)

// ErrSecret answers every attempt to marshal a secret type, or to unmarshal card data: records and
// messages hold secrets sealed, never as they are.
const ErrSecret constError = "store: a secret is neither marshalled nor read by an encoder"

const hidden = "******"

// guarded keeps text behind a pointer: what fmt prints by reflection, for %p, for a wrong verb or for
// an unexported field of somebody's struct, is then an address. Every other way out is closed here.
type guarded struct{ text *string }

func guard(text string) guarded {
	if text == "" {
		return guarded{} // the zero value, so that omitzero leaves it out
	}
	return guarded{&text}
}

func (g guarded) reveal() string {
	if g.text == nil {
		return ""
	}
	return *g.text
}

// IsZero reports whether there is nothing to hide.
func (g guarded) IsZero() bool { return g.text == nil }

// String is a mask that tells nothing, not even a length.
func (g guarded) String() string { return hidden }

// Format writes the mask, whatever the verb.
func (g guarded) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue is the mask.
func (g guarded) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalJSON answers ErrSecret, and so do its siblings.
func (g guarded) MarshalJSON() ([]byte, error) { return nil, ErrSecret }

// MarshalText answers ErrSecret.
func (g guarded) MarshalText() ([]byte, error) { return nil, ErrSecret }

// MarshalBinary answers ErrSecret.
func (g guarded) MarshalBinary() ([]byte, error) { return nil, ErrSecret }

// GobEncode answers ErrSecret.
func (g guarded) GobEncode() ([]byte, error) { return nil, ErrSecret }

// UnmarshalJSON answers ErrSecret: a card is read by ParsePAN and ParseSecurityCode.
func (g *guarded) UnmarshalJSON([]byte) error { return ErrSecret }

// Secret is a password, key or credential. It prints and logs as a mask and refuses to be marshalled;
// Reveal is the only way to the text, and a record keeps it sealed. Configuration may hold it as a JSON
// string. The zero value is no secret. Secrets are not compared with ==, which compares identities.
type Secret struct{ guarded }

// NewSecret keeps text as a secret.
func NewSecret(text string) Secret { return Secret{guard(text)} }

// Reveal is the secret itself, empty for none. It is to be sealed, sent or compared in constant time.
func (s Secret) Reveal() string { return s.reveal() }

// UnmarshalJSON reads a JSON string of a configuration. Its error never holds the text.
func (s *Secret) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return constError("store: a secret must be a JSON string")
	}
	*s = NewSecret(text)
	return nil
}

// SecurityCode is the code on a card: three or four digits, known only while an attempt is open. It
// prints and logs as a mask and refuses to be marshalled.
type SecurityCode struct{ guarded }

// ParseSecurityCode takes three or four ASCII digits. Error: ErrSecurityCode.
func ParseSecurityCode(text string) (SecurityCode, error) {
	if len(text) < 3 || len(text) > 4 || !digits(text) {
		return SecurityCode{}, ErrSecurityCode
	}
	return SecurityCode{guard(text)}, nil
}

// Digits is the code itself, empty for none.
func (c SecurityCode) Digits() string { return c.reveal() }

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
func (p PAN) Brand() Brand {
	number := p.reveal()
	for _, r := range prefixes {
		if n := len(r.from); len(number) >= n && number[:n] >= r.from && number[:n] <= r.to {
			return r.brand
		}
	}
	return ""
}

// Brand names a card scheme in lower case, like "visa".
type Brand string

// The brands we tell by the number.
const (
	Visa       Brand = "visa"
	Mastercard Brand = "mastercard"
	Amex       Brand = "amex"
	Discover   Brand = "discover"
	Diners     Brand = "diners"
	JCB        Brand = "jcb"
	UnionPay   Brand = "unionpay"
	Maestro    Brand = "maestro"
	Mir        Brand = "mir"
)

// prefix is a range of first digits, both ends of one length, that belongs to a brand.
type prefix struct {
	from, to string
	brand    Brand
}

// prefixes do not overlap; they are the schemes' published ranges.
var prefixes = [...]prefix{
	{"4", "4", Visa}, {"51", "55", Mastercard}, {"2221", "2720", Mastercard},
	{"34", "34", Amex}, {"37", "37", Amex},
	{"6011", "6011", Discover}, {"644", "649", Discover}, {"65", "65", Discover},
	{"300", "305", Diners}, {"3095", "3095", Diners}, {"36", "36", Diners}, {"38", "39", Diners},
	{"3528", "3589", JCB}, {"2131", "2131", JCB}, {"1800", "1800", JCB},
	{"62", "62", UnionPay}, {"810", "817", UnionPay},
	{"50", "50", Maestro}, {"56", "58", Maestro}, {"6304", "6304", Maestro}, {"67", "67", Maestro},
	{"2200", "2204", Mir},
}

// Lengths are the least and the most digits of the brand's numbers; of any card for an unknown brand.
func (b Brand) Lengths() (least, most int) {
	switch b {
	case Visa:
		return 13, 19
	case Mastercard:
		return 16, 16
	case Amex:
		return 15, 15
	case Diners, UnionPay:
		return 14, 19
	case Discover, JCB, Mir:
		return 16, 19
	}
	return MinPANDigits, MaxPANDigits
}

// Gaps are the numbers of digits after which the number is printed with a space.
func (b Brand) Gaps() []int {
	if b == Amex || b == Diners {
		return []int{4, 10}
	}
	return []int{4, 8, 12, 16}
}

// CodeSize is the number of digits of the security code, 0 when the brand is unknown: three or four.
func (b Brand) CodeSize() int {
	switch b {
	case Visa, Mastercard, Discover, Diners, JCB, UnionPay, Maestro, Mir:
		return 3
	case Amex:
		return 4
	}
	return 0
}

// Expiry is the last month a card is good for: years 2000 to 2099, months 1 to 12. The zero value is no
// expiry; its text is empty.
type Expiry struct{ Year, Month int }

// MaxExpiryYears is how far ahead a card may expire, our own limit; what lies further is a slip.
const MaxExpiryYears = 50

// ParseExpiry reads MM/YY, MM/YYYY, YYYY-MM, a month of one digit with a separator, dash and slash alike,
// and MMYY, MMYYYY, YYYYMM without one. Two digits of a year are of this century. Whether the card has
// expired is for Check to say. Error: ErrExpiry.
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

// splitExpiry finds the two parts. No month is 20, so six digits that begin so begin with a year.
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

// String is MM/YYYY, empty without an expiry.
func (e Expiry) String() string {
	if e == (Expiry{}) {
		return ""
	}
	return fmt.Sprintf("%02d/%04d", e.Month, e.Year)
}

// Expired reports whether the last day of the month is over in UTC. No expiry counts as expired.
func (e Expiry) Expired(now time.Time) bool {
	return !now.Before(time.Date(e.Year, time.Month(e.Month)+1, 1, 0, 0, 0, 0, time.UTC))
}

// Check is ErrExpiry when the card has expired by now, expires more than MaxExpiryYears ahead, or has no
// such month.
func (e Expiry) Check(now time.Time) error {
	if e.Month < 1 || e.Month > 12 || e.Expired(now) || e.Year > now.UTC().Year()+MaxExpiryYears {
		return ErrExpiry
	}
	return nil
}

// MarshalText writes what String does; records and JSON hold MM/YYYY.
func (e Expiry) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what ParseExpiry does, and nothing as no expiry.
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

// FoldDigits makes plain digits of what payers type and paste: Arabic-Indic, extended Arabic-Indic,
// Devanagari and full-width digits become ASCII; bidi marks, spaces and dashes go. For the hosted page
// only: an API takes ASCII digits as they are.
func FoldDigits(text string) string { return strings.Map(foldDigit, text) }

func foldDigit(r rune) rune {
	for _, zero := range [...]rune{'\u0660', '\u06F0', '\u0966', '\uFF10'} {
		if r >= zero && r <= zero+9 {
			return '0' + r - zero
		}
	}
	if unicode.IsSpace(r) || unicode.In(r, unicode.Bidi_Control, unicode.Pd, unicode.Zs) || r == '\u2212' {
		return -1
	}
	return r
}
