package s2s

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isURL takes absolute http and https URLs that a browser may be sent to, of so many characters: a host, no
// user information, nothing that a browser and we could read differently.
func isURL(longest int) rule {
	return func(_ *call, value string) string {
		return sound(utf8.RuneCountInString(value) <= longest && isAbsolute(value), textURL)
	}
}

func isAbsolute(text string) bool {
	if strings.ContainsFunc(text, unsafeInURL) {
		return false
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Opaque != "", u.User != nil,
		u.Hostname() == "", !isHost(u.Hostname()), strings.HasSuffix(u.Host, ":"):
		return false
	}
	port, err := strconv.Atoi(u.Port())
	return u.Port() == "" || err == nil && port >= 1 && port <= 65535
}

func unsafeInURL(r rune) bool {
	return r == '\\' || r == ' ' || r == unicode.ReplacementChar || unicode.IsControl(r) ||
		unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Z, r)
}

func isHost(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII || r == '%' })
}
