// Package applepay owns how a merchant session is requested from Apple Pay: which hosts may be called, and with
// what.
package applepay

import (
	"crypto/x509"
	"net/url"
	"regexp"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Client calls the wallet. The zero value calls the wallet's own hosts only, and trusts the roots of the system.
type Client struct {
	Domain string         // the host that is registered with the wallet; empty for the one in the browser's request
	Hosts  []string       // replace the wallet's own
	Roots  *x509.CertPool // verify those hosts; nil for the roots of the system
}

// The hosts that a browser may name (Apple Pay on the Web, "Setting up your server"): the wallet's two gateways
// and those of its regions, and for TEST the gateways of its sandbox too.
var (
	appleGateway = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway(?:-[a-z]{2}-pod[0-9]{1,2})?(?:-dr)?\.apple\.com\z`)
	appleSandbox = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway-cert\.apple\.com\z`)
)

// GatewayURL checks the URL from which a browser wants a merchant session. The payer controls the browser, and the
// URL is called with the merchant's certificate. So only the wallet's own services are allowed.
func (c *Client) GatewayURL(text string, environment store.WalletEnvironment) (string, bool) {
	if len(text) > 256 {
		return "", false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" || !c.allowed(u.Host, environment) {
		return "", false
	}
	path := u.EscapedPath()
	if path != "/paymentservices/startSession" && path != "/paymentservices/paymentSession" {
		return "", false
	}
	address := "https://" + u.Host + path
	return address, address == text // no query, no fragment, and only one spelling
}

func (c *Client) allowed(host string, environment store.WalletEnvironment) bool {
	if len(c.Hosts) > 0 {
		return slices.Contains(c.Hosts, host)
	}
	return appleGateway.MatchString(host) || environment == store.WalletTest && appleSandbox.MatchString(host)
}
