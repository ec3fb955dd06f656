package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
)

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
	seeOther(w, pageLink(fromClose, r)) // shows how it stands, also when it could not be closed
}

// backToForm helps a payer who reloads where only a form leads.
func (p *pages) backToForm(w http.ResponseWriter, r *http.Request) {
	if _, ok := secret(r); !ok {
		p.failed(w, r, fromCancel, gateway.ErrNoSession, nil)
		return
	}
	seeOther(w, pageLink(fromClose, r))
}
