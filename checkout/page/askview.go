package page

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
)

// AskView is the fields that a connector asks for after the start.
type AskView struct {
	Action string // where the form goes
	Fields []AskField
	Faults []FormFault
	Wrong  string // empty unless the last answer was wrong
	Focus  string // "wrong" or "problems" when no field has the focus
}

// askView explains a wrong answer in our own words: a reason may be an acquirer's text.
func askView(t *Texts, next *gateway.NextAction, answers map[string]string, faults []form.Mistake) *AskView {
	a := &AskView{Fields: askFields(t, answersOf(next), answers, faults)}
	switch {
	case len(faults) == 0 && next.PromptedAgain:
		a.Wrong, a.Focus = t.AskWrong, "wrong"
	case len(faults) == 0 && len(a.Fields) > 0:
		a.Fields[0].Focus = true // this page has nothing else to do
	case len(faults) > 0 && faults[0].Field == "":
		a.Focus = "problems"
	}
	for _, f := range faults {
		a.Faults = append(a.Faults, FormFault{f.Field, form.Wording(t, f)})
	}
	return a
}

// answersOf returns the questions of an action.
func answersOf(next *gateway.NextAction) []form.Question {
	return form.Questions("answer-", "answer.", next.Prompts)
}
