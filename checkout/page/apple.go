package page

import (
	"crypto/x509"

	"github.com/tollgatepay/gateway/checkout/page/internal/applepay"
)

// Apple configures how the page requests merchant sessions from wallet A. The zero value calls the wallet's own
// hosts only, and trusts the roots of the system.
type Apple struct {
	// Domain is the host that is registered with the wallet, like "pay.example.com": the host of Config.PublicURL.
	// Default: the host in the browser's request, which is right unless a proxy changes it.
	Domain string
	// DomainFile is the content of /.well-known/apple-developer-merchantid-domain-association, by which the wallet
	// verifies the domain. Without it the path is not served here. The file is at the root of the domain, so a
	// handler that is mounted under a prefix cannot serve it.
	DomainFile []byte
	// Hosts replace the wallet's own hosts, each as in a URL: "127.0.0.1:8443". For tests.
	Hosts []string
	// Roots verify those hosts. Default: the roots of the system.
	Roots *x509.CertPool
}

// domainPath is the path at which the wallet looks for Apple.DomainFile.
const domainPath = "/.well-known/apple-developer-merchantid-domain-association"

// client makes a client with the host's options.
func (a Apple) client() applepay.Client {
	return applepay.Client{Domain: a.Domain, Hosts: a.Hosts, Roots: a.Roots}
}
