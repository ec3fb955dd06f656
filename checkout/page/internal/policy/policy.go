// Package policy owns what browsers may do with a page: the headers of every answer, the Content-Security-Policy,
// and the origins that are valid in it.
package policy

import (
	"net/http"
	"slices"
	"strings"
)

// Secure sets the headers of every answer. The answer must not be cached, framed or sniffed; a page replaces the
// policy with its own.
func Secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", Policy{}.String())
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(self), usb=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// self is ourselves in a policy.
const self = "'self'"

// googlePay is what a browser requests before it opens Google Pay: the URL that names the payment method, and the
// manifest that its answer links to. Chromium refuses a PaymentRequest whose URLs the policy does not allow.
const googlePay = " https://google.com/pay https://pay.google.com"

// Policy is what a page's Content-Security-Policy allows. Scripts, styles and pictures are our own files only.
type Policy struct {
	Forms  []string // targets of forms
	Frames []string // who may frame the page
	Google bool     // the page offers Google Pay
}

// OwnForms allows forms to post to ourselves and to be redirected to the session's own URLs: browsers apply
// form-action to the redirects after a post too.
func OwnForms(urls, frames []string) Policy {
	return Policy{Forms: append([]string{self}, Origins(urls)...), Frames: Origins(frames)}
}

// String returns the header's value.
func (p Policy) String() string {
	connect := self
	if p.Google {
		connect += googlePay
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " + connect + "; " +
		"form-action " + sources(p.Forms) + "; base-uri 'none'; frame-ancestors " + sources(p.Frames)
}

func sources(list []string) string {
	if len(list) == 0 {
		return "'none'"
	}
	return strings.Join(list, " ")
}

// Set writes the policy. Browsers without frame-ancestors understand X-Frame-Options. A page with a form of ours
// sends a referrer to ourselves only. With no-referrer, browsers would post with "Origin: null", and the
// cross-origin check has to refuse that when the browser sends no Sec-Fetch-Site (all of them over plain HTTP, and
// Safari before 16.4).
func (p Policy) Set(h http.Header) {
	h.Set("Content-Security-Policy", p.String())
	if slices.Contains(p.Forms, self) {
		h.Set("Referrer-Policy", "same-origin")
	}
	if len(p.Frames) == 0 {
		h.Set("X-Frame-Options", "DENY")
	}
}

// Origins returns the origins that are valid in a policy, each once.
func Origins(texts []string) []string {
	var kept []string
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if o, ok := Origin(text); ok && !seen[o] {
			seen[o] = true
			kept = append(kept, o)
		}
	}
	return kept
}

// Origin returns scheme, host and port of an absolute URL. It returns false for a host with characters that a
// policy cannot have: a space, semicolon or comma would add sources or directives, a star would match too much,
// and names outside ASCII match nothing.
func Origin(text string) (string, bool) {
	u, ok := WebURL(text)
	if !ok {
		return "", false
	}
	host := strings.ToLower(u.Host)
	for i := range len(host) {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-._:[]", rune(host[i])) {
			return "", false
		}
	}
	return u.Scheme + "://" + host, true
}
