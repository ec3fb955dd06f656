// Package policy owns what browsers may do with a page: the headers of every answer, the Content-Security-Policy, and
// the addresses that may stand in them.
package policy

import (
	"net/http"
	"slices"
	"strings"
)

// Secure sets the headers of every answer. Nothing may be kept, framed or guessed; a page replaces the
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

// googlePay is what a browser looks at before it opens Google Pay: the address that names the payment method
// and, by the link it answers with, the manifest of the method. Chromium refuses a PaymentRequest whose
// addresses the policy does not allow.
const googlePay = " https://google.com/pay https://pay.google.com"

// Policy is what a page's Content-Security-Policy leaves open. Scripts, styles and pictures are our own
// files only.
type Policy struct {
	Forms  []string // where forms may go
	Frames []string // who may frame the page
	Google bool     // the page offers Google Pay
}

// OwnForms lets forms go to ourselves and on to the session's own URLs: browsers hold the redirects
// after a post to form-action as well.
func OwnForms(urls, frames []string) Policy {
	return Policy{Forms: append([]string{self}, Origins(urls)...), Frames: Origins(frames)}
}

// String is the header's value.
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

// Set writes the policy. Browsers that do not know frame-ancestors understand X-Frame-Options.
// Pages with a form of our own send a referrer to ourselves, and to ourselves only: under no-referrer
// browsers post with "Origin: null", which the cross-origin check has to refuse wherever the browser
// sends no Sec-Fetch-Site (all of them over plain HTTP, and Safari before 16.4).
func (p Policy) Set(h http.Header) {
	h.Set("Content-Security-Policy", p.String())
	if slices.Contains(p.Forms, self) {
		h.Set("Referrer-Policy", "same-origin")
	}
	if len(p.Frames) == 0 {
		h.Set("X-Frame-Options", "DENY")
	}
}

// Origins keeps what can stand in a policy, each once.
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

// Origin is scheme, host and port of an absolute URL. It is not ok where the host has characters that
// a policy cannot carry: a space, semicolon or comma would add sources or directives, a star would
// match more than was meant, and names outside ASCII match nothing.
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
