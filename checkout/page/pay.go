package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/internal/clientip"
)

// pay reads the method and its input. Faults are shown beside their fields; any other result is a redirect to the
// page, so that a reload repeats nothing.
func (p *pages) pay(w http.ResponseWriter, r *http.Request) {
	sent, ok := p.ownForm(w, r, fromPage)
	if !ok {
		return
	}
	next, err := p.next(r)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	typed := form.Read(sent)
	if next.Kind != gateway.ActionCollect || typed.Attempt != next.Attempt {
		p.goOn(w, r, next) // sent twice, or from a window that was left open
		return
	}
	t, _ := textsOf(r, next)
	s, a, faults := form.Submission(next, &typed, sent, t, p.gw.Now())
	if faults = append(form.Outdated(next, &typed), faults...); len(faults) > 0 {
		p.showFaults(w, r, next, typed, faults)
		return
	}
	s.IP, s.Browser = clientip.Of(r, p.proxies), form.Browser(r, sent)
	p.submit(w, r, a, typed, s)
}

func (p *pages) submit(w http.ResponseWriter, r *http.Request, a *form.Asked, typed form.Entry, s gateway.Submission) {
	token, _ := secret(r)
	after, err := p.gw.PaySession(r.Context(), token, s)
	var refused *gateway.Error
	switch {
	case err == nil:
		p.goOn(w, r, after)
	case errors.As(err, &refused) && ours(refused):
		p.showFaults(w, r, a.Next, typed, a.KernelFaults(refused, &typed))
	default:
		p.failed(w, r, fromPage, err, a.Next)
	}
}

// showFaults shows the faults: on the form, or alone for the script of the wallets.
func (p *pages) showFaults(
	w http.ResponseWriter, r *http.Request, next *gateway.NextAction, typed form.Entry, faults []form.Mistake,
) {
	if form.IsOutdated(faults) {
		p.showChanged(w, r, typed, faults)
		return
	}
	if scripted(r) {
		t, _ := textsOf(r, next)
		writeJSON(w, http.StatusUnprocessableEntity, faultsAnswer(t, faults))
		return
	}
	p.showForm(w, r, next, typed, faults)
}
