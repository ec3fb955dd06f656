package clientip_test

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/clientip"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	ten := netip.MustParsePrefix("10.0.0.0/8")
	for _, c := range []struct{ prefix, fault string }{
		{"10.0.0.0/8", ""}, {"192.0.2.7/32", ""}, {"2001:db8::/32", ""}, {"::1/128", ""}, {"128.0.0.0/1", ""},
		{"", "an empty prefix"},
		{"::ffff:10.0.0.0/104", "write 10.0.0.0/8"}, {"::ffff:10.0.0.7/128", "write 10.0.0.7/32"},
		{"::ffff:10.0.0.7/104", "write 10.0.0.0/8"}, {"::ffff:0.0.0.0/96", "list the networks"},
		{"::ffff:0.0.0.0/90", "a.b.c.d/n"},
		{"0.0.0.0/0", "list the networks"}, {"::/0", "list the networks"}, {"10.0.0.1/0", "list the networks"},
		{"10.0.0.7/8", "write that, or 10.0.0.7/32"}, {"2001:db8::1/32", "write that, or 2001:db8::1/128"},
	} {
		t.Run(c.prefix, func(t *testing.T) {
			t.Parallel()
			prefix, _ := netip.ParsePrefix(c.prefix)
			err := clientip.Check([]netip.Prefix{ten, ten, prefix})
			if c.fault == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "TrustedProxies: ")
			require.ErrorContains(t, err, c.fault)
		})
	}
	require.NoError(t, clientip.Check(nil))
	require.ErrorContains(t, clientip.Check([]netip.Prefix{{}, netip.MustParsePrefix("::/0")}), "\n", "every fault")
}

// What Check takes matches its own address, whichever way the peer is written.
func TestCheckedPrefixesMatch(t *testing.T) {
	t.Parallel()
	for prefix, peer := range map[string]string{
		"10.0.0.0/8": "10.0.0.0:1", "192.0.2.7/32": "[::ffff:192.0.2.7]:1", "2001:db8::/32": "[2001:db8::]:1",
		"::1/128": "[::1]:1",
	} {
		trusted := []netip.Prefix{netip.MustParsePrefix(prefix)}
		require.NoError(t, clientip.Check(trusted))
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		r.Header.Set("X-Forwarded-For", "198.51.100.1")
		require.Equal(t, "198.51.100.1", clientip.Of(r, trusted), prefix)
	}
}
