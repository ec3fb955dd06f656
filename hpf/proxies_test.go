package hpf_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
)

// A network of proxies that would match no peer is a mistake of the host, told at start.
func TestMistakenProxies(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for prefix, fault := range map[string]string{"10.0.0.0/8": "", "::ffff:10.0.0.0/104": "hpf: TrustedProxies: " +
		"::ffff:10.0.0.0/104 matches no peer, because addresses are compared as IPv4: write 10.0.0.0/8"} {
		serve := func() {
			hpf.Handler(kit.Gateway, hpf.Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix(prefix)}})
		}
		if fault == "" {
			require.NotPanics(t, serve)
			continue
		}
		require.PanicsWithError(t, fault, serve)
	}
}
