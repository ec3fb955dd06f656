package sdk

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// secure sets the headers of every answer that is about one session. Nothing may be kept, framed or guessed;
// a frame replaces the policy by its own.
func secure(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// refuse is the answer to a session or a token that is none or has expired: 403 and a page (SPEC1,
// Authentication 4).
func refuse(w http.ResponseWriter) {
	secure(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	page, _ := files.ReadFile("assets/refused.html") // part of the program
	_, _ = w.Write(page)
}

func missing(w http.ResponseWriter) {
	secure(w.Header())
	http.Error(w, "Not found.", http.StatusNotFound)
}

// origins keeps what can stand in a policy, each once.
func origins(urls []string) []string {
	var kept []string
	for _, text := range urls {
		if o, ok := origin(text); ok && !slices.Contains(kept, o) {
			kept = append(kept, o)
		}
	}
	return kept
}

// origin is the origin of an absolute web URL as browsers write it: in small letters, without the port
// that the scheme implies. It is not ok where the host has characters that a policy cannot carry: a
// space, semicolon or comma would add sources or directives, a star would match more than was meant.
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
