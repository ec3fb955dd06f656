package sdk

import (
	"bytes"
	"errors"
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/store"
)

// frameField is what distinguishes the frames.
type frameField struct {
	Name, Label, Error  string
	Autocomplete, Enter string
	Max                 int // characters, including spaces and slashes in any notation
}

// fieldCode is the field of the security code.
const fieldCode = "cvv"

func frameFields() []frameField {
	return []frameField{
		{"card", "Card number", store.ErrPAN.Error(), "cc-number", "next", 40},
		{"expiry", "Expiry date", store.ErrExpiry.Error(), "cc-exp", "next", 16},
		{fieldCode, "Security code", store.ErrSecurityCode.Error(), "cc-csc", "done", 8},
	}
}

// brands returns the pictures of the card's frame; "card" is the one without a brand.
func brands() []string {
	return []string{"card", "amex", "diners", "discover", "jcb", "maestro", "mastercard", "unionpay", "visa"}
}

// frameView is the data of a frame's template.
type frameView struct {
	Field    frameField
	Origins  string // the origins that may embed it, separated by spaces
	Optional bool   // the field may stay empty
	Brands   []string
	assets   asset.Set
}

// Asset returns a file by its source name.
func (v frameView) Asset(name string) asset.File { return v.assets.Named[name] }

// Scripts returns the scripts in the order of their dependencies.
func (v frameView) Scripts() []asset.File {
	return []asset.File{v.Asset("rules.js"), v.Asset("style.js"), v.Asset("frame.js")}
}

var frameTemplate = template.Must(template.ParseFS(files, "assets/frame.html"))

// sessionID is the form of a session id; the library checks it too.
var sessionID = regexp.MustCompile(`\A[A-Za-z0-9_.~-]{1,128}\z`)

// frame serves the document of a field.
func (f *fields) frame(w http.ResponseWriter, r *http.Request, field frameField) {
	session := r.URL.Query().Get("session")
	if !sessionID.MatchString(session) {
		refuse(w)
		return
	}
	urls, err := f.gw.Origins(r.Context(), session)
	if err != nil {
		f.frameFailed(w, r, err)
		return
	}
	optional := false
	if field.Name == fieldCode {
		if optional, err = f.gw.CodeOptional(r.Context(), session); err != nil {
			f.frameFailed(w, r, err)
			return
		}
	}
	allowed := origins(urls)
	var page bytes.Buffer
	view := frameView{field, strings.Join(allowed, " "), optional, brands(), f.assets}
	if err := frameTemplate.Execute(&page, view); err != nil { // the template is embedded
		f.frameFailed(w, r, err)
		return
	}
	frameHeader(w.Header(), allowed)
	_, _ = w.Write(page.Bytes())
}

func (f *fields) frameFailed(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, gateway.ErrNoSession) {
		refuse(w)
		return
	}
	f.log.ErrorContext(r.Context(), "hosted fields: frame", "error", err)
	secure(w.Header())
	http.Error(w, "Internal error.", http.StatusInternalServerError)
}

// frameHeader allows what a field needs, and framing by the allowed origins. Pages that are isolated from other
// origins (Cross-Origin-Embedder-Policy) may embed it too. If the browser supports it, the frame runs in another
// process than the merchant's page.
func frameHeader(h http.Header, allowed []string) {
	secure(h)
	ancestors := "'none'"
	if len(allowed) > 0 {
		ancestors = strings.Join(allowed, " ")
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "+
		"connect-src 'self'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'; "+
		"frame-ancestors "+ancestors)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cross-Origin-Embedder-Policy", "require-corp")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Origin-Agent-Cluster", "?1")
	// Under no-referrer a browser without Sec-Fetch-Site could post with "Origin: null".
	h.Set("Referrer-Policy", "same-origin")
}
