package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
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

// answer takes what the payer was asked. Like the form it ends in a redirect, so that a reload repeats
// nothing.
func (p *pages) answer(w http.ResponseWriter, r *http.Request) {
	form, ok := p.ownForm(w, r, fromCancel)
	if !ok {
		return
	}
	turn, err := p.turn(r)
	if err != nil {
		p.failed(w, r, fromCancel, err, nil)
		return
	}
	if turn.Kind != gateway.TurnAsk {
		seeOther(w, pageLink(fromClose, r)) // sent twice, or from a window left open
		return
	}
	answers, faults := answersTo(answersOf(turn), form)
	if len(faults) > 0 {
		p.showAsk(w, r, turn, fromCancel, answers, faults)
		return
	}
	p.sendAnswers(w, r, turn, answers)
}

func (p *pages) sendAnswers(w http.ResponseWriter, r *http.Request, turn *gateway.Turn, answers map[string]string) {
	token, _ := secret(r)
	_, err := p.gw.AnswerSession(r.Context(), token, answers)
	var refused *gateway.Error
	switch {
	case err == nil:
		seeOther(w, pageLink(fromClose, r))
	case errors.As(err, &refused) && ours(refused):
		faults := general(askFaults(answersOf(turn), refused), false)
		p.showAsk(w, r, turn, fromCancel, answers, faults)
	default:
		p.failed(w, r, fromCancel, err, turn)
	}
}

// answersOf are the questions of a turn.
func answersOf(turn *gateway.Turn) []question { return questions("answer-", "answer.", turn.Asks) }

// showAsk draws the questions, with 422 when something is wrong with what was sent. Root is where the
// mount point lies from the address of the request.
func (p *pages) showAsk(w http.ResponseWriter, r *http.Request, turn *gateway.Turn, root string, answers map[string]string, faults []fault) {
	view := p.view(r, turn, "ask")
	view.Title, view.root = view.T.AskTitle, root
	view.Ask = askView(view.T, turn, answers, faults)
	view.Ask.Action = root + "auth/" + r.PathValue("token") + "/answer"
	status := http.StatusOK
	if len(faults) > 0 {
		status = http.StatusUnprocessableEntity
	}
	p.write(w, r, status, pageAsk, view, policy.OwnForms(turn.FormOrigins, turn.Origins))
}

// askView says how it went the last time in words of our own: a reason may be an acquirer's text.
func askView(t *Texts, turn *gateway.Turn, answers map[string]string, faults []fault) *AskView {
	a := &AskView{Fields: askFields(t, answersOf(turn), answers, faults)}
	switch {
	case len(faults) == 0 && turn.Declined != "":
		a.Wrong, a.Focus = texts.Reason(t, turn.Declined, t.AskWrong), "wrong"
	case len(faults) == 0 && len(a.Fields) > 0:
		a.Fields[0].Focus = true // nothing else is to be done on this page
	case len(faults) > 0 && faults[0].field == "":
		a.Focus = "problems"
	}
	for _, f := range faults {
		a.Faults = append(a.Faults, FormFault{f.field, faultText(t, f)})
	}
	return a
}
