package page

import (
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// problem shows a failure. It repeats nothing of the request, names the merchant where the session is known, and
// leads back to the payment page and to the merchant as far as they are.
func (p *pages) problem(w http.ResponseWriter, r *http.Request, root string, status int, turn *gateway.Turn) {
	self := ""
	if token, ok := secret(r); ok && status != http.StatusNotFound && strings.Contains(r.Pattern, " /auth/") {
		if self = root + "auth/" + token; turn == nil {
			turn = p.known(r, token)
		}
	}
	p.showProblem(w, r, root, status, turn, self)
}

// known is the turn of a session whose request went wrong before it was asked for; nil where there is none.
func (p *pages) known(r *http.Request, token string) *gateway.Turn {
	turn, err := p.gw.Turn(r.Context(), token)
	if err != nil {
		return nil
	}
	return turn
}

// strayed shows a failure to a payer who comes back from elsewhere. Next is where they would have gone; empty where
// that is not known.
func (p *pages) strayed(w http.ResponseWriter, r *http.Request, next string, status int) {
	var turn *gateway.Turn
	self, _ := policy.RedirectTarget(next)
	if u, err := url.Parse(next); err == nil && path.Base(path.Dir(u.Path)) == "auth" {
		turn = p.known(r, path.Base(u.Path))
	}
	p.showProblem(w, r, fromPage, status, turn, self)
}

func (p *pages) showProblem(w http.ResponseWriter, r *http.Request, root string, status int, turn *gateway.Turn, self string) {
	view := p.plainView(r, turn, "problem", root)
	message, ok := view.T.Failures[status]
	if !ok {
		message = view.T.Failures[0]
	}
	view.Title, view.Message, view.Self = message.Title, message, self
	var allowed policy.Policy
	if turn != nil {
		view.Test = turn.Test
		view.names(turn)
		view.Leave = view.wayBack(turn)
		allowed.Frames = policy.Origins(turn.Origins)
	}
	p.write(w, r, status, pageProblem, view, allowed)
}

// wayBack is the link to the merchant's own page; nil where it gave none.
func (v *View) wayBack(turn *gateway.Turn) *LeaveView {
	u, ok := policy.WebURL(turn.BackURL)
	if !ok {
		return nil
	}
	return &LeaveView{URL: template.URL(policy.ASCII(u.String())), Target: target(turn.Target), Continue: texts.Say(v.T, v.T.LeaveTitle, v.Merchant)}
}
