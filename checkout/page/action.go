package page

import (
	"errors"
	"html/template"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// showAction answers with the payer's next action: a page, or a redirect when there is nothing more to see.
func (p *pages) showAction(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	switch next.Kind {
	case gateway.ActionCollect:
		p.showForm(w, r, next, form.Kept(next), sentBack(r))
	case gateway.ActionRedirect:
		p.showForward(w, r, next)
	case gateway.ActionDisplay:
		p.showDisplay(w, r, next)
	case gateway.ActionPrompt:
		p.showAsk(w, r, next, fromPage, nil, nil)
	case gateway.ActionPoll:
		view := p.view(r, next, "wait")
		view.Title, view.Self = view.T.WaitTitle, pageLink(fromForm, r)
		p.write(w, r, http.StatusOK, pageWait, view, policy.Policy{Frames: policy.Origins(next.Origins)})
	case gateway.ActionReturn:
		p.showLeave(w, r, next)
	default:
		p.failed(w, r, fromPage, errors.New("turn of an unknown kind"), next)
	}
}

// showLeave sends the payer back to the merchant, or shows the result when there is no URL. It uses a page with a
// link when the policy would block a redirect because the host is not valid in form-action, and inside a frame.
func (p *pages) showLeave(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	u, ok := policy.WebURL(next.URL)
	if !ok {
		p.showResult(w, r, next)
		return
	}
	location := policy.ASCII(u.String())
	_, named := policy.Origin(next.URL)
	if named && (next.Target == "" || next.Target == "_self") {
		seeOther(w, location)
		return
	}
	view := p.view(r, next, "leave")
	view.Title = texts.Say(view.T, view.T.LeaveTitle, view.Merchant)
	view.Leave = &LeaveView{
		URL: template.URL(location), Target: target(next.Target), Auto: next.Target != "_blank",
		Continue: texts.Say(view.T, view.T.LeaveContinue, view.Merchant),
	}
	p.write(w, r, http.StatusOK, pageLeave, view, policy.Policy{Frames: policy.Origins(next.Origins)})
}

// showReturned shows the end to a payer of an S2S payment without a return URL.
func (p *pages) showReturned(w http.ResponseWriter, r *http.Request) {
	view := p.plainView(r, nil, "result", fromPage)
	view.Message, view.Status = view.T.Returned, "returned"
	view.Title = view.Message.Title
	p.write(w, r, http.StatusOK, pageResult, view, policy.Policy{})
}

func (p *pages) showResult(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	view := p.view(r, next, "result")
	status := next.Status
	if _, ok := view.T.Results[status]; !ok {
		status = gateway.ReturnUndefined
	}
	view.Status, view.Message = string(status), view.T.Results[status]
	view.Title = view.Message.Title
	p.write(w, r, http.StatusOK, pageResult, view, policy.Policy{Frames: policy.Origins(next.Origins)})
}

// show answers with the payer's next action.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	next, err := p.next(r)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	p.showAction(w, r, next)
}
