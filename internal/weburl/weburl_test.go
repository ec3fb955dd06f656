package weburl_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/weburl"
)

func TestValid(t *testing.T) {
	t.Parallel()
	const longest = 64
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"plain":              {"https://shop.example/done?a=b#c", true},
		"http and port":      {"http://shop.example:8080/", true},
		"number":             {"http://127.0.0.1/", true},
		"number of six":      {"http://[::1]:8080/", true},
		"underscore":         {"https://a_b.example/", true},
		"punycode":           {"https://xn--mnchen-3ya.example/", true},
		"as long as allowed": {"https://a/" + strings.Repeat("é", longest-10), true},
		"longer":             {"https://a/" + strings.Repeat("é", longest-9), false},
		"empty":              {"", false},
		"relative":           {"//evil.example", false},
		"script":             {"javascript:alert(1)", false},
		"another scheme":     {"ftp://x", false},
		"opaque":             {"https:opaque", false},
		"no host":            {"https:///x", false},
		"user":               {"https://ok.example@evil.example/", false},
		"backslash":          {`https://ok.example\@evil.example/`, false},
		"line break":         {"https://ok.example\r\nSet-Cookie: a=b", false},
		"space":              {"https://ok.example/ x", false},
		"direction":          {"https://ok.example/\u202e", false},
		"broken text":        {"https://ok.example/\xff", false},
		"letters of others":  {"http://①②⑦.0.0.1/", false},
		"zone":               {"http://[::1%25eth0]/", false},
		"port too high":      {"https://a:99999/", false},
		"port nought":        {"https://a:0/", false},
		"no port":            {"https://a:/", false},
		"brackets after":     {"http://aX]]]", false},
		"letters":            {"https://münchen.example:8443/a?b=ü", true},
		"other script":       {"https://例え.テスト/", true},
		"right to left":      {"https://مثال.إختبار/", true},
		"escaped letters":    {"https://m%C3%BCnchen.example/", true},
		"wide number":        {"http://１２７.０.０.１/", false},
		"wide last label":    {"http://a.１/", false},
		"mixed direction":    {"https://aم.example/", false},
		"joined to nothing":  {"https://a\u00adb.example/", false},
		"label too long":     {"https://" + strings.Repeat("ü", 60) + ".e/", false},
		"angle":              {"https://a<b>/", false},
		"quote":              {`https://a"b/`, false},
		"semicolon":          {"https://a;b/", false},
		"star":               {"https://*.x/", false},
		"comma":              {"https://a,b/", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.ok, weburl.Valid(c.text, longest), c.text)
		})
	}
}

// A plain URL is not parsed. With an empty fragment it is, and stays as good as it was.
func TestPlainAsParsed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"a", "Shop", "example", ".", "-", "_", "9", "/", "?", "a=b", "&", "+", ",", ";", ":", "@", "!",
		"~", "$", "'",
		"(", ")", "*", "..", "//", "%41", "%zz", "%", "\\", " ", "[", "]", "é", "\x7f", "\"", "<", "|", "^", "`", "{", ":80", ":0"}
	valid, refused := 0, 0
	for range 50_000 {
		text := []string{"https://", "http://", "https://a", "https://a.b/", "HTTPS://a/", "https:/", "ftp://a"}[r.IntN(7)]
		for range r.IntN(6) {
			most := len(pieces)
			if r.IntN(4) > 0 {
				most = 23
			}
			text += pieces[r.IntN(most)]
		}
		want := weburl.Valid(text+"#", weburl.Max)
		require.Equal(t, want, weburl.Valid(text, weburl.Max), "%q", text)
		if want {
			valid++
		} else {
			refused++
		}
	}
	require.Greater(t, valid, 1000)
	require.Greater(t, refused, 1000)
}

// What is sent to a browser, called and compared has A-labels; anything else stays as received.
func TestASCII(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://münchen.example:8443/a?b=c#d": "https://xn--mnchen-3ya.example:8443/a?b=c#d",
		"https://MÜNCHEN.example/A":            "https://xn--mnchen-3ya.example/A",
		"https://例え。テスト/":                      "https://xn--r8jz45g.xn--zckzah/",
		"https://straße.example/":              "https://xn--strae-oqa.example/",
		"https://Shop.example/%7ea":            "https://Shop.example/%7ea",
		"":                                     "",
		"::":                                   "::",
	} {
		require.Equal(t, want, weburl.ASCII(text))
	}
}
