package gateway

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkURL takes an absolute http or https URL a browser may be sent to: a host, no user information,
// nothing a browser and we could read differently. The length is counted before anything is trimmed.
func checkURL(text string) error {
	bad := errors.New("not a URL to send a payer to")
	if utf8.RuneCountInString(text) > 1024 || strings.ContainsFunc(text, unsafeInURL) {
		return bad
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Opaque != "", u.User != nil,
		u.Hostname() == "", !asciiHost(u.Hostname()), strings.HasSuffix(u.Host, ":"):
		return bad
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return bad
		}
	}
	return nil
}

func unsafeInURL(r rune) bool {
	return r == '\\' || r == ' ' || r == unicode.ReplacementChar || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r)
}

func asciiHost(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII || r == '%' })
}
