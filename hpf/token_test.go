package hpf_test

import (
	"encoding/base64"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
)

// A token has 256 random bits, and no two are equal.
func TestToken(t *testing.T) {
	t.Parallel()
	s := open(t)
	one, two := s.token(t), s.token(t, set("order.number", "ORD-2"))
	first, err := base64.RawURLEncoding.DecodeString(one)
	require.NoError(t, err)
	second, err := base64.RawURLEncoding.DecodeString(two)
	require.NoError(t, err)
	require.Greater(t, len(first), 32)
	require.NotEqual(t, first[:32], second[:32])
}

// The token request is authenticated like a session request (decision k).
func TestTokenHash(t *testing.T) {
	t.Parallel()
	s := open(t)
	before := s.records(t)
	requireFaults(t, s.send(t, http.MethodPost, pathToken, purchase(set("hash", "00")).text()), "hash: Hash is not valid.")
	requireFaults(t, s.send(t, http.MethodPost, pathToken, purchase(set("merchant_key", "nobody")).text()),
		"merchant_key: This value is not valid.")
	require.Equal(t, before, s.records(t))
}

// A token that is missing, invalid, expired or of another merchant: 403 and a page on every path with a token,
// whatever the body.
func TestTokenIsNeeded(t *testing.T) {
	t.Parallel()
	s := open(t)
	good := s.collected(t, gatewaytest.Settles)
	checkoutLink := s.Session(t, "ORD-2", "10.00")
	old := s.collected(t, gatewaytest.Settles, set("order.number", "ORD-3"), set("session_expiry", 1))
	s.Advance(t, time.Minute)
	wrong := []byte(good)
	wrong[0] ^= 1
	for name, headers := range map[string][]string{
		"missing": nil, "empty": {"Token: "}, "no base64": {"Token: ???"}, "another secret": {"Token: " + string(wrong)},
		"a Checkout session's": {"Token: " + checkoutLink}, "expired": {"Token: " + old}, "space": {"Token: " + good + " x"},
		"bearer": {"Authorization: Bearer " + good}, "cut": {"Token: " + good[:len(good)-2]},
	} {
		for _, path := range []string{pathUpdate, pathPurchase, pathDebit} {
			for _, body := range []string{payment().text(), `{"order_amount":"1.00"}`, "", "]"} {
				t.Run(name, func(t *testing.T) {
					requireForbidden(t, s.send(t, methodOf(path), path, body, headers...))
				})
			}
		}
	}
	require.Empty(t, s.Charges(t))
	require.Equal(t, "success", s.pay(t, good).Result)
}

// Two tokens count as none.
func TestTokenTwice(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	header := map[string][]string{"Content-Type": {"application/json"}, "Token": {token, token}}
	got := hpf.Do(t.Context(), s.Gateway,
		hpf.Request{Method: "POST", Path: pathPurchase, Header: header, Body: []byte(payment().text())})
	require.Equal(t, 403, got.Status)
}

// Decisions ah and bk: a request that looks like a browser's is refused, whatever its token or signature;
// Sec-Fetch-Mode alone is allowed.
func TestBrowsersAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	before := s.records(t)
	for _, header := range []string{
		"Origin: https://shop.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-origin",
		"Sec-Fetch-Dest: empty",
		"Cookie: a=b", "Access-Control-Request-Method: PUT",
	} {
		for _, path := range []string{pathUpdate, pathPurchase, pathDebit} {
			requireForbidden(t, s.under(t, token, path, payment(set("order_amount", "0.01")), header))
		}
		requireForbidden(t, s.send(t, http.MethodPost, pathToken, purchase(set("order.number", "ORD-9")).text(), header))
	}
	for _, path := range []string{pathToken, pathUpdate, pathPurchase, pathDebit} {
		got := s.send(t, http.MethodOptions, path, "", "Origin: https://shop.example", "Access-Control-Request-Method: POST",
			"Access-Control-Request-Headers: token")
		requireForbidden(t, got)
		require.Empty(t, got.header.Get("Allow"))
	}
	require.Equal(t, before, s.records(t))
	got := s.under(t, token, pathPurchase, payment(), "Sec-Fetch-Mode: cors", "User-Agent: Mozilla/5.0",
		"Accept-Language: en")
	require.Equal(t, 200, got.status, got.body)
	got = s.send(t, http.MethodPost, pathToken, purchase(set("order.number", "ORD-9")).text(), "Sec-Fetch-Mode: cors",
		"User-Agent: node")
	require.Equal(t, 200, got.status, got.body)
}

// Other methods and paths are refused.
func TestPaths(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.token(t)
	for _, c := range [][2]string{
		{http.MethodPost, pathUpdate}, {http.MethodPut, pathToken}, {http.MethodGet, pathPurchase}, {http.MethodPut, pathDebit},
		{http.MethodPost, "/api/v1/processing/credit/card"}, {http.MethodPost, "/api/v1/session"}, {http.MethodPost, pathToken + "/"},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c[0], s.server.URL+c[1], nil)
		require.NoError(t, err)
		r.Header.Set("Token", token)
		response, err := s.server.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, 404, response.StatusCode, c)
		require.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"), c)
	}
	require.Equal(t, 404, hpf.Do(t.Context(), s.Gateway, hpf.Request{Method: "POST", Path: "/"}).Status)
}

// customer.ip, otherwise the caller's address, through trusted proxies: in the callback.
func TestCustomerIP(t *testing.T) {
	t.Parallel()
	local := netip.MustParsePrefix("127.0.0.0/8")
	for _, c := range []struct {
		name    string
		trusted []netip.Prefix
		ip      string
		want    string
	}{
		{"the request's", []netip.Prefix{local}, "198.51.100.9", "198.51.100.9"},
		{"the caller's", nil, "", "127.0.0.1"},
		{"the caller's, through a proxy", []netip.Prefix{local}, "", "203.0.113.5"},
		{"IPv6", nil, "2001:db8::1", "2001:db8::1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openBehind(t, hpf.Options{TrustedProxies: c.trusted})
			body := purchase()
			if c.ip != "" {
				set("customer.ip", c.ip)(body)
			}
			got := s.send(t, http.MethodPost, pathToken, body.text(), "X-Forwarded-For: 192.0.2.66, 203.0.113.5")
			require.Equal(t, 200, got.status, got.body)
			token := tokenIn(t, got)
			s.collect(t, token, gatewaytest.Settles)
			got = s.under(t, token, pathPurchase, payment(), "X-Forwarded-For: 192.0.2.77")
			require.Equal(t, 200, got.status, got.body)
			s.Work(t)
			require.Equal(t, c.want, s.Inbox.Fields(t)[0].Get("customer_ip"))
			require.Equal(t, c.want, s.Payment(t, "ORD-1").Payer.IP)
		})
	}
}
