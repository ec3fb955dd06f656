package page

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// problem shows a failure. It repeats nothing of the request, names the merchant when the session is known, and
// links to the payment page and to the merchant as far as they are known.
func (p *pages) problem(w http.ResponseWriter, r *http.Request, root string, status int, next *gateway.NextAction) {
	self := ""
	if token, ok := secret(r); ok && status != http.StatusNotFound && strings.Contains(r.Pattern, " /auth/") {
		if self = root + "auth/" + token; next == nil {
			next = p.known(r, token)
		}
	}
	p.showProblem(w, r, root, status, next, self)
}

// strayed shows a failure to a payer who comes back from another site. next is where they would have gone; empty
// when that is not known.
func (p *pages) strayed(w http.ResponseWriter, r *http.Request, next string, status int) {
	var action *gateway.NextAction
	self, _ := policy.RedirectTarget(next)
	if u, err := url.Parse(next); err == nil && path.Base(path.Dir(u.Path)) == "auth" {
		action = p.known(r, path.Base(u.Path))
	}
	p.showProblem(w, r, fromPage, status, action, self)
}

func (p *pages) showProblem(
	w http.ResponseWriter, r *http.Request, root string, status int, next *gateway.NextAction, self string,
) {
	view := p.plainView(r, next, "problem", root)
	message, ok := view.T.Failures[status]
	if !ok {
		message = view.T.Failures[0]
	}
	view.Title, view.Message, view.Self = message.Title, message, self
	var allowed policy.Policy
	if next != nil {
		view.Test = next.Test
		view.names(next)
		view.Leave = view.wayBack(next)
		allowed.Frames = policy.Origins(next.Origins)
	}
	p.write(w, r, status, pageProblem, view, allowed)
}

// failed shows that something went wrong, without details: unknown links are 404, the rest is in the log. next is
// nil when it is not known.
func (p *pages) failed(w http.ResponseWriter, r *http.Request, root string, err error, next *gateway.NextAction) {
	if errors.Is(err, gateway.ErrNoSession) {
		p.problem(w, r, root, http.StatusNotFound, next)
		return
	}
	p.report(r, err)
	p.problem(w, r, root, http.StatusInternalServerError, next)
}

// ours reports whether the payer can do something about a refusal.
func ours(err *gateway.Error) bool {
	return err.Status() < http.StatusInternalServerError && !errors.Is(err, gateway.ErrNoSession)
}
