// Package weburl knows the URLs that a browser may be sent to.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Valid takes an absolute http or https URL of so many characters at most: a host, no user information, nothing
// that a browser and we could read differently. The length is counted before anything is trimmed.
func Valid(text string, longest int) bool {
	if utf8.RuneCountInString(text) > longest || strings.ContainsFunc(text, unsafe) {
		return false
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Opaque != "", u.User != nil,
		u.Hostname() == "", strings.ContainsFunc(u.Hostname(), notOfHost), strings.HasSuffix(u.Host, ":"):
		return false
	}
	port, err := strconv.Atoi(u.Port())
	return u.Port() == "" || err == nil && port >= 1 && port <= 65535
}

func unsafe(r rune) bool {
	return r == '\\' || r == ' ' || r == unicode.ReplacementChar || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r)
}

// notOfHost is what neither names of hosts nor numbers of networks are made of. Browsers refuse it, and the payer
// would be stranded.
func notOfHost(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("-._:", r)
}
