package page

import (
	"errors"
	"io"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/internal/bodylimit"
	"github.com/tollgatepay/gateway/methods"
)

// returned handles the payer's return from the issuer or the bank. The post comes from another site; the secret in
// the path proves which payment it belongs to.
func (p *pages) returned(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		policy.Secure(w.Header()) // a link checker must not use up the return
		return
	}
	token, ok := secret(r)
	if !ok {
		p.failed(w, r, fromPage, gateway.ErrNoSession, nil)
		return
	}
	if status := parseForm(w, r); status != http.StatusOK {
		p.torn(w, r, token, status)
		return
	}
	next, err := p.gw.Return(r.Context(), token, methods.Return{Method: r.Method, Params: r.Form})
	if err != nil && !errors.Is(err, gateway.ErrNoSession) && next != "" {
		p.report(r, err)
		p.strayed(w, r, next, http.StatusInternalServerError)
		return
	}
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	if next == "" {
		p.showReturned(w, r)
		return
	}
	location, ok := policy.RedirectTarget(next)
	if !ok {
		p.failed(w, r, fromPage, errors.New("return: the way on is not a usable URL"), nil)
		return
	}
	seeOther(w, location)
}

// torn answers a return that cannot be read to its end: it shows the payer's next action. An incomplete return is no
// evidence: no connector is called, and the payer may come back again.
func (p *pages) torn(w http.ResponseWriter, r *http.Request, token string, status int) {
	next, err := p.gw.ReturnPage(r.Context(), token)
	if err != nil {
		p.failed(w, r, fromPage, err, nil)
		return
	}
	p.strayed(w, r, next, status)
}

// notified passes an acquirer's notification to the kernel. 200 means that it was accepted; anything else asks the
// acquirer to send it again.
func (p *pages) notified(w http.ResponseWriter, r *http.Request) {
	policy.Secure(w.Header())
	if r.Method == http.MethodHead {
		return
	}
	token, ok := secret(r)
	if !ok {
		plain(w, http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(bodylimit.Reader(w, r, maxBody))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		plain(w, http.StatusRequestEntityTooLarge)
	case err != nil:
		plain(w, http.StatusBadRequest)
	default:
		note := methods.Note{Method: r.Method, Header: r.Header.Clone(), Query: r.URL.Query(), Body: body}
		plain(w, p.note(r, token, note))
	}
}

func (p *pages) note(r *http.Request, token string, note methods.Note) int {
	err := p.gw.Notify(r.Context(), token, note)
	var refused *gateway.Error
	switch {
	case err == nil:
		return http.StatusOK
	case errors.Is(err, gateway.ErrNoSession):
		return http.StatusNotFound
	case errors.As(err, &refused) && refused.Status() < http.StatusInternalServerError:
		return http.StatusBadRequest
	}
	p.log.ErrorContext(r.Context(), "page: notification failed", "error", err)
	return http.StatusInternalServerError
}
