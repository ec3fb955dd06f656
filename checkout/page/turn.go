package page

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/store"
)

// showTurn answers a turn: a page, or a redirect where the payer has nothing left to see.
func (p *pages) showTurn(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	switch turn.Kind {
	case gateway.TurnForm:
		p.showForm(w, r, turn, keptEntry(turn), sentBack(r))
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

// showForm draws the form, with 422 when something is wrong with what was sent.
func (p *pages) showForm(w http.ResponseWriter, r *http.Request, turn *gateway.Turn, typed entry, faults []fault) {
	view := p.view(r, turn, "form")
	view.Form = formView(view, turn, r.PathValue("token"), typed, faults, p.now())
	status := http.StatusOK
	if len(faults) > 0 && r.Method == http.MethodPost {
		status = http.StatusUnprocessableEntity
	}
	allowed := policy.OwnForms(turn.FormOrigins, turn.Origins)
	allowed.Google = asksGoogle(view.Form.Wallets)
	p.write(w, r, status, pageForm, view, allowed)
}

// showForward sends the payer to the issuer or a bank. Its form may go there and nowhere else, not even
// to ourselves.
func (p *pages) showForward(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	view := p.view(r, turn, "forward")
	forward, to, ok := forwardView(turn.Next)
	if !ok {
		p.failed(w, r, fromPage, errors.New("forward: the acquirer's URL cannot be used"), turn)
		return
	}
	view.Forward, view.Title = forward, view.T.AwayTitle
	if forward.Bank {
		view.Title = view.T.BankTitle
	}
	p.write(w, r, http.StatusOK, pageForward, view, policy.Policy{Forms: []string{to}, Frames: policy.Origins(turn.Origins)})
}

func forwardView(next *store.Next) (forward *ForwardView, to string, ok bool) {
	if next == nil {
		return nil, "", false
	}
	u, ok := policy.WebURL(next.URL)
	to, named := policy.Origin(next.URL)
	if !ok || !named {
		return nil, "", false
	}
	forward = &ForwardView{Post: !strings.EqualFold(next.Method, http.MethodGet), Params: next.Params, Bank: next.ThreeDS}
	if !forward.Post {
		u.RawQuery, forward.Params = query(u.RawQuery, next.Params), nil
	}
	forward.URL = template.URL(policy.ASCII(u.String()))
	return forward, to, true
}

// query adds the parameters of a GET in their order; what the URL has already is not touched.
func query(raw string, params []store.NextParam) string {
	parts := make([]string, 0, len(params)+1)
	if raw != "" {
		parts = append(parts, raw)
	}
	for _, param := range params {
		parts = append(parts, url.QueryEscape(param.Name)+"="+url.QueryEscape(param.Value))
	}
	return strings.Join(parts, "&")
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

// target is one of the four places a link may open in.
func target(name string) string {
	switch name {
	case "_parent", "_top", "_blank":
		return name
	}
	return "_self"
}

// showReturned ends the way of a payer whom nobody awaits: an S2S payment without a URL to return to.
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

// write sends a page with its policy.
func (p *pages) write(w http.ResponseWriter, r *http.Request, status int, name string, view *View, allowed policy.Policy) {
	body, err := p.viewsFor(view.formID).render(name, view)
	h := w.Header()
	policy.Secure(h)
	if err != nil {
		p.log.ErrorContext(r.Context(), "page: template failed", "template", name, "error", err)
		plain(w, http.StatusInternalServerError)
		return
	}
	allowed.Set(h)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", view.Lang)
	if view.browser {
		h.Add("Vary", "Accept-Language")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
