package gateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// form checks requests against tables of fields.
type form struct {
	validate   *validator.Validate
	currencies *methods.Currencies
	today      func() time.Time
}

func newForm(currencies *methods.Currencies, now func() time.Time) *form {
	return &form{
		validate:   validator.New(validator.WithRequiredStructEnabled()),
		currencies: currencies,
		today:      now,
	}
}

// check holds a request against the session table and names every field that fails, one fault a
// field, in the order of the table. The signature is not looked at.
func (f *form) check(r *SessionRequest) []Fault {
	faults := slices.Clone(r.Malformed)
	for i := range sessionFields {
		row := &sessionFields[i]
		if r.malformed(row.path) {
			continue
		}
		if fault := f.fault(row, r); fault.Text != "" {
			faults = append(faults, fault)
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(place(a.Path), place(b.Path)) })
	return faults
}

// place is where in the table a fault belongs; what is of no row comes last.
func place(path string) int {
	path, _, _ = strings.Cut(path, "[")
	if path == "amount" { // decision ac
		path = "order.amount"
	}
	for i := range sessionFields {
		row := sessionFields[i].path
		if row == path || strings.HasPrefix(row, path+".") || strings.HasPrefix(path, row+".") {
			return i
		}
	}
	return len(sessionFields)
}

// fault is what is wrong with a field; its text is empty when nothing is.
func (f *form) fault(row *field, r *SessionRequest) Fault {
	if row.value == nil {
		return f.whole(row.path, r)
	}
	value := row.value(r)
	switch {
	case value != "":
		return Fault{row.path, cmp.Or(lengthFault(value, row.min, row.max), f.ruleFault(row, r, value))}
	case row.needed(r):
		return Fault{row.path, textBlank}
	}
	return Fault{}
}

// whole checks what is no single text.
func (f *form) whole(path string, r *SessionRequest) Fault {
	switch path {
	case "methods":
		return methodFault(r.Methods)
	case "order.amount":
		return f.amountFault(r)
	case "session_expiry":
		if r.Expiry != nil && (*r.Expiry < 1 || *r.Expiry > 720) {
			return Fault{path, "must be within 1..720"}
		}
	case "parameters":
		return sizeFault(path, r.Parameters)
	case "custom_data":
		return sizeFault(path, r.CustomData)
	case "card_token":
		return tokenFault(r.Extra.CardTokens)
	case "hash":
		if r.Proof != nil && r.Proof.Hash == "" {
			return Fault{path, textBlank}
		}
	}
	return Fault{}
}

// maxObject bounds a free-form object, in bytes. Records and callbacks repeat it, escaped in their own
// ways, and have to stay within what a store takes.
const maxObject = 64 << 10

func sizeFault(path string, object json.RawMessage) Fault {
	if len(object) > maxObject {
		return Fault{path, fmt.Sprintf("must be at most %d bytes", maxObject)}
	}
	return Fault{}
}

func (f *form) ruleFault(row *field, r *SessionRequest, value string) string {
	if row.rule == nil || row.rule(f, r, value) {
		return ""
	}
	return row.text
}

// lengthFault counts characters, not bytes.
func lengthFault(value string, shortest, longest int) string {
	n := utf8.RuneCountInString(value)
	switch {
	case longest > 0 && n > longest:
		return fmt.Sprintf("This value is too long. It should have %d characters or less.", longest)
	case n < shortest:
		return fmt.Sprintf("This value is too short. It should have %d characters or more.", shortest)
	}
	return ""
}

// amountFault checks order.amount by the currency's format. Nothing is asked for in crypto when the
// payer enters the amount elsewhere; nothing at all is a price only where it only verifies a card
// (SPEC1, zero amounts; decision ac for the text).
func (f *form) amountFault(r *SessionRequest) Fault {
	currency, known := f.currencies.Lookup(r.Order.Currency)
	switch {
	case r.Order.Amount == "" && known && currency.Crypto && r.Operation == string(store.Purchase):
		return Fault{"order.amount", "must be sent: amounts entered by the payer are not supported yet"}
	case r.Order.Amount == "":
		return Fault{"order.amount", textBlank}
	case strings.HasPrefix(r.Order.Amount, "-") && plainAmount(r.Order.Amount[1:]):
		return Fault{"amount", textPositive}
	case !known: // the currency is named too; its format is not known
		return Fault{}
	}
	amount, err := methods.ParseAmount(methods.Checkout, currency, r.Order.Amount)
	switch {
	case err != nil:
		return Fault{"order.amount", err.Error()}
	case amount.IsZero() && !r.Hold && !r.Extra.RecurringInit:
		return Fault{"amount", textPositive}
	}
	return Fault{}
}

// plainAmount reports an amount other than nothing in any format.
func plainAmount(text string) bool {
	amount, err := store.ParseAmount(text)
	return err == nil && !amount.IsZero()
}

func methodFault(list []string) Fault {
	if len(list) > 100 {
		return Fault{"methods", "at most 100"}
	}
	for i, method := range list {
		if method == "" || len(method) > 64 {
			return Fault{fmt.Sprintf("methods[%d]", i), textInvalid}
		}
	}
	return Fault{}
}

func tokenFault(list []string) Fault {
	if len(list) > 100 {
		return Fault{"card_token", "at most 100"}
	}
	for i, token := range list {
		if len(token) != 64 {
			return Fault{fmt.Sprintf("card_token[%d]", i), "must have 64 characters"}
		}
	}
	return Fault{}
}

// isKey: no merchant has a longer key, and a store might not take one as part of its own.
func isKey(_ *form, _ *SessionRequest, value string) bool { return len(value) <= 255 }

func isOperation(_ *form, _ *SessionRequest, value string) bool {
	return slices.Contains(store.Kinds(), store.Kind(value))
}

func isCurrency(f *form, _ *SessionRequest, value string) bool {
	_, ok := f.currencies.Lookup(value)
	return ok
}

func isURL(_ *form, _ *SessionRequest, value string) bool { return checkURL(value) == nil }

// checkURL takes an absolute http or https URL a browser may be sent to: a host, no user information,
// nothing a browser and we could read differently. The length is counted before anything is trimmed.
func checkURL(text string) error {
	bad := fmt.Errorf("not a URL to send a payer to")
	if utf8.RuneCountInString(text) > 1024 || strings.ContainsFunc(text, unsafeInURL) {
		return bad
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Opaque != "", u.User != nil,
		u.Hostname() == "", !asciiHost(u.Hostname()), strings.HasSuffix(u.Host, ":"):
		return bad
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return bad
		}
	}
	return nil
}

func unsafeInURL(r rune) bool {
	return r == '\\' || r == ' ' || r == unicode.ReplacementChar || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r)
}

func asciiHost(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII || r == '%' })
}

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

var latin = regexp.MustCompile(`^[A-Za-z '.-]+$`)

// isLatin is "Latin basic letters", so many of them: A-Z, a-z, space, hyphen, apostrophe, full stop
// (decision x).
func isLatin(shortest, longest int) rule {
	return func(_ *form, _ *SessionRequest, value string) bool {
		return len(value) >= shortest && len(value) <= longest && latin.MatchString(value)
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

// stateIn checks a state where it counts; the library knows states with their country before them.
func stateIn(country func(*SessionRequest) string) rule {
	return func(f *form, r *SessionRequest, value string) bool {
		return len(value) == 2 && f.validate.Var(country(r)+"-"+value, "iso3166_2") == nil
	}
}

var houseNumber = regexp.MustCompile(`^[\p{L}\p{Nd}/ -]+$`)

func isHouseNumber(_ *form, _ *SessionRequest, value string) bool {
	return houseNumber.MatchString(value)
}

var phoneCode = regexp.MustCompile(`^[0-9]+(-[0-9]+)*$`)

func isPhoneCode(_ *form, _ *SessionRequest, value string) bool { return phoneCode.MatchString(value) }

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
	return ok && day.Before(f.today()) && day.Year() > f.today().Year()-150
}

func withRecurring(_ *form, r *SessionRequest, _ string) bool { return r.Extra.RecurringInit }

func isStartDate(f *form, r *SessionRequest, value string) bool {
	day, ok := date(f, value)
	return ok && r.Extra.ScheduleID != "" && !day.Before(f.today().UTC().Truncate(24*time.Hour))
}

func isScheduleAmount(f *form, r *SessionRequest, value string) bool {
	currency, known := f.currencies.Lookup(r.Order.Currency)
	if !known || r.Extra.ScheduleID == "" {
		return false
	}
	amount, err := methods.ParseAmount(methods.Checkout, currency, value)
	return err == nil && !amount.IsZero()
}

// checkCharge holds a charge of a Go caller against the same rules as a session.
func (f *form) checkCharge(c *ChargeRequest) []Fault {
	faults := f.check(&SessionRequest{
		MerchantKey: c.MerchantKey, Operation: string(c.Kind), Order: c.Order, ChannelID: c.ChannelID, Hold: c.Hold,
		SuccessURL: "https://charge.invalid/", // a charge has no page to come back from
		CancelURL:  c.ReturnURL,
		Customer:   Customer{Email: c.Payer.Email, BirthDate: c.Payer.BirthDate, IP: c.Payer.IP},
		Billing:    c.Payer.Address,
		CustomData: c.CustomData,
		Extra:      store.SessionExtra{Payee: &store.Payer{Name: "Recipient"}}, // whom a charge pays its connector knows
	})
	if c.CallbackURL != "" && (checkURL(c.CallbackURL) != nil || utf8.RuneCountInString(c.CallbackURL) > 255) {
		faults = append(faults, Fault{"callback_url", textURL})
	}
	return faults
}
