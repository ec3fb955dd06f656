package s2s_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
)

// FuzzURL writes a text into the URLs of a sale and of a session request: both protocols accept the same texts.
// callback_url is shorter.
func FuzzURL(f *testing.F) {
	for _, text := range []string{
		"https://shop.example/ok?cart=1", "http://[2001:db8::1]:80/", "javascript:alert(1)", "//evil.example",
		`/\evil.example`, "https:opaque", "https:///x", "https://ok.example\r\nX: y",
		"https://a@evil.example/", `https://ok\@evil.example/`, "http://x:0/", "http://x:99999/", "http://x:/",
		"http://[::1%25eth0]/", "http://①②⑦.0.0.1/", "https://x/%zz", "https://x/ a",
		"https://x/\u202e", "https://x.example/" + strings.Repeat("a", 237), "https://x.example/" + strings.Repeat("a", 238),
		"https://x.example/" + strings.Repeat("a", 1006), "https://x.example/" + strings.Repeat("a", 1007),
		"https://x.example/" + strings.Repeat("é", 1006), "HTTPS://X/", "https://x.example\u3002evil.example/",
	} {
		f.Add(text)
	}
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") || text == "" || len(text) > 8000 {
			t.Skip() // refused before fields are checked; an empty text is an absent field
		}
		r := gatewaytest.Request("ORD-1", "10.00")
		r.SuccessURL, r.Methods = text, []string{"nobody"} // so that nothing is ever stored
		_, err := kit.Shop().CreateSession(t.Context(), r)
		want := true
		for _, fault := range gateway.AsError(err).Faults() {
			want = want && fault.Path != "success_url"
		}
		form := sale("").with("order_id", "", "term_url_3ds", text, "callback_url", text)
		got := s2s.Do(t.Context(), kit.Gateway,
			s2s.Request{Path: "/post", ContentType: "application/x-www-form-urlencoded", Body: []byte(form.encode())})
		require.Equal(t, 400, got.Status, "%s", got.Body)
		var refused struct {
			Errors []struct {
				Text string `json:"error_message"`
			} `json:"errors"`
		}
		require.NoError(t, json.Unmarshal(got.Body, &refused))
		faults := map[string]bool{}
		for _, fault := range refused.Errors {
			name, _, _ := strings.Cut(fault.Text, ": ")
			faults[name] = true
		}
		require.True(t, faults["order_id"])
		require.Equal(t, want, !faults["term_url_3ds"], "%q", text)
		require.Equal(t, want && utf8.RuneCountInString(text) <= 255, !faults["callback_url"], "%q", text)
	})
}
