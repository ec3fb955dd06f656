package callback

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRequest makes a delivery with any URL, id and content type. A request goes to an http or https URL without
// user information whose host is the one in the text. What is sent has one line for each of our headers and no
// other header. An error does not repeat the URL.
func FuzzRequest(f *testing.F) {
	for _, target := range []string{
		"https://shop.example/callback?x=1", "http://shop.example:8080", "https://u:p@shop.example/", "http://[::1]:80/",
		"http://x:0/", "http://x:99999/", "ftp://x/",
		"//evil.example", "https:opaque", "https:///x", "https://ok.example\r\nX-Evil: 1/",
		"https://ok.example/\r\nX-Evil: 1", "http://2130706433/", `http://a\@b/`, "https://x/?a=\x00",
		"HTTPS://X/", "https://x/%zz", "https://x/#a", "https://xn--bcher-kva.example/ü?ü",
	} {
		f.Add(target, "cb-1", 1)
	}
	f.Add("https://shop.example/", "a\r\nX-Evil: 1", -1)
	f.Fuzz(func(t *testing.T, target, id string, attempt int) {
		if strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			id = "cb-1" // ids are ours, and the transport sends no header with such a value
		}
		req, err := request(Delivery{ID: id, URL: target, ContentType: ContentType, Body: []byte("a=b&hash=0"),
			Attempt: attempt})
		if err != nil {
			require.EqualError(t, err, "URL not valid")
			return
		}
		u, err := url.Parse(target)
		require.NoError(t, err)
		require.True(t, u.Scheme == "http" || u.Scheme == "https")
		require.Nil(t, u.User)
		require.NotEmpty(t, u.Hostname())
		require.Equal(t, u.Hostname(), req.URL.Hostname())
		require.Equal(t, u.Port(), req.URL.Port())
		var wire bytes.Buffer
		if req.Write(&wire) != nil {
			return // the transport refuses it in the same way
		}
		head, body, ok := strings.Cut(wire.String(), "\r\n\r\n")
		require.True(t, ok)
		require.Equal(t, "a=b&hash=0", body)
		lines := strings.Split(head, "\r\n")
		require.True(t, strings.HasPrefix(lines[0], "POST ") && strings.HasSuffix(lines[0], " HTTP/1.1"), "%q", lines[0])
		seen := map[string]bool{}
		for _, line := range lines[1:] {
			name, value, ok := strings.Cut(line, ": ")
			require.True(t, ok, "%q", line)
			require.Contains(t, []string{"Host", "User-Agent", "Content-Length", "Content-Type", "X-Tollgate-Callback-Id",
				"X-Tollgate-Attempt"}, http.CanonicalHeaderKey(name))
			require.False(t, seen[name], "%s twice", name)
			seen[name] = true
			require.False(t, strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }), "%q", line)
		}
	})
}
