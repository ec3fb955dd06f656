package page

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// AskView is what a connector asks for after the start.
type AskView struct {
	Action string // where the form goes
	Fields []AskField
	Faults []FormFault
	Wrong  string // empty unless the last answer was not taken
	Focus  string // "wrong" or "problems" where no field has the focus
}

// askView says how it went the last time in words of our own: a reason may be an acquirer's text.
func askView(t *Texts, next *gateway.NextAction, answers map[string]string, faults []form.Fault) *AskView {
	a := &AskView{Fields: askFields(t, answersOf(next), answers, faults)}
	switch {
	case len(faults) == 0 && next.Declined != "":
		a.Wrong, a.Focus = texts.Reason(t, next.Declined, t.AskWrong), "wrong"
	case len(faults) == 0 && len(a.Fields) > 0:
		a.Fields[0].Focus = true // nothing else is to be done on this page
	case len(faults) > 0 && faults[0].Field == "":
		a.Focus = "problems"
	}
	for _, f := range faults {
		a.Faults = append(a.Faults, FormFault{f.Field, form.Wording(t, f)})
	}
	return a
}

// answersOf are the questions of a turn.
func answersOf(next *gateway.NextAction) []form.Question {
	return form.Questions("answer-", "answer.", next.Prompts)
}
