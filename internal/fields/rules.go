package fields

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/store"
)

var Latin = regexp.MustCompile(`^[A-Za-z '.-]+$`)

var Letters = regexp.MustCompile(`^[\p{L}\p{M} '.’-]+$`)

var HouseNumber = regexp.MustCompile(`^[\p{L}\p{Nd}/ -]+$`)

var PhoneCode = regexp.MustCompile(`^[0-9]+(-[0-9]+)*$`)

// IsZero reports the text of an amount of zero.
func IsZero(amount string) bool { return amount != "" && strings.Trim(amount, "0.") == "" }

// Length counts characters, not bytes.
func Length(value string, shortest, longest int) string {
	n := utf8.RuneCountInString(value)
	switch {
	case longest > 0 && n > longest:
		return fmt.Sprintf(TextLong, longest)
	case n < shortest:
		return fmt.Sprintf(TextShort, shortest)
	}
	return ""
}

func IsPrintableASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

func IsURLOrNone(text string) bool { return text == "" || weburl.Valid(text, weburl.Max) }

func IsAmountOrNone(text string) bool {
	_, err := store.ParseAmount(text)
	return text == "" || err == nil
}
