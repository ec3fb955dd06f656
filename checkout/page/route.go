package page

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/internal/clientip"
)

// maxBody bounds every request body, in bytes.
const maxBody = 64 << 10

// Where the mount point lies, seen from a page of ours. Links are relative because a handler behind
// http.StripPrefix cannot know its own prefix.
const (
	fromPage   = "../"    // /auth/x, /return/x
	fromCancel = "../../" // /auth/x/cancel, /auth/x/answer
)

// show answers what the payer should see next.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	turn, err := p.turn(r)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	p.showTurn(w, r, turn)
}

func (p *pages) turn(r *http.Request) (*gateway.Turn, error) {
	token, ok := secret(r)
	if !ok {
		return nil, gateway.ErrNoSession
	}
	return p.gw.Turn(r.Context(), token)
}

// pay takes the method and what it needs. What does not pass is shown again beside its field; everything else is a
// redirect to the page, so that a reload repeats nothing.
func (p *pages) pay(w http.ResponseWriter, r *http.Request) {
	form, ok := p.ownForm(w, r, fromPage)
	if !ok {
		return
	}
	turn, err := p.turn(r)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	typed := readEntry(form)
	if turn.Kind != gateway.TurnForm || typed.attempt != turn.Attempt {
		p.goOn(w, r, turn) // sent twice, or from a window left open
		return
	}
	t, _ := textsOf(r, turn)
	s, a, faults := p.submission(turn, &typed, form, t)
	if faults = append(outdated(turn, &typed), faults...); len(faults) > 0 {
		p.showFaults(w, r, turn, typed, faults)
		return
	}
	s.IP, s.Browser = clientip.Of(r, p.proxies), browser(r, form)
	p.submit(w, r, a, typed, s)
}

func (p *pages) submit(w http.ResponseWriter, r *http.Request, a *asked, typed entry, s gateway.Submission) {
	token, _ := secret(r)
	after, err := p.gw.PaySession(r.Context(), token, s)
	var refused *gateway.Error
	switch {
	case err == nil:
		p.goOn(w, r, after)
	case errors.As(err, &refused) && ours(refused):
		p.showFaults(w, r, a.turn, typed, a.kernelFaults(refused, &typed))
	default:
		p.failed(w, r, fromPage, err, a.turn)
	}
}

// goOn sends the browser to the page, which tells the turn. The script of the wallets is told the result: it
// goes there by itself.
func (p *pages) goOn(w http.ResponseWriter, r *http.Request, turn *gateway.Turn) {
	if scripted(r) {
		writeJSON(w, http.StatusOK, walletAnswer{Result: resultOf(turn)})
		return
	}
	seeOther(w, pageLink(fromForm, r))
}

// showFaults tells what is wrong with what was sent: the form again, or its faults alone for the script of the
// wallets.
func (p *pages) showFaults(w http.ResponseWriter, r *http.Request, turn *gateway.Turn, typed entry, faults []fault) {
	if isOutdated(faults) {
		p.showChanged(w, r, typed, faults)
		return
	}
	if scripted(r) {
		t, _ := textsOf(r, turn)
		writeJSON(w, http.StatusUnprocessableEntity, faultsAnswer(t, faults))
		return
	}
	p.showForm(w, r, turn, typed, faults)
}

// ours holds for refusals that the payer can do something about.
func ours(err *gateway.Error) bool {
	return err.Status < http.StatusInternalServerError && !errors.Is(err, gateway.ErrNoSession)
}

// leave closes the form at the payer's wish.
func (p *pages) leave(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.ownForm(w, r, fromCancel); !ok {
		return
	}
	token, ok := secret(r)
	if !ok {
		p.failed(w, r, fromCancel, gateway.ErrNoSession, nil)
		return
	}
	_, err := p.gw.LeaveSession(r.Context(), token)
	if errors.Is(err, gateway.ErrNoSession) {
		p.failed(w, r, fromCancel, err, nil)
		return
	}
	if err != nil {
		p.log.ErrorContext(r.Context(), "page: session was not closed", "error", err)
	}
	seeOther(w, pageLink(fromClose, r)) // tells how it stands, also when it could not be closed
}

// backToForm helps a payer who reloads where only a form leads.
func (p *pages) backToForm(w http.ResponseWriter, r *http.Request) {
	if _, ok := secret(r); !ok {
		p.failed(w, r, fromCancel, gateway.ErrNoSession, nil)
		return
	}
	seeOther(w, pageLink(fromClose, r))
}

// ownForm reads a form that only our own page may send. It answers the request when it is not ok.
func (p *pages) ownForm(w http.ResponseWriter, r *http.Request, root string) (url.Values, bool) {
	if p.origin.Check(r) != nil {
		p.problem(w, r, root, http.StatusForbidden, nil)
		return nil, false
	}
	if status := parseForm(w, r); status != http.StatusOK {
		p.problem(w, r, root, status, nil)
		return nil, false
	}
	return r.PostForm, true
}

// parseForm fills r.Form and r.PostForm, and answers the status that a refusal has.
func parseForm(w http.ResponseWriter, r *http.Request) int {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// Where a page lies, seen from one of its forms.
const (
	fromForm  = "./"
	fromClose = "../"
)

// pageLink is the page of the request's own token.
func pageLink(from string, r *http.Request) string { return from + r.PathValue("token") }

// secret is the token of the path. Tokens are short and need no escaping; anything else is refused
// before the kernel is asked, which keeps it out of links and headers too.
func secret(r *http.Request) (string, bool) {
	token := r.PathValue("token")
	if token == "" || len(token) > 256 || token[0] == '.' {
		return "", false
	}
	for i := range len(token) {
		switch c := token[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '-', c == '_', c == '.', c == '~':
		default:
			return "", false
		}
	}
	return token, true
}

// seeOther sends the browser on with GET. Relative targets stay relative, which http.Redirect would
// not leave alone.
func seeOther(w http.ResponseWriter, location string) {
	header := w.Header()
	policy.Secure(header)
	header.Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}

// failed shows what went wrong without telling what: unknown links are 404, the rest is in the log.
// Turn is nil where it is not known.
func (p *pages) failed(w http.ResponseWriter, r *http.Request, root string, err error, turn *gateway.Turn) {
	if errors.Is(err, gateway.ErrNoSession) {
		p.problem(w, r, root, http.StatusNotFound, turn)
		return
	}
	p.report(r, err)
	p.problem(w, r, root, http.StatusInternalServerError, turn)
}

// report writes a failure to the log, unless the payer closed the window, which is no fault of ours.
func (p *pages) report(r *http.Request, err error) {
	if r.Context().Err() == nil {
		p.log.ErrorContext(r.Context(), "page: request failed", "error", err)
	}
}
