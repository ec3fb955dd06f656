package page

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/places"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/methods"
)

// MethodView is one method of the form.
type MethodView struct {
	ID         string // of the radio button
	Code, Name string
	Card       bool   // it takes the card
	First      bool   // the first that takes one, where the fields of the card stand
	Chosen     bool   // now
	Hint       string // what happens after the button, empty where that goes without saying
	Asks       []AskField
	Fields     []AskField // of the payer
}

// Section holds where there is something to show below the name.
func (m MethodView) Section() bool {
	return m.First || m.Hint != "" || len(m.Asks) > 0 || len(m.Fields) > 0
}

// AskField is a field that a method or a connector asks for, or one of the payer.
type AskField struct {
	ID, Name, Label, Pattern string
	Type                     string // text, date or select
	Path                     string // of a field of the payer, in a session request
	Hint                     string // empty for none
	Required                 bool
	Max                      int      // characters
	Options                  []Option // of a select
	Earliest, Latest         string   // of a date
	Width                    string   // class: part or rest of a line, or the state of a country
	Value                    string   // as typed before; one-time codes never are
	Mode, Autocomplete       string   // attributes inputmode and autocomplete
	Dir                      string   // attribute dir: ltr for digits and addresses, auto for what may be in any script
	Error                    string   // what is wrong with it now
	Focus                    bool
	Blank, Bad               string // what the script says
	Last                     bool   // of its list
}

// methodID is the id of a method's radio button.
func methodID(place int) string { return "method-" + strconv.Itoa(place) }

func methodViews(t *Texts, turn *gateway.Turn, typed entry, faults []fault, now time.Time) []MethodView {
	choices := choicesOf(turn)
	place, _ := chosen(choices, typed.method)
	if isWallet(choices[place]) {
		place, _ = chosen(choices, "")
	}
	views := make([]MethodView, 0, len(choices))
	cards := 0
	for i, method := range choices {
		if isWallet(method) {
			continue // has a button of its own
		}
		v := MethodView{ID: methodID(i), Code: method.Code, Name: texts.Word(t, methodName(method)), Chosen: i == place}
		if v.Card = method.Kind == methods.KindCard; v.Card {
			cards++
			v.First = cards == 1
		}
		if hint := t.Hints[method.Kind]; strings.Contains(hint, "%s") {
			v.Hint = texts.Say(t, hint, v.Name)
		} else {
			v.Hint = hint
		}
		var answers, told map[string]string
		if v.Chosen {
			answers, told = typed.answers, typed.told
		}
		v.Fields = payerViews(t, payerQuestions(i, method), told, turn.Country, faults, now)
		v.Asks = askFields(t, questionsOf(i, method), answers, faults)
		views = append(views, v)
	}
	return views
}

// firstMethod is the id of the first radio button, empty where there is none.
func firstMethod(turn *gateway.Turn) string {
	choices := choicesOf(turn)
	place, ok := chosen(choices, "")
	if others := slices.DeleteFunc(slices.Clone(choices), isWallet); !ok || len(others) < 2 {
		return ""
	}
	return methodID(place)
}

func methodName(method gateway.MethodChoice) string {
	if name := clean.Shown(method.Name); name != "" {
		return name
	}
	return clean.Shown(method.Code)
}

// askFields are questions as the page draws them. The first fault has the focus.
func askFields(t *Texts, list []question, answers map[string]string, faults []fault) []AskField {
	fields := make([]AskField, len(list))
	for i, q := range list {
		label := texts.Word(t, q.label())
		fields[i] = AskField{
			ID: q.id, Name: q.field, Label: label, Pattern: q.Pattern, Value: q.keep(answers[q.Name]), Last: i == len(list)-1,
			Type: "text", Required: true, Max: maxAnswer,
			Blank: texts.Say(t, t.BlankAnswer, label), Bad: texts.Say(t, t.BadAnswer, label),
		}
		fields[i].Mode, fields[i].Autocomplete = q.input()
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

// answerOptions are the answers to choose from.
func answerOptions(values []string) (list []Option) {
	for _, value := range values {
		list = append(list, Option{Value: value, Name: value})
	}
	return list
}

// placeOptions are countries or states to choose from.
func placeOptions(all []places.Place) []Option {
	list := make([]Option, len(all))
	for i, place := range all {
		list[i] = Option{Value: place.Code, Name: place.Name}
	}
	return list
}

// choose is a list with a blank first choice and the given one chosen.
func choose(list []Option, blank, value string) []Option {
	options := append(make([]Option, 0, len(list)+1), Option{Name: blank})
	for _, o := range list {
		o.Chosen = o.Value == value
		options = append(options, o)
	}
	return options
}

// input is the keyboard that fits, and what the browser may fill in.
func (q question) input() (mode, autocomplete string) {
	name := strings.ToLower(q.Name)
	mode, autocomplete = "text", "off"
	switch {
	case q.oneTime():
		autocomplete = "one-time-code"
	case strings.HasSuffix(name, "email"):
		mode, autocomplete = "email", "email"
	case strings.HasSuffix(name, "phone"):
		mode, autocomplete = "tel", "tel"
	}
	if q.digits() {
		mode = "numeric"
	}
	return mode, autocomplete
}
