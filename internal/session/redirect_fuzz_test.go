package session_test

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// FuzzRedirectURL puts one text into every URL of a session, with and without the merchant's option to accept only
// https. All fields get the same verdict. An accepted URL is http or https, has up to 1024 characters, no user
// information and no byte that a browser or a header would drop; net/url, a browser and curl read the same host and
// port in it.
func FuzzRedirectURL(f *testing.F) {
	kit := gatewaytest.New(f)
	const strictKey = "a-key-of-a-strict-merchant"
	require.NoError(f, kit.SaveMerchant(f.Context(),
		store.Merchant{ID: "m-strict", Name: "Strict", Key: strictKey, HTTPSOnly: true,
			Password: store.NewSecret("the-strict-password-0003"), NotificationURL: gatewaytest.CallbackURL}))
	require.NoError(f, kit.SaveMID(f.Context(),
		store.MID{ID: "strict", MerchantID: "m-strict", Name: "Strict", Connector: "vcard"}))
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || text == "" {
			t.Skip() // refused by every protocol; an empty text is an absent field
		}
		plain, secure := verdicts(t, kit, gatewaytest.MerchantKey, text), verdicts(t, kit, strictKey, text)
		require.Equal(t, plain && strings.EqualFold(text[:min(len(text), 6)], "https:"), secure, "%q", text)
		if !plain {
			require.False(t, ordinary.MatchString(text) && len(text) <= 1024, "an ordinary URL is refused: %q", text)
			return
		}
		require.LessOrEqual(t, utf8.RuneCountInString(text), 1024)
		require.False(t, strings.ContainsFunc(text, func(r rune) bool {
			return r <= ' ' || r == 0x7f || r == '\\' || r == 0x202e
		}), "%q", text)
		u, err := url.Parse(text)
		require.NoError(t, err)
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		host, port, ok := browserHost(text)
		require.True(t, ok, "%q", text)
		require.False(t, strings.ContainsAny(host, "<>\"]*;,"), "%q", text)
		require.Equal(t, strings.ToLower(u.Hostname()), host, "%q", text)
		require.Equal(t, u.Port(), port)
		host, port = curlHost(text)
		require.Equal(t, strings.ToLower(u.Hostname()), host, "%q", text)
		require.Equal(t, u.Port(), port)
	})
}

// ordinary matches usual URLs of shops.
var ordinary = regexp.MustCompile(`\Ahttps?://[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*` +
	`(?::[1-9][0-9]{0,3})?(?:/[A-Za-z0-9._~/-]*)?(?:\?[A-Za-z0-9._~&=-]*)?\z`)

// verdicts sends a text in every URL of a request that is invalid elsewhere, so that nothing is stored.
func verdicts(t *testing.T, kit *gatewaytest.Kit, key, text string) bool {
	t.Helper()
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"nobody"}
	r.SuccessURL, r.CancelURL, r.ExpiryURL, r.ErrorURL, r.ReturnURL = text, text, text, text, text
	_, err := kit.Merchant(key).CreateSession(t.Context(), r)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	refused := 0
	for _, fault := range gateway.AsError(err).Faults() {
		if strings.HasSuffix(fault.Path, "_url") {
			require.Equal(t, "This value is not a valid URL.", fault.Text)
			refused++
		}
	}
	require.Contains(t, []int{0, 5}, refused, "the fields differ about %q", text)
	return refused == 0
}

// browserHost reads a URL by the WHATWG standard, for ASCII hosts.
func browserHost(text string) (host, port string, ok bool) {
	text = strings.Trim(strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(text), "\x00 ")
	scheme, rest, ok := strings.Cut(text, ":")
	if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" {
		return "", "", false
	}
	rest = strings.TrimLeft(rest, `/\`) // special schemes accept any number of either
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	host, port = rest, ""
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		host, port = rest[:i], rest[i+1:]
	}
	if strings.HasPrefix(host, "[") {
		inner := strings.TrimSuffix(host[1:], "]")
		address, err := netip.ParseAddr(inner)
		return strings.ToLower(inner), port, err == nil && address.Is6()
	}
	if plain, err := url.PathUnescape(host); err == nil {
		host = plain
	}
	if number, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || number == 0) {
		return "", "", false
	}
	return strings.ToLower(host), port, host != ""
}

// curlHost reads a URL by RFC 3986: the authority ends at / ? or #, and user information at the first @.
func curlHost(text string) (host, port string) {
	_, rest, _ := strings.Cut(text, "://")
	if i := strings.IndexAny(rest, `/?#`); i >= 0 {
		rest = rest[:i]
	}
	if _, after, found := strings.Cut(rest, "@"); found {
		rest = after
	}
	host = rest
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		host, port = rest[:i], rest[i+1:]
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	return strings.ToLower(host), port
}
