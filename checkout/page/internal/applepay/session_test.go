package applepay

import (
	"crypto/tls"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The wallet is called directly: a proxy from the environment would stand between it and the merchant's
// certificate.
func TestWalletClientHasNoProxy(t *testing.T) {
	t.Parallel()
	transport, ok := (&Client{}).client(tls.Certificate{}).Transport.(*http.Transport)
	require.True(t, ok)
	require.Nil(t, transport.Proxy)
}
