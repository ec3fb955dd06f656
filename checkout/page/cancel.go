package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
)

// leave closes the form when the payer cancels.
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
	seeOther(w, pageLink(fromClose, r)) // the page shows the state, even if the session could not be closed
}

// backToForm redirects a payer who reloads a URL that only forms post to.
func (p *pages) backToForm(w http.ResponseWriter, r *http.Request) {
	if _, ok := secret(r); !ok {
		p.failed(w, r, fromCancel, gateway.ErrNoSession, nil)
		return
	}
	seeOther(w, pageLink(fromClose, r))
}
