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
	"github.com/tollgatepay/gateway/store"
)

// The payer's fields that are more than a line of text.
const (
	pathName    = "customer.name"
	PathBirth   = "customer.birth_date"
	PathCountry = "billing_address.country"
	PathState   = "billing_address.state"
)

// payerField is how the page asks for a field of the payer. Bounds and patterns are those of the session
// request (SPEC1), so that most faults are found before the kernel is asked; it has the last word.
type payerField struct {
	Path         string
	label, Hint  func(*texts.Texts) string
	Autocomplete string
	Mode         string // attribute inputmode
	Pattern      string // of the whole value as it is tidied, and of what a payer may type for it
	min, Max     int    // characters
	tidy         func(string) string
	Width        string // class: part or rest of a line, where there is room
}

// payerFields are in the order of the page. A path of the kernel's that is not here is asked for in a line
// of text under its own name.
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

// PayerQuestion is one of those fields with its place on the page.
type PayerQuestion struct {
	*payerField
	Required  bool
	ID, Field string // of the element, and its name in the form
}

// PayerQuestions are what is asked of the payer with a method.
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

// tell takes from the form what the payer was asked, by path, with a fault for each that is not right.
// Country is what is known of them already.
func tell(list []PayerQuestion, form url.Values, country string, now time.Time) (map[string]string, []Fault) {
	if len(list) == 0 {
		return nil, nil
	}
	told := make(map[string]string, len(list))
	var faults []Fault
	for _, q := range list {
		value := q.read(form, told, country)
		told[q.Path] = value
		if r, ok := q.check(value, countryOf(told, country), now); !ok {
			faults = append(faults, Fault{Field: q.place(told, country), Rule: r, label: q.Path})
		}
	}
	return told, faults
}

// countryOf is the country that is told, else the one that is known.
func countryOf(told map[string]string, known string) string {
	if country := told[PathCountry]; country != "" {
		return country
	}
	return known
}

// read tidies a value. Of the lists of states the one of the country counts.
func (q PayerQuestion) read(form url.Values, told map[string]string, country string) string {
	field := q.Field
	if q.Path == PathState {
		field += q.listed(told, country)
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

// listed is what the id and the name of a list of states have more than a plain field.
func (q PayerQuestion) listed(told map[string]string, country string) string {
	if country = countryOf(told, country); places.States(country) != nil {
		return "." + country
	}
	return ""
}

// place is the id of the element that has the value.
func (q PayerQuestion) place(told map[string]string, country string) string {
	if q.Path == PathState {
		return q.ID + strings.Replace(q.listed(told, country), ".", "-", 1)
	}
	return q.ID
}

// check holds a value against what is known of its field; ok is false where rule is broken.
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
func payerFaults(list []PayerQuestion, told map[string]string, country string, err *gateway.Error) (faults []Fault) {
	for _, q := range list {
		if !slices.ContainsFunc(err.Faults, func(f gateway.Fault) bool { return f.Path == q.Path }) {
			continue
		}
		broken := badField
		if told[q.Path] == "" {
			broken = blankField
		}
		faults = append(faults, Fault{Field: q.place(told, country), Rule: broken, label: q.Path})
	}
	return faults
}

// PayerLabel is what the payer reads beside a path.
func PayerLabel(t *texts.Texts, path string) string {
	for i := range payerFields {
		if payerFields[i].Path == path {
			return payerFields[i].label(t)
		}
	}
	return clean.Shown(path)
}

// Keep is what may be shown again of a value: nothing that could be a card number typed into the
// wrong field.
func Keep(value string) string {
	if store.HoldsPAN(value) || utf8.RuneCountInString(value) > MaxAnswer {
		return ""
	}
	return value
}
