package wallet

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

const (
	maxHolder     = 255
	maxCryptogram = 1024 // characters of base64; the schemes' are 28 to 60
	maxMessageID  = 255
)

// pan reads the card number. Its fault never quotes the number.
func (s *shape) pan(v value) store.PAN {
	pan, err := store.ParsePAN(s.text(v))
	if err != nil {
		s.wrong(v, "must be a card number")
	}
	return pan
}

func (s *shape) expiry(v value, text string) store.Expiry {
	expiry, err := store.ParseExpiry(text)
	if err != nil {
		s.wrong(v, "must be a month of a year")
	}
	return expiry
}

func (s *shape) cryptogram(v value) store.Secret {
	text := s.text(v)
	if _, ok := decode64(text); !ok || len(text) > maxCryptogram {
		s.wrong(v, "must be base64")
		return store.Secret{}
	}
	return store.NewSecret(text)
}

// eci returns an electronic commerce indicator: absent, or one or two digits.
func (s *shape) eci(v value) string {
	text := s.optional(v, 2)
	if text != "" && !digits(text) {
		s.wrong(v, "must be one or two digits")
	}
	return text
}

// millis reads a time in the format of wallet B: a text of milliseconds since 1970.
func (s *shape) millis(v value) time.Time {
	t, ok := parseMillis(s.text(v))
	if !ok {
		s.wrong(v, "must be milliseconds since 1970")
	}
	return t
}

func parseMillis(text string) (time.Time, bool) {
	if !digits(text) || len(text) > len("99999999999999") { // the year 5138
		return time.Time{}, false
	}
	var n int64
	for i := range len(text) {
		n = n*10 + int64(text[i]-'0')
	}
	return time.UnixMilli(n).UTC(), true
}
