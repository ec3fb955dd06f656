package page

import (
	"time"

	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/places"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// payerViews are the fields of the payer for the templates.
func payerViews(
	t *Texts, list []form.PayerQuestion, values map[string]string, country string, faults []form.Mistake, now time.Time,
) (fields []AskField) {
	for _, q := range list {
		fields = append(fields, elementsOf(q, t, values, country, now)...)
	}
	for i := range fields {
		fields[i].blame(t, faults)
	}
	return fields
}

// elementsOf returns the elements of a field: one, or a list for every country with states when the country is not
// known yet.
func elementsOf(q form.PayerQuestion, t *Texts, values map[string]string, country string, now time.Time) []AskField {
	switch {
	case q.Path == form.PathState && places.States(country) != nil:
		return []AskField{statesOf(q, t, values, country)}
	case q.Path == form.PathState:
		var lists []AskField
		for _, each := range places.WithStates() {
			list := statesOf(q, t, values, each)
			list.Width = "state state-" + each
			lists = append(lists, list)
		}
		return lists
	}
	v := elementOf(q, t, form.Keep(values[q.Path]))
	switch q.Path {
	case form.PathCountry:
		v.Type, v.Dir = "select", "auto"
		v.Options = choose(placeOptions(places.Countries(t.Lang)), t.Select, v.Value)
	case form.PathBirth:
		v.Type, v.Dir, v.Earliest, v.Latest = "date", "ltr", "1900-01-01", now.Format(time.DateOnly)
	}
	return []AskField{v}
}

func statesOf(q form.PayerQuestion, t *Texts, values map[string]string, country string) AskField {
	v := elementOf(q, t, values[q.Path])
	v.ID, v.Name, v.Path = q.ID+"-"+country, q.Field+"."+country, q.Path+"."+country
	v.Type, v.Dir, v.Options = "select", "auto", choose(placeOptions(places.States(country)), t.Select, v.Value)
	return v
}

func elementOf(q form.PayerQuestion, t *Texts, value string) AskField {
	label := form.PayerLabel(t, q.Path)
	v := AskField{
		ID: q.ID, Name: q.Field, Path: clean.Shown(q.Path), Label: label, Pattern: q.Pattern, Type: "text",
		Value: value, Max: q.Max,
		Mode: q.Mode, Autocomplete: q.Autocomplete, Width: q.Width, Required: q.Required,
		Blank: texts.Say(t, t.BlankField, label), Bad: texts.Say(t, t.BadField, label), Dir: "ltr",
	}
	if v.Mode == "" {
		v.Mode, v.Dir = "text", "auto"
	}
	if q.Hint != nil {
		v.Hint = q.Hint(t)
	}
	if !q.Required {
		v.Label = texts.Say(t, t.Optional, label)
	}
	return v
}
