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

// Shown is what a token tells without any key. Nobody signed it, except that the two texts are printable
// and hold no card number.
type Shown struct {
	Network     string // paymentMethod.network or info.cardNetwork; may be empty
	Description string // paymentMethod.displayName or paymentMethodData.description; may be empty
	PANType     string // DevicePAN for wallet A; empty for wallet B, which tells it in the sealed part only
}

// Show reads the shape of a token of the wallet with this code, ApplePay or GooglePay, without any key, for
// the virtual flow, which passes the token on. Nothing is verified. Error: *Fault for whatever is not the
// shape of the specification.
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

// display is a text that will be shown and stored, so it may not smuggle a card number.
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

// plain is an optional text for people. Phones set no-break spaces and marks of direction around digits:
// the former become spaces, the latter go. Control characters are refused.
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
