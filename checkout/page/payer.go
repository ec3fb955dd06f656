package page

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
	"github.com/tollgatepay/gateway/store"
)

// The payer's fields that are more than a line of text.
const (
	pathName    = "customer.name"
	pathBirth   = "customer.birth_date"
	pathCountry = "billing_address.country"
	pathState   = "billing_address.state"
)

// payerField is how the page asks for a field of the payer. Bounds and patterns are those of the session
// request (SPEC1), so that most faults are found before the kernel is asked; it has the last word.
type payerField struct {
	path         string
	label, hint  func(*Texts) string
	autocomplete string
	mode         string // attribute inputmode
	pattern      string // of the whole value as it is tidied, and of what a payer may type for it
	min, max     int    // characters
	tidy         func(string) string
	width        string // class: part or rest of a line, where there is room
}

// payerFields are in the order of the page. A path of the kernel's that is not here is asked for in a line
// of text under its own name.
var payerFields = []payerField{
	{path: pathName, label: func(t *Texts) string { return t.FullName }, hint: func(t *Texts) string { return t.LatinHint },
		autocomplete: "name", pattern: `[A-Za-z '.\-]*`, min: 2, max: 200},
	{path: "customer.email", label: labelled("E-mail"), autocomplete: "email", mode: "email", pattern: `[^@\s]+@[^@\s]+`, min: 2, max: 255},
	{path: pathBirth, label: func(t *Texts) string { return t.BirthDate }, autocomplete: "bday", max: 10, tidy: tidyDate},
	{path: pathCountry, label: labelled("Country"), autocomplete: "country", max: 2, tidy: strings.ToUpper},
	{path: pathState, label: labelled("State"), autocomplete: "address-level1", max: 32, tidy: strings.ToUpper},
	{path: "billing_address.address", label: labelled("Address"), autocomplete: "address-line1", min: 2, max: 255},
	{path: "billing_address.zip", label: labelled("Zip code"), autocomplete: "postal-code", min: 2, max: 10, width: "part"},
	{path: "billing_address.city", label: labelled("City"), autocomplete: "address-level2", min: 2, max: 40, width: "rest"},
	{path: "billing_address.phone_country_code", label: func(t *Texts) string { return t.PhoneCode }, autocomplete: "tel-country-code",
		mode: "tel", pattern: `\+?[0-9]+([ \-][0-9]+)*`, max: 10, tidy: tidyPhoneCode},
	{path: "billing_address.phone", label: labelled("Phone number"), autocomplete: "tel-national", mode: "tel",
		pattern: `[0-9+\(\)\-. \/]+`, max: 32, tidy: tidyPhone},
}

func labelled(word string) func(*Texts) string {
	return func(t *Texts) string { return texts.Word(t, word) }
}

// tidyDate takes digits of every script; browsers send yyyy-mm-dd themselves.
func tidyDate(text string) string {
	return store.FoldDigits(strings.ReplaceAll(text, "-", "/"))
}

// tidyPhoneCode drops the plus or the two zeros before a country's code.
func tidyPhoneCode(text string) string {
	text = digitsApart(text)
	text = strings.TrimPrefix(text, "+")
	text = strings.TrimPrefix(text, "00")
	return strings.ReplaceAll(text, " ", "-")
}

// tidyPhone drops what stands between groups of digits.
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

// payerQuestion is one of those fields with its place on the page.
type payerQuestion struct {
	*payerField
	required  bool
	id, field string // of the element, and its name in the form
}

// payerQuestions are what is asked of the payer with a method.
func payerQuestions(place int, method gateway.MethodChoice) []payerQuestion {
	list := make([]payerQuestion, 0, len(method.Fields))
	add := func(field *payerField, required bool) {
		id := "payer-" + strconv.Itoa(place) + "-" + strconv.Itoa(len(list))
		list = append(list, payerQuestion{field, required, id, "payer." + method.Code + "." + field.path})
	}
	for i := range payerFields {
		for _, asked := range method.Fields {
			if asked.Path == payerFields[i].path {
				add(&payerFields[i], asked.Required)
			}
		}
	}
	for _, asked := range method.Fields {
		if !slices.ContainsFunc(payerFields, func(f payerField) bool { return f.path == asked.Path }) {
			add(&payerField{path: asked.Path, label: labelled(clean.Shown(asked.Path)), autocomplete: "off", max: maxAnswer}, asked.Required)
		}
	}
	return list
}

// tell takes from the form what the payer was asked, by path, with a fault for each that is not right.
// Country is what is known of him already.
func tell(list []payerQuestion, form url.Values, country string, now time.Time) (map[string]string, []fault) {
	if len(list) == 0 {
		return nil, nil
	}
	told := make(map[string]string, len(list))
	var faults []fault
	for _, q := range list {
		value := q.read(form, told, country)
		told[q.path] = value
		if r, ok := q.check(value, countryOf(told, country), now); !ok {
			faults = append(faults, fault{field: q.place(told, country), rule: r, label: q.path})
		}
	}
	return told, faults
}

// countryOf is the country that is told, else the one that is known.
func countryOf(told map[string]string, known string) string {
	if country := told[pathCountry]; country != "" {
		return country
	}
	return known
}

// read tidies a value. Of the lists of states the one of the country counts.
func (q payerQuestion) read(form url.Values, told map[string]string, country string) string {
	field := q.field
	if q.path == pathState {
		field += q.listed(told, country)
	}
	value := strings.Join(strings.Fields(clean.Visible(form.Get(field))), " ")
	if q.tidy != nil {
		value = q.tidy(value)
	}
	if q.path == pathBirth {
		value = strings.ReplaceAll(value, "/", "-")
	}
	return value
}

// listed is what the id and the name of a list of states have more than a plain field.
func (q payerQuestion) listed(told map[string]string, country string) string {
	if country = countryOf(told, country); places.States(country) != nil {
		return "." + country
	}
	return ""
}

// place is the id of the element that has the value.
func (q payerQuestion) place(told map[string]string, country string) string {
	if q.path == pathState {
		return q.id + strings.Replace(q.listed(told, country), ".", "-", 1)
	}
	return q.id
}

// check holds a value against what is known of its field; ok is false where rule is broken.
func (q payerQuestion) check(value, country string, now time.Time) (broken rule, ok bool) {
	length := utf8.RuneCountInString(value)
	switch {
	case value == "":
		return blankField, !q.required
	case length < q.min || length > q.max || q.pattern != "" && !whole(q.pattern, value):
		return badField, false
	}
	switch q.path {
	case pathCountry:
		return badField, places.Has(places.Countries("en"), value)
	case pathState:
		return badField, places.States(country) == nil || places.Has(places.States(country), value)
	case pathBirth:
		day, err := time.Parse(time.DateOnly, value)
		return badField, err == nil && day.Before(now) && day.Year() > now.Year()-150
	}
	return 0, true
}

func whole(pattern, value string) bool {
	matched, err := regexp.MatchString(`\A(?:`+pattern+`)\z`, value)
	return err == nil && matched
}

// payerFaults finds the fields that the kernel would not take.
func payerFaults(list []payerQuestion, told map[string]string, country string, err *gateway.Error) (faults []fault) {
	for _, q := range list {
		if !slices.ContainsFunc(err.Faults, func(f gateway.Fault) bool { return f.Path == q.path }) {
			continue
		}
		broken := badField
		if told[q.path] == "" {
			broken = blankField
		}
		faults = append(faults, fault{field: q.place(told, country), rule: broken, label: q.path})
	}
	return faults
}

// payerLabel is what the payer reads beside a path.
func payerLabel(t *Texts, path string) string {
	for i := range payerFields {
		if payerFields[i].path == path {
			return payerFields[i].label(t)
		}
	}
	return clean.Shown(path)
}

// keepField is what may be shown again of a value: nothing that could be a card number typed into the
// wrong field.
func keepField(value string) string {
	if store.HoldsPAN(value) || utf8.RuneCountInString(value) > maxAnswer {
		return ""
	}
	return value
}
