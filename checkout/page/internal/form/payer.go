package form

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/places"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// The payer's fields that are more than a line of text.
const (
	pathName    = "customer.name"
	PathBirth   = "customer.birth_date"
	PathCountry = "billing_address.country"
	PathState   = "billing_address.state"
)

// payerField is how the page asks for a field of the payer. Bounds and patterns are those of the session request
// (SPEC1), so that most faults are found before the kernel is called, which decides.
type payerField struct {
	Path         string
	label, Hint  func(*texts.Texts) string
	Autocomplete string
	Mode         string // attribute inputmode
	Pattern      string // of the whole normalized value, and of what a payer may type for it
	min, Max     int    // characters
	tidy         func(string) string
	Width        string // class: part or rest of a line, where there is room
}

// payerFields are in the order of the page. For a path of the kernel that is not here the page asks in a line of
// text under its own name.
var payerFields = []payerField{
	{Path: pathName, label: func(t *texts.Texts) string { return t.FullName }, Hint: func(t *texts.Texts) string { return t.LatinHint },
		Autocomplete: "name", Pattern: `[A-Za-z '.\-]*`, min: 2, Max: 200},
	{Path: "customer.email", label: labelled("E-mail"), Autocomplete: "email", Mode: "email", Pattern: `[^@\s]+@[^@\s]+`, min: 2, Max: 255},
	{Path: PathBirth, label: func(t *texts.Texts) string { return t.BirthDate }, Autocomplete: "bday", Max: 10, tidy: tidyDate},
	{Path: PathCountry, label: labelled("Country"), Autocomplete: "country", Max: 2, tidy: strings.ToUpper},
	{Path: PathState, label: labelled("State"), Autocomplete: "address-level1", Max: 32, tidy: strings.ToUpper},
	{Path: "billing_address.address", label: labelled("Address"), Autocomplete: "address-line1", min: 2, Max: 255},
	{Path: "billing_address.zip", label: labelled("Zip code"), Autocomplete: "postal-code", min: 2, Max: 10, Width: "part"},
	{Path: "billing_address.city", label: labelled("City"), Autocomplete: "address-level2", min: 2, Max: 40, Width: "rest"},
	{Path: "billing_address.phone_country_code", label: func(t *texts.Texts) string { return t.PhoneCode }, Autocomplete: "tel-country-code",
		Mode: "tel", Pattern: `\+?[0-9]+([ \-][0-9]+)*`, Max: 10, tidy: tidyPhoneCode},
	{Path: "billing_address.phone", label: labelled("Phone number"), Autocomplete: "tel-national", Mode: "tel",
		Pattern: `[0-9+\(\)\-. \/]+`, Max: 32, tidy: tidyPhone},
}

func labelled(word string) func(*texts.Texts) string {
	return func(t *texts.Texts) string { return texts.Word(t, word) }
}

// tidyDate accepts digits of every script; browsers send yyyy-mm-dd.
func tidyDate(text string) string {
	return store.FoldDigits(strings.ReplaceAll(text, "-", "/"))
}

// tidyPhoneCode removes the plus or the two zeros before a country's code.
func tidyPhoneCode(text string) string {
	text = digitsApart(text)
	text = strings.TrimPrefix(text, "+")
	text = strings.TrimPrefix(text, "00")
	return strings.ReplaceAll(text, " ", "-")
}

// tidyPhone removes what separates groups of digits.
func tidyPhone(text string) string {
	return strings.NewReplacer(" ", "", ".", "", "/", "").Replace(digitsApart(text))
}

// digitsApart folds digits and keeps what stands between them.
func digitsApart(text string) string {
	return strings.Map(func(r rune) rune {
		if folded := store.FoldDigits(string(r)); folded != "" {
			r, _ = utf8.DecodeRuneInString(folded)
		}
		return r
	}, text)
}

// PayerQuestion is such a field with its place on the page.
type PayerQuestion struct {
	*payerField
	Required  bool
	ID, Field string // of the element, and its name in the form
}

// PayerQuestions returns what the payer is asked for with a method.
func PayerQuestions(place int, method gateway.MethodChoice) []PayerQuestion {
	list := make([]PayerQuestion, 0, len(method.Fields))
	add := func(field *payerField, required bool) {
		id := "payer-" + strconv.Itoa(place) + "-" + strconv.Itoa(len(list))
		list = append(list, PayerQuestion{field, required, id, "payer." + method.Code + "." + field.Path})
	}
	for i := range payerFields {
		for _, asked := range method.Fields {
			if asked.Path == payerFields[i].Path {
				add(&payerFields[i], asked.Required)
			}
		}
	}
	for _, asked := range method.Fields {
		if !slices.ContainsFunc(payerFields, func(f payerField) bool { return f.Path == asked.Path }) {
			label := labelled(clean.Shown(asked.Path))
			add(&payerField{Path: asked.Path, label: label, Autocomplete: "off", Max: MaxAnswer}, asked.Required)
		}
	}
	return list
}

// readPayer reads the payer's fields from the form, by path, with a fault for each one that is not valid. country
// is the country that is known already.
func readPayer(list []PayerQuestion, form url.Values, country string, now time.Time) (map[string]string, []Mistake) {
	if len(list) == 0 {
		return nil, nil
	}
	values := make(map[string]string, len(list))
	var faults []Mistake
	for _, q := range list {
		value := q.read(form, values, country)
		values[q.Path] = value
		if r, ok := q.check(value, countryOf(values, country), now); !ok {
			faults = append(faults, Mistake{Field: q.place(values, country), Rule: r, label: q.Path})
		}
	}
	return values, faults
}

// countryOf returns the country that was entered, or else the known one.
func countryOf(values map[string]string, known string) string {
	if country := values[PathCountry]; country != "" {
		return country
	}
	return known
}

// read normalizes a value. Of several lists of states the one of the country counts.
func (q PayerQuestion) read(form url.Values, values map[string]string, country string) string {
	field := q.Field
	if q.Path == PathState {
		field += q.listed(values, country)
	}
	value := strings.Join(strings.Fields(clean.Visible(form.Get(field))), " ")
	if q.tidy != nil {
		value = q.tidy(value)
	}
	if q.Path == PathBirth {
		value = strings.ReplaceAll(value, "/", "-")
	}
	return value
}

// listed returns what the id and the name of a list of states have in addition to those of a plain field.
func (q PayerQuestion) listed(values map[string]string, country string) string {
	if country = countryOf(values, country); places.States(country) != nil {
		return "." + country
	}
	return ""
}

// place returns the id of the element that has the value.
func (q PayerQuestion) place(values map[string]string, country string) string {
	if q.Path == PathState {
		return q.ID + strings.Replace(q.listed(values, country), ".", "-", 1)
	}
	return q.ID
}

// check checks a value of its field; ok is false when it breaks the rule broken.
func (q PayerQuestion) check(value, country string, now time.Time) (broken Rule, ok bool) {
	length := utf8.RuneCountInString(value)
	switch {
	case value == "":
		return blankField, !q.Required
	case length < q.min || length > q.Max || q.Pattern != "" && !whole(q.Pattern, value):
		return badField, false
	}
	switch q.Path {
	case PathCountry:
		return badField, places.Has(places.Countries("en"), value)
	case PathState:
		return badField, places.States(country) == nil || places.Has(places.States(country), value)
	case PathBirth:
		return badField, fields.IsBirthDate(value, now)
	}
	return 0, true
}

func whole(pattern, value string) bool {
	matched, err := regexp.MatchString(`\A(?:`+pattern+`)\z`, value)
	return err == nil && matched
}

// payerFaults returns the fields that the kernel refused.
func payerFaults(list []PayerQuestion, values map[string]string, country string,
	err *gateway.Error) (faults []Mistake) {
	for _, q := range list {
		if !slices.ContainsFunc(err.Faults(), func(f gateway.Fault) bool { return f.Path == q.Path }) {
			continue
		}
		broken := badField
		if values[q.Path] == "" {
			broken = blankField
		}
		faults = append(faults, Mistake{Field: q.place(values, country), Rule: broken, label: q.Path})
	}
	return faults
}

// PayerLabel returns what the payer reads beside a path.
func PayerLabel(t *texts.Texts, path string) string {
	for i := range payerFields {
		if payerFields[i].Path == path {
			return payerFields[i].label(t)
		}
	}
	return clean.Shown(path)
}

// Keep returns what may be shown again of a value: nothing that could be a card number typed into the wrong field.
func Keep(value string) string {
	if store.HoldsPAN(value) || utf8.RuneCountInString(value) > MaxAnswer {
		return ""
	}
	return value
}
