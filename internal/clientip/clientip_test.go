package clientip_test

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/clientip"
)

func TestOf(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}
	for _, c := range []struct {
		name, peer string
		header     []string
		want       string
	}{
		{"direct", "203.0.113.7:5000", nil, "203.0.113.7"},
		{"stranger's word", "203.0.113.7:5000", []string{"198.51.100.1"}, "203.0.113.7"},
		{"proxy", "10.0.0.1:5000", []string{"198.51.100.1"}, "198.51.100.1"},
		{"rightmost untrusted", "10.0.0.1:5000", []string{"1.1.1.1, 198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
		{"several headers", "10.0.0.1:5000", []string{"1.1.1.1", "198.51.100.1", "10.9.9.9"}, "198.51.100.1"},
		{"with port", "10.0.0.1:5000", []string{"198.51.100.1:4711"}, "198.51.100.1"},
		{"IPv6", "[2001:db8::1]:5000", []string{"2606:4700::1111"}, "2606:4700::1111"},
		{"mapped", "[::ffff:10.0.0.1]:5000", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"only proxies", "10.0.0.1:5000", []string{"10.2.2.2"}, "10.2.2.2"},
		{"no header", "10.0.0.1:5000", nil, "10.0.0.1"},
		{"rubbish ends the walk", "10.0.0.1:5000", []string{"198.51.100.1, <script>, 10.3.3.3"}, "10.3.3.3"},
		{"no address", "@", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.peer
			r.Header["X-Forwarded-For"] = c.header
			require.Equal(t, c.want, clientip.Of(r, trusted))
		})
	}
}
