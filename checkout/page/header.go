package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// secure sets the headers of every answer. Nothing may be kept, framed or guessed; a page replaces the
// policy with its own.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy{}.String())
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

// policy is what a page's Content-Security-Policy leaves open. Scripts, styles and pictures are our own
// files only.
type policy struct {
	forms  []string // where forms may go
	frames []string // who may frame the page
	google bool     // the page offers Google Pay
}

// ownForms lets forms go to ourselves and on to the session's own URLs: browsers hold the redirects
// after a post to form-action as well.
func ownForms(urls, frames []string) policy {
	return policy{forms: append([]string{self}, origins(urls)...), frames: origins(frames)}
}

// String is the header's value.
func (p policy) String() string {
	connect := self
	if p.google {
		connect += googlePay
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " + connect + "; " +
		"form-action " + sources(p.forms) + "; base-uri 'none'; frame-ancestors " + sources(p.frames)
}

func sources(list []string) string {
	if len(list) == 0 {
		return "'none'"
	}
	return strings.Join(list, " ")
}

// set writes the policy. Browsers that do not know frame-ancestors understand X-Frame-Options.
// Pages with a form of our own send a referrer to ourselves, and to ourselves only: under no-referrer
// browsers post with "Origin: null", which the cross-origin check has to refuse wherever the browser
// sends no Sec-Fetch-Site (all of them over plain HTTP, and Safari before 16.4).
func (p policy) set(h http.Header) {
	h.Set("Content-Security-Policy", p.String())
	if slices.Contains(p.forms, self) {
		h.Set("Referrer-Policy", "same-origin")
	}
	if len(p.frames) == 0 {
		h.Set("X-Frame-Options", "DENY")
	}
}

// origins keeps what can stand in a policy, each once.
func origins(texts []string) []string {
	var kept []string
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if o, ok := origin(text); ok && !seen[o] {
			seen[o] = true
			kept = append(kept, o)
		}
	}
	return kept
}

// origin is scheme, host and port of an absolute URL. It is not ok where the host has characters that
// a policy cannot carry: a space, semicolon or comma would add sources or directives, a star would
// match more than was meant, and names outside ASCII match nothing.
func origin(text string) (string, bool) {
	u, ok := webURL(text)
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

// webURL parses an absolute http or https URL with a host and without credentials.
func webURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, false
	}
	if u.Hostname() == "" || u.User != nil || u.Opaque != "" || strings.Contains(text, `\`) {
		return nil, false
	}
	return u, true
}

// redirectTarget is a Location: an absolute web URL, or a path of our own. It is rebuilt from its parsed
// parts, so no raw text reaches the header.
func redirectTarget(text string) (string, bool) {
	u, ok := webURL(text)
	if !ok {
		var err error
		u, err = url.Parse(text)
		if err != nil || text == "" || u.Scheme != "" || u.Host != "" || u.User != nil || strings.Contains(text, `\`) {
			return "", false
		}
	}
	return ascii(u.String()), true
}

// ascii escapes what url.URL leaves as it is in a query: spaces and bytes outside ASCII.
func ascii(text string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
