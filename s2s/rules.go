package s2s

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// The texts of refused parameters (errors.md, "Field-validation messages"); those that name a form of
// values are ours, in the same manner.
const (
	textBlank      = "This value should not be blank."
	textInvalid    = "This value is not valid."
	textURL        = "This value is not a valid URL."
	textChoice     = "The value you selected is not a valid choice."
	textPositive   = "This value should be greater than 0."
	textDeprecated = "Parameter is deprecated."
	textOneValue   = "must be one value"
	textObject     = "must be an object"
	textDate       = "must be a date, yyyy-mm-dd"
)

func textSize(limit int) string { return fmt.Sprintf("must be at most %d bytes", limit) }

var validate = validator.New(validator.WithRequiredStructEnabled())

// rule reports what is wrong with a value, "" when it is sound.
type rule func(r *reading, value string) string

// atMost counts characters.
func atMost(n int) rule { return within(0, n) }

func within(shortest, longest int) rule {
	return func(_ *reading, value string) string {
		switch n := utf8.RuneCountInString(value); {
		case n > longest:
			return fmt.Sprintf("This value is too long. It should have %d characters or less.", longest)
		case n < shortest:
			return fmt.Sprintf("This value is too short. It should have %d characters or more.", shortest)
		}
		return ""
	}
}

// isName takes what may be a key or an id: ours are short, and longer ones name nothing.
func isName(_ *reading, value string) string { return sound(len(value) <= maxName, textInvalid) }

func sound(ok bool, text string) string {
	if ok {
		return ""
	}
	return text
}

func oneOf(values ...string) rule {
	return func(_ *reading, value string) string { return sound(slices.Contains(values, value), textChoice) }
}

func like(pattern, text string) rule {
	compiled := regexp.MustCompile(pattern)
	return func(_ *reading, value string) string { return sound(compiled.MatchString(value), text) }
}

// isEmail is the validator's rule, without quoted local parts and anything beyond ASCII.
func isEmail(_ *reading, value string) string {
	plain := !strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII || r == '"' })
	return sound(plain && validate.Var(value, "email") == nil, textInvalid)
}

func isIP(_ *reading, value string) string {
	address, err := netip.ParseAddr(value)
	return sound(err == nil && address.Zone() == "", textInvalid)
}

func isCountry(_ *reading, value string) string {
	return sound(len(value) == 2 && validate.Var(value, "iso3166_1_alpha2") == nil, textInvalid)
}

// isState checks the state where it counts: elsewhere it is dropped (decision bj).
func isState(prefix string) rule {
	return func(r *reading, value string) string {
		country := r.text(prefix + "country")
		return sound(!fields.HasStates(country) || fields.IsState(country, value), fields.TextState)
	}
}

// isDate checks the form; what day it may be depends on the clock, which is the gateway's.
func isDate(_ *reading, value string) string {
	_, err := time.Parse(time.DateOnly, value)
	return sound(err == nil && len(value) == len(time.DateOnly), textDate)
}

// isNumber takes whole numbers within bounds.
func isNumber(least, most int) rule {
	return func(_ *reading, value string) string {
		n, err := strconv.Atoi(value)
		return sound(err == nil && strconv.Itoa(n) == value && n >= least && n <= most,
			fmt.Sprintf("must be a whole number within %d..%d", least, most))
	}
}

func isPAN(_ *reading, value string) string {
	_, err := store.ParsePAN(value)
	return sound(err == nil, store.ErrPAN.Error())
}

func isCode(_ *reading, value string) string {
	_, err := store.ParseSecurityCode(value)
	return sound(err == nil, store.ErrSecurityCode.Error())
}

var (
	isMonth     = like(`^(0[1-9]|1[0-2])$`, textInvalid)
	isYear      = like(`^20[0-9]{2}$`, textInvalid)
	isYesNo     = oneOf("Y", "N")
	isPhoneCode = like(`^[0-9]+(-[0-9]+)*$`, "only digits, with a hyphen for composite codes")
	isHouse     = like(`^[\p{L}\p{Nd}/ -]+$`, textInvalid)
	isMOTO      = oneOf("phone_moto", "email_moto", "default_moto", "ecommerce")
	// isTarget takes the four names that HTML reserves, and names of frames, which do not begin as those do.
	isTarget = like(`^(_blank|_self|_parent|_top|[^_\s<>"'&][^\s<>"'&]{0,254})$`, textChoice)
)
