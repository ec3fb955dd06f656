// Package hsts tells browsers to reach a host over https only (RFC 6797).
package hsts

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Year is for how long browsers are told to remember it.
const Year = 365 * 24 * time.Hour

// Age is what a host chose: by itself a year where payers reach it over https, and nothing elsewhere.
func Age(chosen time.Duration, publicURL string) time.Duration {
	if chosen == 0 && strings.HasPrefix(strings.ToLower(publicURL), "https://") {
		return Year
	}
	return chosen
}

// Set adds the header; an age of nothing or less adds none. Other hosts under the same name are not included,
// since they are not ours to speak for.
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
