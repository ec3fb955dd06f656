package page

import (
	"time"

	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/places"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// payerViews are the fields of the payer as the page draws them.
func payerViews(t *Texts, list []payerQuestion, told map[string]string, country string, faults []fault, now time.Time) (fields []AskField) {
	for _, q := range list {
		fields = append(fields, q.views(t, told, country, now)...)
	}
	for i := range fields {
		fields[i].blame(t, faults)
	}
	return fields
}

// views are the elements of a field: one, and a list for every country that has states where it is not
// known yet which.
func (q payerQuestion) views(t *Texts, told map[string]string, country string, now time.Time) []AskField {
	switch {
	case q.path == pathState && places.States(country) != nil:
		return []AskField{q.states(t, told, country)}
	case q.path == pathState:
		var lists []AskField
		for _, each := range places.WithStates() {
			list := q.states(t, told, each)
			list.Width = "state state-" + each
			lists = append(lists, list)
		}
		return lists
	}
	v := q.view(t, keepField(told[q.path]))
	switch q.path {
	case pathCountry:
		v.Type, v.Dir = "select", "auto"
		v.Options = choose(placeOptions(places.Countries(t.Lang)), t.Select, v.Value)
	case pathBirth:
		v.Type, v.Dir, v.Earliest, v.Latest = "date", "ltr", "1900-01-01", now.Format(time.DateOnly)
	}
	return []AskField{v}
}

func (q payerQuestion) states(t *Texts, told map[string]string, country string) AskField {
	v := q.view(t, told[q.path])
	v.ID, v.Name, v.Path = q.id+"-"+country, q.field+"."+country, q.path+"."+country
	v.Type, v.Dir, v.Options = "select", "auto", choose(placeOptions(places.States(country)), t.Select, v.Value)
	return v
}

func (q payerQuestion) view(t *Texts, value string) AskField {
	label := payerLabel(t, q.path)
	v := AskField{
		ID: q.id, Name: q.field, Path: clean.Shown(q.path), Label: label, Pattern: q.pattern, Type: "text", Value: value, Max: q.max,
		Mode: q.mode, Autocomplete: q.autocomplete, Width: q.width, Required: q.required,
		Blank: texts.Say(t, t.BlankField, label), Bad: texts.Say(t, t.BadField, label), Dir: "ltr",
	}
	if v.Mode == "" {
		v.Mode, v.Dir = "text", "auto"
	}
	if q.hint != nil {
		v.Hint = q.hint(t)
	}
	if !q.required {
		v.Label = texts.Say(t, t.Optional, label)
	}
	return v
}

// blame writes a fault beside its field. The first of all has the focus.
func (f *AskField) blame(t *Texts, faults []fault) {
	for i, fault := range faults {
		if fault.field == f.ID {
			f.Error, f.Focus = faultText(t, fault), i == 0
		}
	}
}
