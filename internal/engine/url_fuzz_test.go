package engine_test

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/idna"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// ours are the parameters of a return link.
var ours = []string{"payment_id", "trans_id", "order_id", "hash"}

// FuzzReturnURL pays a session with an arbitrary success_url. If it is accepted, a browser and we read the
// same host in it, and the payer's redirect keeps the URL's own query and has our parameters once.
func FuzzReturnURL(f *testing.F) {
	for _, seed := range []string{
		"https://shop.example/ok?cart=1", "http://shop.example", "https://shop.example/?payment_id=1&hash=2&a=b&a=c#frag",
		"HTTPS://SHOP.EXAMPLE:8443/%41?q",
		"http://[2001:db8::1]:80/?&&=&a", "https://shop.example/ответ?q=да", "javascript:alert(1)", "//evil.example",
		`/\evil.example`, "https:opaque", "https:///x",
		"https://ok.example\r\nSet-Cookie: a=b", "https://ok.example@evil.example/", `https://ok.example\@evil.example/`,
		"https://x:0/", "https://x:99999/", "http://[::1%25eth0]/",
		"http://①②⑦.0.0.1/", "https://x/?%70ayment_id=1", "https://x/?payment%5fid=1;hash=3", "https://x/%zz",
		"https://x/?%zz=1", "https://x?a#b?c", "https://x/?a=%00", "https://x/a//../b?#",
	} {
		f.Add(seed, "ORD-1")
	}
	f.Add("https://x/?a=b", "a&hash=c\r\nX: y#\x00")
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, text, order string) {
		if !utf8.ValidString(text) || !utf8.ValidString(order) {
			t.Skip() // refused at the start
		}
		r := gatewaytest.Request(order, "10.00")
		r.SuccessURL = text
		kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow + time.Second))
		session, err := kit.Shop().CreateSession(t.Context(), r)
		if err != nil {
			require.Less(t, gateway.AsError(err).Status(), 500)
			return
		}
		requireHost(t, text)
		next := kit.Pay(t, strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL+"/auth/"), gatewaytest.Settles)
		require.Equal(t, gateway.ActionReturn, next.Kind)
		requireReturn(t, text, next.URL, order)
	})
}

// requireHost reads a URL as browsers do: they cut the authority off at the first slash, backslash, question
// mark or hash, ignore tabs and line ends, and take what stands before the last @ for the user.
func requireHost(t *testing.T, text string) {
	t.Helper()
	u, err := url.Parse(text)
	require.NoError(t, err)
	require.Contains(t, []string{"http", "https"}, u.Scheme)
	require.False(t, strings.ContainsAny(text, "\t\r\n\x00 \\"), "%q", text)
	_, rest, ok := strings.Cut(text, "://")
	require.True(t, ok, "%q", text)
	authority := rest
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		authority = rest[:i]
	}
	require.NotContains(t, authority, "@")
	require.NotEmpty(t, u.Hostname())
	require.Equal(t, u.Host, authority)
}

// sentHost returns the host as it is sent: as it was, or as A-labels if it has other letters, as browsers ask for it.
func sentHost(u *url.URL) string {
	if !strings.ContainsFunc(u.Host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return u.Host
	}
	name, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil || u.Port() == "" {
		return name
	}
	return net.JoinHostPort(name, u.Port())
}

func requireReturn(t *testing.T, text, sent, order string) {
	t.Helper()
	require.False(t, strings.ContainsFunc(sent, func(r rune) bool { return r < ' ' || r == 0x7f }), "one line: %q", sent)
	before, err := url.Parse(text)
	require.NoError(t, err)
	after, err := url.Parse(sent)
	require.NoError(t, err)
	require.Equal(t, sentHost(before), after.Host)
	require.Equal(t, before.Path, after.Path)
	require.Equal(t, before.Fragment, after.Fragment)
	values := map[string][]string{}
	var own []string // pairs of the merchant, in their order
	for pair := range strings.SplitSeq(after.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if !isOurs(name) {
			own = append(own, pair)
			continue
		}
		plain, err := url.QueryUnescape(value)
		require.NoError(t, err)
		values[name] = append(values[name], plain)
	}
	for _, name := range ours {
		require.Len(t, values[name], 1, "%s in %q", name, sent)
		require.NotEmpty(t, values[name][0])
	}
	require.Equal(t, order, values["order_id"][0])
	require.Equal(t, ownPairs(before.RawQuery), own)
}

func isOurs(name string) bool {
	for _, one := range ours {
		if one == name {
			return true
		}
	}
	return false
}

// ownPairs returns the non-empty pairs of a query that are not ours.
func ownPairs(query string) (own []string) {
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if pair != "" && !isOurs(name) {
			own = append(own, pair)
		}
	}
	return own
}
