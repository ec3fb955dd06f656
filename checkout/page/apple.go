package page

import (
	"crypto/x509"

	"github.com/tollgatepay/gateway/checkout/page/internal/applepay"
)

// Apple says how the page asks wallet A for merchant sessions. The zero value asks the wallet's own hosts
// only, and trusts the roots of the system.
type Apple struct {
	// Domain is the host that is registered at the wallet, like "pay.example.com": that of Config.PublicURL.
	// Default: the host that the browser asked for, which is right unless a proxy changes it.
	Domain string
	// DomainFile is what /.well-known/apple-developer-merchantid-domain-association answers, by which the wallet
	// finds that the domain is the host's. Without it the path is not served here. The file lies at the root of
	// the domain, so a handler that is mounted under a prefix cannot serve it.
	DomainFile []byte
	// Hosts replace the wallet's own, each as it stands in an address: "127.0.0.1:8443". For tests.
	Hosts []string
	// Roots vouch for those hosts. Default: the roots of the system.
	Roots *x509.CertPool
}

// domainPath is where the wallet looks for Apple.DomainFile.
const domainPath = "/.well-known/apple-developer-merchantid-domain-association"

// client asks Apple Pay as the host said.
func (a Apple) client() applepay.Client {
	return applepay.Client{Domain: a.Domain, Hosts: a.Hosts, Roots: a.Roots}
}
