package page

import (
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/methods"
)

// MethodView is one method of the form.
type MethodView struct {
	ID         string // of the radio button
	Code, Name string
	Card       bool   // it takes the card
	First      bool   // the first that takes a card; the card's fields are in its section
	Chosen     bool   // currently
	Hint       string // what happens after the button; empty when it is obvious
	Asks       []AskField
	Fields     []AskField // of the payer
}

// Section reports whether there is something to show below the name.
func (m MethodView) Section() bool {
	return m.First || m.Hint != "" || len(m.Asks) > 0 || len(m.Fields) > 0
}

func methodViews(t *Texts, next *gateway.NextAction, typed form.Entry, faults []form.Mistake,
	now time.Time) []MethodView {
	choices := form.Choices(next)
	place, _ := form.Chosen(choices, typed.Method)
	if form.IsWallet(choices[place]) {
		place, _ = form.Chosen(choices, "")
	}
	views := make([]MethodView, 0, len(choices))
	cards := 0
	for i, method := range choices {
		if form.IsWallet(method) {
			continue // has a button of its own
		}
		v := MethodView{ID: form.MethodID(i), Code: method.Code, Chosen: i == place}
		v.Name = texts.Word(t, methodName(method))
		if v.Card = method.Kind == methods.KindCard; v.Card {
			cards++
			v.First = cards == 1
		}
		if hint := t.Hints[method.Kind]; strings.Contains(hint, "%s") {
			v.Hint = texts.Say(t, hint, v.Name)
		} else {
			v.Hint = hint
		}
		var answers, values map[string]string
		if v.Chosen {
			answers, values = typed.Answers, typed.Fields
		}
		v.Fields = payerViews(t, form.PayerQuestions(i, method), values, next.Country, faults, now)
		v.Asks = askFields(t, form.QuestionsOf(i, method), answers, faults)
		views = append(views, v)
	}
	return views
}

func methodName(method gateway.MethodChoice) string {
	if name := clean.Shown(method.Name); name != "" {
		return name
	}
	return clean.Shown(method.Code)
}
