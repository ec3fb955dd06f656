package applepay

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestGatewayURL(t *testing.T) {
	t.Parallel()
	const start = "/paymentservices/startSession"
	for _, c := range []struct {
		name, address    string
		production, test bool
	}{
		{"the gateway", "https://apple-pay-gateway.apple.com" + start, true, true},
		{"the other path", "https://apple-pay-gateway.apple.com/paymentservices/paymentSession", true, true},
		{"China", "https://cn-apple-pay-gateway.apple.com" + start, true, true},
		{"a region", "https://apple-pay-gateway-nc-pod1.apple.com" + start, true, true},
		{"its standby", "https://apple-pay-gateway-pr-pod5-dr.apple.com" + start, true, true},
		{"a region of China", "https://cn-apple-pay-gateway-sh-pod12.apple.com" + start, true, true},
		{"sandbox", "https://apple-pay-gateway-cert.apple.com" + start, false, true},
		{"sandbox of China", "https://cn-apple-pay-gateway-cert.apple.com" + start, false, true},
		{"plain HTTP", "http://apple-pay-gateway.apple.com" + start, false, false},
		{"another host", "https://apple.com" + start, false, false},
		{"a host below", "https://x.apple-pay-gateway.apple.com" + start, false, false},
		{"a host that begins so", "https://apple-pay-gateway.apple.com.evil.example" + start, false, false},
		{"a host that ends so", "https://evil-apple-pay-gateway.apple.com" + start, false, false},
		{"dots are dots", "https://apple-pay-gatewayxapple.com" + start, false, false},
		{"a dot at the end", "https://apple-pay-gateway.apple.com." + start, false, false},
		{"capitals", "https://Apple-Pay-Gateway.apple.com" + start, false, false},
		{"a name in the address", "https://apple-pay-gateway.apple.com@evil.example" + start, false, false},
		{"credentials", "https://u:p@apple-pay-gateway.apple.com" + start, false, false},
		{"a port", "https://apple-pay-gateway.apple.com:8443" + start, false, false},
		{"the usual port", "https://apple-pay-gateway.apple.com:443" + start, false, false},
		{"a query", "https://apple-pay-gateway.apple.com" + start + "?a=1", false, false},
		{"an empty query", "https://apple-pay-gateway.apple.com" + start + "?", false, false},
		{"a fragment", "https://apple-pay-gateway.apple.com" + start + "#a", false, false},
		{"an empty fragment", "https://apple-pay-gateway.apple.com" + start + "#", false, false},
		{"another path", "https://apple-pay-gateway.apple.com/paymentservices/registerMerchant", false, false},
		{"more path", "https://apple-pay-gateway.apple.com" + start + "/", false, false},
		{"a path that is written otherwise", "https://apple-pay-gateway.apple.com/paymentservices/start%53ession", false, false},
		{"a path that goes up", "https://apple-pay-gateway.apple.com/x/.." + start, false, false},
		{"no path", "https://apple-pay-gateway.apple.com", false, false},
		{"a space", " https://apple-pay-gateway.apple.com" + start, false, false},
		{"a line", "https://apple-pay-gateway.apple.com" + start + "\n", false, false},
		{"a backslash", `https://evil.example\@apple-pay-gateway.apple.com` + start, false, false},
		{"long", "https://apple-pay-gateway.apple.com/" + strings.Repeat("a", 300), false, false},
		{"nothing", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for environment, want := range map[store.WalletEnvironment]bool{
				store.WalletProduction: c.production, "": c.production, store.WalletTest: c.test,
			} {
				address, ok := (&Client{}).GatewayURL(c.address, environment)
				require.Equal(t, want, ok, environment)
				if ok {
					require.Equal(t, c.address, address)
				}
			}
		})
	}
	_, ok := (&Client{Hosts: []string{"127.0.0.1:1"}}).GatewayURL("https://apple-pay-gateway.apple.com"+start,
		store.WalletTest)
	require.False(t, ok, "hosts that are named replace those of the wallet")
}

// Whatever a browser names, only a service of the wallet is called.
func FuzzGatewayURL(f *testing.F) {
	for _, seed := range []string{
		"https://apple-pay-gateway.apple.com/paymentservices/startSession",
		"https://apple-pay-gateway-cert.apple.com/paymentservices/paymentSession",
		"https://a@apple-pay-gateway.apple.com:443/paymentservices/startSession?#", "//apple.com", "https:apple",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		address, ok := (&Client{}).GatewayURL(text, store.WalletTest)
		if !ok {
			return
		}
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme)
		require.True(t, strings.HasSuffix(u.Host, ".apple.com") && strings.Count(u.Host, ".") == 2, u.Host)
		require.Contains(t, []string{"/paymentservices/startSession", "/paymentservices/paymentSession"}, u.Path)
		require.Equal(t, "https://"+u.Host+u.Path, text)
	})
}
