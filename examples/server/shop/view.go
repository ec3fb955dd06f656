package shop

import (
	"bytes"
	"net/http"
	"path"
	"strings"
)

// page is the data of the layout; Data is the page's own.
type page struct {
	Title string
	Shop  string
	Path  string
	Live  bool // it reloads itself
	Data  any

	policy string // the content policy, if it is not the shop's
}

// At reports the section of the shop that the page belongs to, for the navigation.
func (p page) At(section string) bool {
	return p.Path == section || strings.HasPrefix(p.Path, section+"/") && section != "/"
}

// secure sets the headers of every answer. Forms need a referrer to the shop: without one browsers send "Origin:
// null", which the check of the origin refuses.
func (s *Shop) secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
}

// show renders a page into memory and sends it.
func (s *Shop) show(w http.ResponseWriter, r *http.Request, status int, name string, p page) {
	p.Shop, p.Path = s.seller.Name, r.URL.Path
	var body bytes.Buffer
	s.secure(w.Header())
	if p.policy != "" {
		w.Header().Set("Content-Security-Policy", p.policy)
	}
	if err := s.views[name].ExecuteTemplate(&body, "layout.html", p); err != nil {
		s.cfg.Log.ErrorContext(r.Context(), "shop: template failed", "template", name, "error", err)
		answer(w, http.StatusInternalServerError, "the page could not be drawn")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the browser has gone; there is no way to report it
}

// redirect redirects the browser with GET.
func (s *Shop) redirect(w http.ResponseWriter, r *http.Request, to string) {
	s.secure(w.Header())
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (s *Shop) problem(w http.ResponseWriter, r *http.Request, status int, text string) {
	s.show(w, r, status, "problem.html", page{Title: "Sorry", Data: text})
}

func (s *Shop) asset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.PathValue("file"))
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		answer(w, http.StatusNotFound, "no such file")
		return
	}
	h := w.Header()
	h.Set("Content-Type", kinds[path.Ext(name)])
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body)
}
