package wallet

import (
	"strings"
	"unicode"

	"github.com/tollgatepay/gateway/store"
)

const (
	maxNetwork     = 64  // bytes of a network's name
	maxDescription = 128 // bytes of a display text
)

// Shown is what a token shows without any key. None of it is signed. The two texts are checked to be printable and
// to hold no card number.
type Shown struct {
	Network     string // paymentMethod.network or info.cardNetwork; may be empty
	Description string // paymentMethod.displayName or paymentMethodData.description; may be empty
	PANType     string // DevicePAN for wallet A; empty for wallet B, which has it in the sealed part only
}

// Show reads the shape of a token without any key, for the virtual flow, which passes the token on. code is the
// wallet, ApplePay or GooglePay. Nothing is verified. Error: *Fault for a token that does not have the shape of
// the specification.
func Show(code string, token []byte) (Shown, error) {
	switch code {
	case ApplePay:
		t, err := readApple(token)
		return t.shown, err
	case GooglePay:
		t, err := readGoogle(token)
		return t.shown, err
	}
	return Shown{}, because("code: not a wallet")
}

// display returns a text that will be shown and stored, so it must not hold a card number.
func (s *shape) display(v value, most int) string {
	text := s.plain(v, most)
	found := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			found++
		}
	}
	if found >= store.MinPANDigits { // the wallets show four
		s.wrong(v, "holds too many digits to be shown")
		return ""
	}
	return text
}

// plain returns an optional text for people. Phones add no-break spaces and direction marks around digits: the
// spaces become plain ones, the marks are removed. Control characters are refused.
func (s *shape) plain(v value, most int) string {
	v.text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, v.text)
	return s.optional(v, most)
}
