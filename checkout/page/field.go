package page

import (
	"strings"

	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/places"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// AskField is a field that a method or a connector asks for, or a field of the payer.
type AskField struct {
	ID, Name, Label, Pattern string
	Type                     string // text, date or select
	Path                     string // of a field of the payer: its path in a session request
	Hint                     string // empty for none
	Required                 bool
	Max                      int      // characters
	Options                  []Option // of a select
	Earliest, Latest         string   // of a date
	Width                    string   // class: part or rest of a line, or the states of a country
	Value                    string   // as typed before; one-time codes never are kept
	Mode, Autocomplete       string   // attributes inputmode and autocomplete
	Dir                      string   // attribute dir: ltr for digits and addresses, auto for text of any script
	Error                    string   // what is wrong with it
	Focus                    bool
	Blank, Bad               string // texts of the script
	Last                     bool   // the last of its list
}

// askFields are questions for the templates. The first fault has the focus.
func askFields(t *Texts, list []form.Question, answers map[string]string, faults []form.Mistake) []AskField {
	fields := make([]AskField, len(list))
	for i, q := range list {
		label := texts.Word(t, q.Caption())
		fields[i] = AskField{
			ID: q.ID, Name: q.Field, Label: label, Pattern: q.Pattern, Value: q.Keep(answers[q.Name]),
			Type: "text", Required: true, Max: form.MaxAnswer, Last: i == len(list)-1,
			Blank: texts.Say(t, t.BlankAnswer, label), Bad: texts.Say(t, t.BadAnswer, label),
		}
		fields[i].Mode, fields[i].Autocomplete = inputOf(q)
		if fields[i].Dir = "ltr"; fields[i].Mode == "text" {
			fields[i].Dir = "auto"
		}
		if len(q.Options) > 0 {
			fields[i].Type, fields[i].Options = "select", choose(answerOptions(q.Options), t.Select, fields[i].Value)
		}
		fields[i].blame(t, faults)
	}
	return fields
}

// Option is one choice of a list.
type Option struct {
	Value, Name string
	Chosen      bool
}

// answerOptions returns the possible answers.
func answerOptions(values []string) (list []Option) {
	for _, value := range values {
		list = append(list, Option{Value: value, Name: value})
	}
	return list
}

// placeOptions returns countries or states to choose from.
func placeOptions(all []places.Place) []Option {
	list := make([]Option, len(all))
	for i, place := range all {
		list[i] = Option{Value: place.Code, Name: place.Name}
	}
	return list
}

// choose returns a list with a blank first choice and the given one selected.
func choose(list []Option, blank, value string) []Option {
	options := append(make([]Option, 0, len(list)+1), Option{Name: blank})
	for _, o := range list {
		o.Chosen = o.Value == value
		options = append(options, o)
	}
	return options
}

// inputOf returns the keyboard that fits, and what the browser may fill in.
func inputOf(q form.Question) (mode, autocomplete string) {
	name := strings.ToLower(q.Name)
	mode, autocomplete = "text", "off"
	switch {
	case q.OneTime():
		autocomplete = "one-time-code"
	case strings.HasSuffix(name, "email"):
		mode, autocomplete = "email", "email"
	case strings.HasSuffix(name, "phone"):
		mode, autocomplete = "tel", "tel"
	}
	if q.Digits() {
		mode = "numeric"
	}
	return mode, autocomplete
}

// blame writes a fault beside its field. The first of all has the focus.
func (f *AskField) blame(t *Texts, faults []form.Mistake) {
	for i, fault := range faults {
		if fault.Field == f.ID {
			f.Error, f.Focus = form.Wording(t, fault), i == 0
		}
	}
}
