package page

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
)

// viewsFor returns the templates for a session's form_id. An id that the host has not registered gets the default
// ones.
func (p *pages) viewsFor(formID string) templates {
	if own, ok := p.forms[strings.ToLower(formID)]; ok {
		return own
	}
	return p.views
}

// write sends a page with its policy.
func (p *pages) write(
	w http.ResponseWriter, r *http.Request, status int, name string, view *View, allowed policy.Policy,
) {
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

// plain answers a machine with a status.
func plain(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, http.StatusText(status)+"\n")
}

// seeOther redirects the browser with GET. It keeps a relative target relative, which http.Redirect would not.
func seeOther(w http.ResponseWriter, location string) {
	header := w.Header()
	policy.Secure(header)
	header.Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}

// report writes a failure to the log, unless the payer closed the window, which is no error.
func (p *pages) report(r *http.Request, err error) {
	if r.Context().Err() == nil {
		p.log.ErrorContext(r.Context(), "page: request failed", "error", err)
	}
}

// writeJSON answers the script.
func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil { // cannot happen: texts only
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	policy.Secure(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
