package form

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// measured are the browser attributes that only the page's script knows, each with its required form. They are
// hidden fields of the form with the names of SPEC1.
var measured = []struct {
	name  string
	valid func(string) bool
}{
	{"color_depth", number},
	{"java_enabled", flag},
	{"language", func(s string) bool { return len(s) <= 35 && wordy(s) }},
	{"platform", func(s string) bool { return len(s) <= 64 && printable(s) }},
	{"screen_height", number},
	{"screen_width", number},
	{"timezone_offset", number},
}

// Browser returns what is known of the payer's browser, by the names of SPEC1 without "browser_". Some come from
// the headers; values of the script that are missing or malformed are left out.
func Browser(r *http.Request, form url.Values) map[string]string {
	known := map[string]string{"javascript_enabled": "false"}
	if form.Get("browser_javascript_enabled") == "true" {
		known["javascript_enabled"] = "true"
	}
	for _, attribute := range measured {
		if value := form.Get("browser_" + attribute.name); value != "" && attribute.valid(value) {
			known[attribute.name] = value
		}
	}
	put := func(name, value string) {
		if value != "" && len(value) <= 2048 && printable(value) && known[name] == "" {
			known[name] = value
		}
	}
	put("platform", strings.Trim(r.Header.Get("Sec-CH-UA-Platform"), `"`)) // Chromium, without a script
	put("user_agent", r.UserAgent())
	put("accept_headers", r.Header.Get("Accept"))
	language, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	language, _, _ = strings.Cut(language, ";")
	if language = strings.TrimSpace(language); wordy(language) && len(language) <= 35 {
		put("language", language)
	}
	return known
}

func number(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && len(s) <= 5 && n > -10000
}

func flag(s string) bool { return s == "true" || s == "false" }

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// wordy reports whether a text is a language tag: letters, digits and hyphens.
func wordy(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
