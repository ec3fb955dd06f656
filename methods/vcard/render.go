package vcard

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"path"
)

//go:embed pages
var files embed.FS

// maxForm is the most bytes that a browser may send.
const maxForm = 64 << 10

// The content policies of the pages. The redirect or form to the gateway, and from there to the merchant, needs an
// open form-action: browsers apply it to the whole chain of redirects. The pages may be framed, because a payment
// page in a frame leads there.
const (
	policy     = "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action "
	ownForms   = policy + "'self'"
	openForms  = policy + "http: https:"
	scriptType = "text/javascript; charset=utf-8"
)

// pages serves the simulated issuer and bank.
type pages struct {
	acquirer *Connector
	html     *template.Template
}

// view is what a template gets.
type view struct {
	Title, Base, Lead string
	Action            string
	Hidden            []field
	Amount, Currency  string
	Merchant, Card    string // name, and the last four digits of the number
	Confirm, Fail     string
	Done              bool   // the payer has decided before
	Open              bool   // the payer enters the amount
	Wrote             string // what the payer entered
	Fault             string // what is wrong with it
}

type field struct{ Name, Value string }

func (p pages) file(contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := files.ReadFile("pages/" + path.Base(r.URL.Path))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "max-age=3600")
		_, _ = w.Write(body) // the browser has gone; there is no way to report it
	}
}

// visit reads a browser's form, and answers a broken one itself.
func (p pages) visit(w http.ResponseWriter, r *http.Request, use string) (visit, bool) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		p.fail(w, http.StatusBadRequest, "The request could not be read.")
		return visit{}, false
	}
	if use == useACS {
		return visit{use, r.PostForm.Get("MD"), r.PostForm.Get("PaReq"), r.PostForm.Get("TermUrl")}, true
	}
	return visit{use, r.Form.Get("payment"), r.Form.Get("ticket"), r.Form.Get("back")}, true
}

// ask shows the page with the decision.
func (p pages) ask(w http.ResponseWriter, r *http.Request, v visit, csp string, shown view) {
	e, err := p.acquirer.look(r.Context(), v)
	if err != nil {
		p.refuse(w, err)
		return
	}
	shown.Amount, shown.Currency, shown.Merchant, shown.Card = e.Amount.String(), e.Currency, e.Merchant, e.Card
	shown.Done = !e.awaits(v.use)
	p.show(w, http.StatusOK, csp, "ask.html", shown)
}

func (p pages) decide(r *http.Request, v visit) (Entry, error) {
	switch r.PostForm.Get("decision") {
	case "confirm":
		return p.acquirer.decided(r.Context(), v, true, r.PostForm.Get("amount"))
	case "fail":
		return p.acquirer.decided(r.Context(), v, false, "")
	}
	return Entry{}, errForged
}

func (p pages) refuse(w http.ResponseWriter, err error) {
	if errors.Is(err, errForged) {
		p.fail(w, http.StatusNotFound, "This page does not belong to a payment. Go back to the shop and try again.")
		return
	}
	p.fail(w, http.StatusServiceUnavailable,
		"The test acquirer cannot answer at the moment. Reload the page to try again.")
}

func (p pages) fail(w http.ResponseWriter, status int, lead string) {
	p.show(w, status, ownForms, "fail.html", view{Title: "Something went wrong", Lead: lead})
}

func (p pages) show(w http.ResponseWriter, status int, csp, name string, v view) {
	v.Base = p.acquirer.public
	var body bytes.Buffer
	if err := p.html.ExecuteTemplate(&body, name, v); err != nil {
		http.Error(w, "page cannot be shown", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", csp)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the browser has gone; there is no way to report it
}
