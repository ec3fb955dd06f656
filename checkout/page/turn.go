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

// showTurn answers a turn: a page, or a redirect where the payer has nothing left to see.
func (p *pages) showTurn(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	switch turn.Kind {
	case gateway.TurnForm:
		p.showForm(w, r, turn, form.Kept(turn), sentBack(r))
	case gateway.TurnForward:
		p.showForward(w, r, turn)
	case gateway.TurnShow:
		p.showShow(w, r, turn)
	case gateway.TurnAsk:
		p.showAsk(w, r, turn, fromPage, nil, nil)
	case gateway.TurnWait:
		view := p.view(r, turn, "wait")
		view.Title, view.Self = view.T.WaitTitle, pageLink(fromForm, r)
		p.write(w, r, http.StatusOK, pageWait, view, policy.Policy{Frames: policy.Origins(turn.Origins)})
	case gateway.TurnLeave:
		p.showLeave(w, r, turn)
	default:
		p.failed(w, r, fromPage, errors.New("turn of an unknown kind"), turn)
	}
}

// showLeave sends the payer back to the merchant, or shows how it ended where there is no URL. A
// redirect would be held back by form-action where the host cannot stand in a policy, and cannot leave
// a frame: a page with a link does both.
func (p *pages) showLeave(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	u, ok := policy.WebURL(turn.URL)
	if !ok {
		p.showResult(w, r, turn)
		return
	}
	location := policy.ASCII(u.String())
	_, named := policy.Origin(turn.URL)
	if named && (turn.Target == "" || turn.Target == "_self") {
		seeOther(w, location)
		return
	}
	view := p.view(r, turn, "leave")
	view.Title = texts.Say(view.T, view.T.LeaveTitle, view.Merchant)
	view.Leave = &LeaveView{
		URL: template.URL(location), Target: target(turn.Target), Auto: turn.Target != "_blank",
		Continue: texts.Say(view.T, view.T.LeaveContinue, view.Merchant),
	}
	p.write(w, r, http.StatusOK, pageLeave, view, policy.Policy{Frames: policy.Origins(turn.Origins)})
}

// showReturned ends the way of a payer who has nowhere to return to: an S2S payment without a URL to return to.
func (p *pages) showReturned(w http.ResponseWriter, r *http.Request) {
	view := p.plainView(r, nil, "result", fromPage)
	view.Message, view.Status = view.T.Returned, "returned"
	view.Title = view.Message.Title
	p.write(w, r, http.StatusOK, pageResult, view, policy.Policy{})
}

func (p *pages) showResult(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	view := p.view(r, turn, "result")
	status := turn.Status
	if _, ok := view.T.Results[status]; !ok {
		status = gateway.LeftUndefined
	}
	view.Status, view.Message = string(status), view.T.Results[status]
	view.Title = view.Message.Title
	p.write(w, r, http.StatusOK, pageResult, view, policy.Policy{Frames: policy.Origins(turn.Origins)})
}

// show answers what the payer should see next.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	turn, err := p.turn(r)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	p.showTurn(w, r, turn)
}
