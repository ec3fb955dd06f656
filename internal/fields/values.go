package fields

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/store"
)

// Is makes a rule of a question.
func Is(sound func(value string) bool, text string) ValueRule {
	return ValueRule{Check: func(value string) string { return Sound(sound(value), text) }}
}

// formed gives a rule the form that a description tells.
func formed(form Form, rule ValueRule) ValueRule {
	rule.Form = form
	return rule
}

// Sound is "" where a value is sound, else the text.
func Sound(ok bool, text string) string {
	if ok {
		return ""
	}
	return text
}

// Within bounds a text, in characters.
func Within(shortest, longest int) ValueRule {
	return ValueRule{Form: Form{Min: shortest, Max: longest}, Check: func(value string) string {
		switch n := utf8.RuneCountInString(value); {
		case n > longest:
			return TextLong(longest)
		case n < shortest:
			return TextShort(shortest)
		}
		return ""
	}}
}

// AtMost bounds a text from above, in characters.
func AtMost(longest int) ValueRule { return Within(0, longest) }

// OneOf takes the given values only.
func OneOf(values ...string) ValueRule {
	return formed(Form{Choices: values},
		Is(func(value string) bool { return slices.Contains(values, value) }, TextChoice))
}

// Like takes the values that a pattern matches.
func Like(pattern, text string) ValueRule {
	return formed(Form{Pattern: pattern}, Is(regexp.MustCompile(pattern).MatchString, text))
}

// MaxName bounds keys and ids, in bytes: ours are shorter, and a store might not take a longer one as part of its key.
const MaxName = 255

// Name takes what may be a key or an id. A longer text names nothing.
var Name = formed(Form{Max: MaxName, Words: TextSize(MaxName)},
	Is(func(value string) bool { return len(value) <= MaxName }, TextInvalid))

// validate is the library's reading of a few formats, where that reading is ours.
var validate = validator.New(validator.WithRequiredStructEnabled())

// IsCountry reports a country's code of two capital letters (ISO 3166-1).
func IsCountry(value string) bool { return countries()[value] }

// countries are the codes that the library knows. It is asked once, since a request may name several.
var countries = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for code := [2]byte{'A', 'A'}; code[0] <= 'Z'; code[0]++ {
		for code[1] = 'A'; code[1] <= 'Z'; code[1]++ {
			if text := string(code[:]); validate.Var(text, "iso3166_1_alpha2") == nil {
				known[text] = true
			}
		}
	}
	return known
})

// Country takes what IsCountry reports.
var Country = formed(Form{Pattern: "^[A-Z]{2}$", Words: "code of ISO 3166-1"}, Is(IsCountry, TextInvalid))

// UUID takes a UUID.
var UUID = formed(Form{Format: "uuid", Pattern: "^[0-9a-fA-F-]{36}$"}, valid("uuid"))

// IP takes an address of either version, without a zone.
var IP = formed(Form{Pattern: "^[0-9a-fA-F.:]+$", Words: "address of IPv4 or IPv6"}, Is(func(value string) bool {
	return isIPv4(value) || validate.Var(value, "ip") == nil
}, TextInvalid))

// isIPv4 reports four numbers of a byte with points between them, which need no library. Most addresses are.
func isIPv4(value string) bool {
	numbers := 0
	for number := range strings.SplitSeq(value, ".") {
		if _, err := strconv.ParseUint(number, 10, 8); err != nil || len(number) > 1 && number[0] == '0' {
			return false
		}
		numbers++
	}
	return numbers == 4
}

// valid is the library's reading of a format.
func valid(format string) ValueRule {
	return Is(func(value string) bool { return validate.Var(value, format) == nil }, TextInvalid)
}

// URL takes absolute http and https URLs that a browser may be sent to, of so many characters.
func URL(longest int) ValueRule {
	return formed(Form{Max: longest, Format: "uri", Pattern: "^[hH][tT][tT][pP][sS]?://", Words: "http or https"},
		Is(func(value string) bool { return weburl.Valid(value, longest) }, TextURL))
}

// Date reads yyyy-mm-dd.
func Date(value string) (day time.Time, ok bool) {
	day, err := time.Parse(time.DateOnly, value)
	return day, err == nil && len(value) == len(time.DateOnly)
}

// IsDate takes what Date reads. Which day it may be depends on the clock, which is the gateway's.
var IsDate = formed(DateForm, Is(func(value string) bool { _, ok := Date(value); return ok }, TextDate))

// DateForm is the form of a day.
var DateForm = Form{Format: "date", Pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}

// IsBirthDate reports a day of the past that a person may be born on.
func IsBirthDate(value string, now time.Time) bool {
	day, ok := Date(value)
	return ok && day.Before(now) && day.Year() > now.Year()-150
}

// MaxStart is how many years ahead a schedule may begin, our own limit.
const MaxStart = 10

// IsStartDate reports a day on which a schedule may begin: from today on where it is earliest, since the time zone of
// the MID is not known yet.
func IsStartDate(value string, now time.Time) bool {
	day, ok := Date(value)
	today := now.UTC().Add(-12 * time.Hour).Truncate(24 * time.Hour)
	return ok && !day.Before(today) && day.Before(today.AddDate(MaxStart, 0, 0))
}

// WholeNumber takes numbers without a sign, a zero in front or decimals, within bounds.
func WholeNumber(least, most int) ValueRule {
	words := fmt.Sprintf("a whole number within %d..%d", least, most)
	return formed(Form{Pattern: "^(0|[1-9][0-9]*)$", Words: words}, Is(func(value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && strconv.Itoa(n) == value && n >= least && n <= most
	}, "must be "+words))
}

// Letters are those of names in every script.
var Letters = regexp.MustCompile(`^[\p{L}\p{M} '.’-]+$`)

// MaxNamePart is how many letters a first or a last name may have.
const MaxNamePart = 32

// IsLatin reports "Latin basic letters", so many of them: A-Z, a-z, space, hyphen, apostrophe, full stop (decision x).
// anyName takes letters of every script.
func IsLatin(value string, shortest, longest int, anyName bool) bool {
	n := utf8.RuneCountInString(value)
	return n >= shortest && n <= longest &&
		(value != "" && !strings.ContainsFunc(value, notLatin) || anyName && Letters.MatchString(value))
}

func notLatin(r rune) bool {
	return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != ' ' && r != '\'' && r != '.' && r != '-'
}

// The rules of an address and of a payment's marks.
var (
	HouseNumber = Like(`^[\p{L}\p{Nd}/ -]+$`, TextInvalid)
	Phone       = formed(Form{Pattern: `^[0-9+()-]+$`}, Is(isPhone, TextPhone))
	PhoneCode   = Like(`^[0-9]+(-[0-9]+)*$`, TextPhoneCode)
	MOTOType    = OneOf("phone_moto", "email_moto", "default_moto", "ecommerce")
)

func isPhone(value string) bool { return value != "" && strings.Trim(value, "0123456789+()-") == "" }

// CardNumber takes a card number. Its text never repeats it.
var CardNumber = formed(Form{Pattern: "^[0-9]{12,19}$", Words: "passes the Luhn check"},
	Is(func(value string) bool { _, err := store.ParsePAN(value); return err == nil }, store.ErrPAN.Error()))

// SecurityCode takes three or four digits.
var SecurityCode = formed(Form{Pattern: "^[0-9]{3,4}$"},
	Is(func(value string) bool { _, err := store.ParseSecurityCode(value); return err == nil },
		store.ErrSecurityCode.Error()))

// CardToken takes what may be the token of a saved card.
var CardToken = formed(Form{Min: 64, Max: 64}, Is(func(value string) bool { return len(value) == 64 }, TextToken))

// IsAmountOrNone reports a decimal number or nothing.
func IsAmountOrNone(text string) bool {
	_, err := store.ParseAmount(text)
	return text == "" || err == nil
}

// IsSameAmount reports whether two texts are the same amount.
func IsSameAmount(one, other string) bool {
	a, err := store.ParseAmount(one)
	b, fault := store.ParseAmount(other)
	return err == nil && fault == nil && a.Cmp(b) == 0
}

// IsZero reports the text of an amount of zero.
func IsZero(text string) bool {
	if strings.Trim(text, "0.") != "" {
		return false
	}
	amount, err := store.ParseAmount(text)
	return err == nil && amount.IsZero()
}

// IsNegative reports an amount below zero.
func IsNegative(value string) bool {
	rest, negative := strings.CutPrefix(value, "-")
	if !negative {
		return false
	}
	_, err := store.ParseAmount(rest)
	return err == nil
}

// Decimal takes an amount whose currency is not known here. A negative one is for Positive to refuse.
var Decimal = formed(AmountForm, ValueRule{Check: decimal})

// AmountForm is the form of an amount. How many decimals its currency has is not known here, and no pattern tells it.
var AmountForm = Form{Pattern: "^(0|[1-9][0-9]{0,14})([.][0-9]{1,18})?$", Words: saysDecimals}

const (
	saysDecimals = "with the decimals of the currency, like 12.34 in USD"
	saysPositive = "greater than 0"
)

func decimal(value string) string {
	_, err := store.ParseAmount(value)
	return Sound(err == nil || IsNegative(value), TextDecimal)
}

// Positive refuses zero and what is below. What is no number is for Decimal to refuse.
var Positive = formed(Form{Words: saysPositive}, ValueRule{Check: positive})

func positive(value string) string {
	return Sound(!IsNegative(value) && !IsZero(value), TextPositive)
}

// Amount is Decimal and Positive: an amount of more than zero, before its currency is known.
var Amount = formed(Form{Pattern: AmountForm.Pattern, Words: saysPositive + ", " + saysDecimals},
	ValueRule{Check: amountText})

func amountText(value string) string {
	if rest, negative := strings.CutPrefix(value, "-"); negative && IsZero(rest) {
		return TextDecimal
	}
	return cmp.Or(decimal(value), positive(value))
}

// IsURLOrNone reports a URL that a browser may be sent to, or nothing.
func IsURLOrNone(text string) bool { return text == "" || weburl.Valid(text, weburl.Max) }

// IsPrintableASCII reports a text of the printable characters of ASCII.
func IsPrintableASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
