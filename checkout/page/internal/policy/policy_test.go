package policy

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrigin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"host", "https://Shop.example/a?b", "https://shop.example"},
		{"port", "http://shop.example:8080", "http://shop.example:8080"},
		{"a network address", "https://[::1]:444/", "https://[::1]:444"},
		{"a star", "https://*.example", ""},
		{"a directive", "https://a.example; script-src *", ""},
		{"a comma", "https://a,b", ""},
		{"credentials", "https://u@b.example", ""},
		{"outside ASCII", "https://ü.example", ""},
		{"a script", "javascript:1", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := Origin(c.text)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want != "", ok)
		})
	}
}

func TestRedirectTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"absolute", "https://shop.example/ü?a=b c", "https://shop.example/%C3%BC?a=b%20c"},
		{"our own", "../auth/x", "../auth/x"},
		{"no scheme", "//evil.example/", ""},
		{"a script", "javascript:alert(1)", ""},
		{"a backslash", `https://a.example\@evil.example`, ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := RedirectTarget(c.text)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want != "", ok)
		})
	}
}

// A page with a form of its own sends a referrer to itself; only a page that no site may frame has both headers
// against framing.
func TestSet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		policy          Policy
		referrer, frame string
	}{
		{"nothing", Policy{}, "no-referrer", "DENY"},
		{"a form", OwnForms(nil, nil), "same-origin", "DENY"},
		{"framed", OwnForms(nil, []string{"https://shop.example"}), "same-origin", ""},
		{"a form of a bank", Policy{Forms: []string{"https://bank.example"}}, "no-referrer", "DENY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			Secure(h)
			c.policy.Set(h)
			require.Equal(t, c.policy.String(), h.Get("Content-Security-Policy"))
			require.Equal(t, c.referrer, h.Get("Referrer-Policy"))
			require.Equal(t, c.frame, h.Get("X-Frame-Options"))
		})
	}
	require.Contains(t, Policy{Google: true}.String(), "connect-src 'self' https://google.com/pay https://pay.google.com;")
}
