package page

import (
	"crypto/x509"
	"net/url"
	"regexp"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Apple says how the page asks wallet A for merchant sessions. The zero value asks the wallet's own hosts
// only, and believes the roots of the system.
type Apple struct {
	// Domain is the host that is registered at the wallet, like "pay.example.com": that of Config.PublicURL.
	// Default: the host that the browser asked for, which is right unless a proxy changes it.
	Domain string
	// DomainFile is what /.well-known/apple-developer-merchantid-domain-association answers, by which the wallet
	// finds that the domain is the host's. Without it the path is not served here. The file lies at the root of
	// the domain, so a handler that is mounted under a prefix cannot serve it.
	DomainFile []byte
	// Hosts are asked in the stead of the wallet's own, each as it stands in an address: "127.0.0.1:8443".
	// For tests.
	Hosts []string
	// Roots vouch for those hosts. Default: the roots of the system.
	Roots *x509.CertPool
}

// domainFile is where the wallet looks for Apple.DomainFile.
const domainFile = "/.well-known/apple-developer-merchantid-domain-association"

// The hosts that a browser may name (Apple Pay on the Web, "Setting up your server"): the wallet's two
// gateways and those of its regions, and for TEST the gateways of its sandbox as well.
var (
	appleGateway = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway(?:-[a-z]{2}-pod[0-9]{1,2})?(?:-dr)?\.apple\.com\z`)
	appleSandbox = regexp.MustCompile(`\A(?:cn-)?apple-pay-gateway-cert\.apple\.com\z`)
)

// gatewayURL checks the address that a browser wants a merchant session from. The browser is in the payer's
// hands: whatever it names is asked with the merchant's certificate, so nothing but the wallet's own services
// will do.
func (a *Apple) gatewayURL(text string, environment store.WalletEnvironment) (string, bool) {
	if len(text) > 256 {
		return "", false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil || u.Opaque != "" || !a.allowed(u.Host, environment) {
		return "", false
	}
	path := u.EscapedPath()
	if path != "/paymentservices/startSession" && path != "/paymentservices/paymentSession" {
		return "", false
	}
	address := "https://" + u.Host + path
	return address, address == text // neither query nor fragment, nor anything that is written in two ways
}

func (a *Apple) allowed(host string, environment store.WalletEnvironment) bool {
	if len(a.Hosts) > 0 {
		return slices.Contains(a.Hosts, host)
	}
	return appleGateway.MatchString(host) || environment == store.WalletTest && appleSandbox.MatchString(host)
}
