package page

import (
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// appleSession answers a browser's request for a merchant session. An error is answered by its status alone.
func (p *pages) appleSession(w http.ResponseWriter, r *http.Request) {
	if !p.fromOurPage(r) {
		refuse(w, http.StatusForbidden)
		return
	}
	if status := parseForm(w, r); status != http.StatusOK {
		refuse(w, status)
		return
	}
	token, ok := secret(r)
	if !ok {
		refuse(w, http.StatusNotFound)
		return
	}
	identity, err := p.gw.AppleIdentity(r.Context(), token)
	if err != nil {
		p.refuseIdentity(w, r, err)
		return
	}
	address, ok := p.wallet.GatewayURL(r.PostForm.Get("validation_url"), identity.Environment)
	if !ok {
		refuse(w, http.StatusBadRequest)
		return
	}
	session, err := p.wallet.Ask(r.Context(), address, identity, hostOf(r))
	if err != nil {
		if r.Context().Err() == nil { // a payer who closed the window is no error
			p.log.ErrorContext(r.Context(), "page: no merchant session", "address", address, "error", err)
		}
		refuse(w, http.StatusBadGateway)
		return
	}
	writeJSON(w, http.StatusOK, session)
}

// fromOurPage reports whether a request comes from one of our pages. A browser that does not say where a request
// comes from is rejected: unlike a form, only the script sends this request.
func (p *pages) fromOurPage(r *http.Request) bool {
	named := r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
	return named && r.Header.Get("Sec-Fetch-Site") != "none" && p.origin.Check(r) == nil
}

func (p *pages) refuseIdentity(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, gateway.ErrNoSession):
		refuse(w, http.StatusNotFound)
	case errors.Is(err, gateway.ErrWallet):
		refuse(w, http.StatusConflict)
	default:
		p.log.ErrorContext(r.Context(), "page: request failed", "error", err)
		refuse(w, http.StatusInternalServerError)
	}
}

// refuse answers a script with a status only.
func refuse(w http.ResponseWriter, status int) {
	policy.Secure(w.Header())
	plain(w, status)
}

// domain answers with the file by which the wallet verifies the domain.
func (p *pages) domain(w http.ResponseWriter, _ *http.Request) {
	policy.Secure(w.Header())
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(p.domainFile)
}
