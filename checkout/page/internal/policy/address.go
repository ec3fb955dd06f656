package policy

import (
	"net/url"
	"strings"
)

// WebURL parses an absolute http or https URL with a host and without credentials.
func WebURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, false
	}
	if u.Hostname() == "" || u.User != nil || u.Opaque != "" || strings.Contains(text, `\`) {
		return nil, false
	}
	return u, true
}

// RedirectTarget returns a Location: an absolute web URL, or a path of our own. It is rebuilt from its parsed
// parts, so no raw text reaches the header.
func RedirectTarget(text string) (string, bool) {
	u, ok := WebURL(text)
	if !ok {
		var err error
		u, err = url.Parse(text)
		if err != nil || text == "" || u.Scheme != "" || u.Host != "" || u.User != nil || strings.Contains(text, `\`) {
			return "", false
		}
	}
	return ASCII(u.String()), true
}

// ASCII escapes what url.URL leaves unescaped in a query: spaces and bytes outside ASCII.
func ASCII(text string) string {
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
