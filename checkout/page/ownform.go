package page

import (
	"net/http"
	"net/url"
)

// ownForm reads a form that only our own page may send. When ok is false it has answered the request.
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
