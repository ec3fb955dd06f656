package sdk

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// secure sets the headers of every answer about one session. The answer must not be cached, framed or sniffed; a
// frame replaces the policy with its own.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// refuse is the answer to an unknown or expired session or token: 403 and a page (SPEC1, Authentication 4).
func refuse(w http.ResponseWriter) {
	secure(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	page, _ := files.ReadFile("assets/refused.html") // embedded
	_, _ = w.Write(page)
}

func missing(w http.ResponseWriter) {
	secure(w.Header())
	http.Error(w, "Not found.", http.StatusNotFound)
}

// origins returns the origins that are valid in a policy, each once.
func origins(urls []string) []string {
	var kept []string
	for _, text := range urls {
		if o, ok := origin(text); ok && !slices.Contains(kept, o) {
			kept = append(kept, o)
		}
	}
	return kept
}

// origin returns the origin of an absolute web URL as browsers write it: in lower case, without the scheme's
// default port. It returns false for a host with characters that a policy cannot have: a space, semicolon or comma
// would add sources or directives, and a star would match too much.
func origin(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Opaque != "" || strings.Contains(text, `\`) {
		return "", false
	}
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	default:
		return "", false
	}
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._:[]") != "" || strings.HasSuffix(host, ":") {
		return "", false
	}
	return u.Scheme + "://" + host, true
}
