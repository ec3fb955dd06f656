package methods

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/tollgatepay/gateway/store"
)

// tags are the rules of the validator library. It caches what it has parsed, so a catalogue uses one.
type tags struct{ validate *validator.Validate }

func newTags() *tags {
	return &tags{validator.New(validator.WithRequiredStructEnabled())}
}

func (t *tags) is(tag string) func(string) bool {
	return func(s string) bool { return t.validate.Var(s, tag) == nil }
}

func count(s string) int { return utf8.RuneCountInString(s) }

// isLine accepts any text without control characters and without characters that change the direction of the text
// after them (decision ca).
func isLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
	})
}

// isBase64 accepts the letters of base64, on one line or on several as in mail.
func isBase64(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("+/=-_\r\n", r)
	})
}

// isPrintable accepts letters, marks, numbers, punctuation, symbols and spaces of any script, and the two joiners
// that Persian and Indic scripts need; no line breaks, no controls.
func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsGraphic(r) && r != '\u200c' && r != '\u200d'
	})
}

func isWord(s string) bool { return isPrintable(s) && !strings.ContainsFunc(s, unicode.IsSpace) }

// isDigits and isLetters accept an empty text too: other rules check for that.
func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func isLetters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

func isPlainASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// isNumber accepts digits with an optional fraction, up to 64 characters. It accepts no sign and no exponent: no
// amount or count has them.
func isNumber(s string) bool {
	whole, fraction, point := strings.Cut(s, ".")
	return len(s) <= maxText && digits(whole) && (!point || digits(fraction))
}

// isBoolean accepts 1 and 0 too, because form encoders write booleans that way.
func isBoolean(s string) bool { return s == "true" || s == "false" || s == "1" || s == "0" }

func isCountry23(s string) bool {
	return len(s) == 2 && isLetters(s) || len(s) == 3 && digits(s)
}

func isMonth(s string) bool { return len(s) == 2 && digits(s) && s >= "01" && s <= "12" }

func isYear(s string) bool { return len(s) == 4 && digits(s) }

func isMonthYear(s string) bool {
	month, year, ok := strings.Cut(s, "/")
	return ok && isMonth(month) && isYear(year)
}

// isUTC formats the parsed time again, because the standard library accepts more than it writes (one digit for the
// hour, a comma before the fraction).
func isUTC(s string) bool {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || strings.Contains(s, ",") {
		return false
	}
	_, offset := t.Zone()
	return offset == 0 && strings.HasPrefix(s, t.Format("2006-01-02T15:04:05"))
}

func hasUser(s string) bool {
	u, err := url.Parse(s)
	return err != nil || u.User != nil
}

func isPAN(s string) bool {
	_, err := store.ParsePAN(s)
	return err == nil
}

// namedAssets are the crypto assets that SPEC2 names. They are valid currency codes even if the host has not
// registered them with an exponent.
var namedAssets = []string{"BTC", "ETH", "USDC", "USDT"}

func isNamedAsset(s string) bool { return slices.Contains(namedAssets, s) }

func among(values []string) func(string) bool {
	return func(s string) bool { return slices.Contains(values, s) }
}
