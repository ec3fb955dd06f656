package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// answer accepts the payer's answers. Like the form it ends in a redirect, so that a reload repeats nothing.
func (p *pages) answer(w http.ResponseWriter, r *http.Request) {
	sent, ok := p.ownForm(w, r, fromCancel)
	if !ok {
		return
	}
	next, err := p.next(r)
	if err != nil {
		p.failed(w, r, fromCancel, err, nil)
		return
	}
	if next.Kind != gateway.ActionPrompt {
		seeOther(w, pageLink(fromClose, r)) // sent twice, or from a window that was left open
		return
	}
	answers, faults := form.AnswersTo(answersOf(next), sent)
	if len(faults) > 0 {
		p.showAsk(w, r, next, fromCancel, answers, faults)
		return
	}
	p.sendAnswers(w, r, next, answers)
}

func (p *pages) sendAnswers(w http.ResponseWriter, r *http.Request, next *gateway.NextAction,
	answers map[string]string) {
	token, _ := secret(r)
	_, err := p.gw.AnswerSession(r.Context(), token, answers)
	var refused *gateway.Error
	switch {
	case err == nil:
		seeOther(w, pageLink(fromClose, r))
	case errors.As(err, &refused) && ours(refused):
		faults := form.General(form.AskFaults(answersOf(next), refused), false)
		p.showAsk(w, r, next, fromCancel, answers, faults)
	default:
		p.failed(w, r, fromCancel, err, next)
	}
}

// showAsk shows the questions, with 422 when an answer was wrong. root is the relative path to the mount point.
func (p *pages) showAsk(
	w http.ResponseWriter, r *http.Request, next *gateway.NextAction, root string, answers map[string]string,
	faults []form.Mistake,
) {
	view := p.view(r, next, "ask")
	view.Title, view.root = view.T.AskTitle, root
	view.Ask = askView(view.T, next, answers, faults)
	view.Ask.Action = root + "auth/" + r.PathValue("token") + "/answer"
	status := http.StatusOK
	if len(faults) > 0 {
		status = http.StatusUnprocessableEntity
	}
	p.write(w, r, status, pageAsk, view, policy.OwnForms(next.FormOrigins, next.Origins))
}
