// Package applepay owns how Apple Pay is asked for a merchant session: which hosts may be asked, and with what.
package applepay

import (
	"crypto/x509"
	"net/url"
	"regexp"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Client asks the wallet. The zero value asks the wallet's own hosts only, and trusts the roots of the system.
type Client struct {
	Domain string         // the host that is registered at the wallet; empty for the one that the browser asked for
	Hosts  []string       // replace those of the wallet
	Roots  *x509.CertPool // vouch for those hosts; nil for the roots of the system
}

// The hosts that a browser may name (Apple Pay on the Web, "Setting up your server"): the wallet's two
// gateways and those of its regions, and for TEST the gateways of its sandbox as well.
var (
	appleGateway = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway(?:-[a-z]{2}-pod[0-9]{1,2})?(?:-dr)?\.apple\.com\z`)
	appleSandbox = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway-cert\.apple\.com\z`)
)

// GatewayURL checks the address that a browser wants a merchant session from. The browser is in the payer's
// hands: the address it names is asked with the merchant's certificate, so nothing but the wallet's own services
// will do.
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
	return address, address == text // neither query nor fragment, nor anything that is written in two ways
}

func (c *Client) allowed(host string, environment store.WalletEnvironment) bool {
	if len(c.Hosts) > 0 {
		return slices.Contains(c.Hosts, host)
	}
	return appleGateway.MatchString(host) || environment == store.WalletTest && appleSandbox.MatchString(host)
}
