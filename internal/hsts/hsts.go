// Package hsts makes browsers use https only for a host (RFC 6797).
package hsts

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Year is how long browsers remember it by default.
const Year = 365 * 24 * time.Hour

// Age returns what a host chose; by default a year if payers reach it over https, and nothing otherwise.
func Age(chosen time.Duration, publicURL string) time.Duration {
	if chosen == 0 && strings.HasPrefix(strings.ToLower(publicURL), "https://") {
		return Year
	}
	return chosen
}

// Set adds the header; an age of zero or less adds none. Subdomains are not included, because they belong to
// others.
func Set(h http.Header, age time.Duration) {
	if seconds := int64(age / time.Second); seconds > 0 {
		h.Set("Strict-Transport-Security", "max-age="+strconv.FormatInt(seconds, 10))
	}
}

// Handler adds the header to every answer of a handler.
func Handler(age time.Duration, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		Set(w.Header(), age)
		next(w, r)
	}
}
