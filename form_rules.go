package gateway

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// rule decides about a value that is present. It may look at the rest of the request.
type rule func(f *form, r *SessionRequest, value string) bool

// isKey: no merchant has a longer key, and a store might not take one as part of its own.
func isKey(_ *form, _ *SessionRequest, value string) bool { return len(value) <= 255 }

func isOperation(_ *form, r *SessionRequest, value string) bool {
	kind := store.Kind(value)
	return slices.Contains(store.Kinds(), kind) && (!r.Hosted || kind == store.Purchase || kind == store.Debit)
}

func isCurrency(f *form, _ *SessionRequest, value string) bool {
	_, ok := f.currencies.Lookup(value)
	return ok
}

func isURL(_ *form, _ *SessionRequest, value string) bool { return weburl.Valid(value, weburl.Max) }

func oneOf(values ...string) rule {
	return func(_ *form, _ *SessionRequest, value string) bool { return slices.Contains(values, value) }
}

// tagged is a rule of the validator library, where its reading of the rule is ours.
func tagged(tag string) rule {
	return func(f *form, _ *SessionRequest, value string) bool { return f.validate.Var(value, tag) == nil }
}

// made takes values made of the given ASCII characters only.
func made(alphabet string) rule {
	return func(_ *form, _ *SessionRequest, value string) bool {
		return strings.Trim(value, alphabet) == ""
	}
}

// maxName is how many characters customer.name may have, and the name on a card, which is shown for it (SPEC1).
const maxName = 200

// isLatin is "Latin basic letters", so many of them: A-Z, a-z, space, hyphen, apostrophe, full stop
// (decision x). With AnyName of the mapping letters of every script are taken.
func isLatin(shortest, longest int) rule {
	return func(_ *form, r *SessionRequest, value string) bool {
		n := utf8.RuneCountInString(value)
		return n >= shortest && n <= longest &&
			(fields.Latin.MatchString(value) || r.anyName && fields.Letters.MatchString(value))
	}
}

// isEmail is the library's rule, without quoted local parts and anything beyond ASCII.
func isEmail(f *form, _ *SessionRequest, value string) bool {
	ascii := !strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII || r == '"' })
	return ascii && f.validate.Var(value, "email") == nil
}

func isCountry(f *form, _ *SessionRequest, value string) bool {
	return f.validate.Var(value, "iso3166_1_alpha2") == nil
}

// stateIn checks a state where it counts (decision bj).
func stateIn(country func(*SessionRequest) string) rule {
	return func(_ *form, r *SessionRequest, value string) bool { return fields.IsState(country(r), value) }
}

func isHouseNumber(_ *form, _ *SessionRequest, value string) bool {
	return fields.HouseNumber.MatchString(value)
}

func isPhoneCode(_ *form, _ *SessionRequest, value string) bool {
	return fields.PhoneCode.MatchString(value)
}

// date reads yyyy-mm-dd.
func date(f *form, value string) (time.Time, bool) {
	if f.validate.Var(value, "datetime=2006-01-02") != nil {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, value)
	return day, err == nil
}

func isBirthDate(f *form, _ *SessionRequest, value string) bool {
	day, ok := date(f, value)
	return ok && day.Before(f.now()) && day.Year() > f.now().Year()-150
}

func withRecurring(_ *form, r *SessionRequest, _ string) bool { return r.Extra.RecurringInit }

// maxStart is how many years ahead a schedule may begin, our own limit.
const maxStart = 10

func isStartDate(f *form, r *SessionRequest, value string) bool {
	day, ok := date(f, value)
	// where it is earliest: the MID's zone is not known yet
	today := f.now().UTC().Add(-12 * time.Hour).Truncate(24 * time.Hour)
	return ok && r.Extra.ScheduleID != "" && !day.Before(today) && day.Before(today.AddDate(maxStart, 0, 0))
}

func isScheduleAmount(f *form, r *SessionRequest, value string) bool {
	return r.Extra.ScheduleID != "" && f.isPositive(methods.Checkout.Short(r.short), r.Order.Currency, value)
}

// isPositive reports an amount of more than nothing, as a protocol writes it.
func (f *form) isPositive(format methods.Format, currency, value string) bool {
	known, ok := f.currencies.Lookup(currency)
	if !ok {
		return false
	}
	amount, err := methods.ParseAmount(format, known, value)
	return err == nil && !amount.IsZero()
}
