// Package weburl checks the URLs to which a browser may be redirected.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Valid accepts an absolute http or https URL of at most longest characters: with a host, without user information,
// with nothing that a browser and we could read differently. The length is counted before anything is trimmed. A
// host may be in Unicode, as far as it has A-labels (decision bg).
func Valid(text string, longest int) bool {
	if utf8.RuneCountInString(text) > longest || strings.ContainsFunc(text, unsafe) {
		return false
	}
	if isPlain(text) {
		return true
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Opaque != "", u.User != nil,
		u.Hostname() == "", !isHost(u.Hostname()), strings.HasSuffix(u.Host, ":"):
		return false
	}
	return u.Port() == "" || isPort(u.Port())
}

// isPlain reports a URL that needs no parsing: a name, and after it characters that stand for themselves. Most are.
func isPlain(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(text, "http://")
	}
	host, path := rest, ""
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		host, path = rest[:end], rest[end:]
	}
	return ok && host != "" && !strings.ContainsFunc(host, notOfName) && !strings.ContainsFunc(path, notOfPath)
}

func notOfName(r rune) bool { return r == ':' || notOfHost(r) }

func notOfPath(r rune) bool { return notOfHost(r) && !strings.ContainsRune("/?=&+,;@!~$'()*", r) }

func isPort(text string) bool {
	port, err := strconv.Atoi(text)
	return err == nil && port >= 1 && port <= 65535
}

// ASCII returns a valid URL with the A-labels of its host: the form that is called, sent to a browser and compared.
// A URL with an ASCII host stays as it is, to the letter.
func ASCII(text string) string {
	u, err := url.Parse(text)
	if err != nil || isASCII(u.Hostname()) {
		return text
	}
	name, err := names().ToASCII(u.Hostname())
	if err != nil {
		return text
	}
	if port := u.Port(); port != "" {
		name += ":" + port
	}
	u.Host = name
	return u.String()
}

// names maps the names of hosts as browsers do (UTS 46, non-transitional).
func names() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.Transitional(false))
}

// isHost accepts a host. A name in Unicode must have A-labels, and must not become an IP address.
func isHost(name string) bool {
	if isASCII(name) {
		return !strings.ContainsFunc(name, notOfHost)
	}
	name, err := names().ToASCII(name)
	last := strings.TrimSuffix(name, ".")
	last = last[strings.LastIndexByte(last, '.')+1:]
	return err == nil && strings.Trim(last, "0123456789") != "" && !strings.ContainsFunc(name, notOfHost)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func unsafe(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == '\\' || r == '\x7f'
	}
	return r == unicode.ReplacementChar || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r)
}

// notOfHost reports characters that neither host names nor IP addresses have. Browsers refuse them, so the payer
// could not continue.
func notOfHost(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("-._:", r)
}

// Max is how many characters a URL may have (reliability.md, row 78).
const Max = 1024

func HasScheme(text, scheme string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == scheme
}
