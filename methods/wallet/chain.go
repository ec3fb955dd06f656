package wallet

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"slices"
	"time"
)

// The extensions that mark the wallet's certificates.
const (
	oidLeafMark         = "1.2.840.113635.100.6.29"
	oidIntermediateMark = "1.2.840.113635.100.6.2.14"
)

const maxRoots = 16

func readRoots(texts []string) (*x509.CertPool, error) {
	if len(texts) == 0 {
		return nil, misconfiguredRoots("Roots")
	}
	if len(texts) > maxRoots {
		return nil, misconfigured("Roots", fmt.Sprintf("must be 1 to %d certificates", maxRoots))
	}
	pool := x509.NewCertPool()
	for i, text := range texts {
		root := readRoot(text)
		if root == nil {
			return nil, misconfigured(fmt.Sprintf("Roots[%d]", i), "must be the PEM of one certificate of an authority")
		}
		pool.AddCert(root)
	}
	return pool, nil
}

func readRoot(text string) *x509.Certificate {
	if len(text) > maxPEM {
		return nil
	}
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil
	}
	if more, _ := pem.Decode(rest); more != nil {
		return nil
	}
	root, err := x509.ParseCertificate(block.Bytes)
	if err != nil || !root.IsCA {
		return nil
	}
	return root
}

// verifyChain requires exactly leaf, intermediate and root, all valid at now, and both marks.
func verifyChain(leaf, intermediate *x509.Certificate, roots *x509.CertPool, now time.Time) error {
	if err := verifyOne("leaf certificate", leaf, oidLeafMark, now); err != nil {
		return err
	}
	if err := verifyOne("intermediate certificate", intermediate, oidIntermediateMark, now); err != nil {
		return err
	}
	switch {
	case leaf.IsCA || leaf.KeyUsage != 0 && leaf.KeyUsage&x509.KeyUsageDigitalSignature == 0:
		return because("leaf certificate: must be for signatures")
	case !intermediate.IsCA || intermediate.KeyUsage&x509.KeyUsageCertSign == 0:
		return because("intermediate certificate: must be of an authority")
	}
	between := x509.NewCertPool()
	between.AddCert(intermediate)
	chains, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: now,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err == nil && slices.ContainsFunc(chains, func(c []*x509.Certificate) bool { return len(c) == 3 }) {
		return nil
	}
	if leaf.CheckSignatureFrom(intermediate) != nil {
		return because("leaf certificate: not signed by the intermediate")
	}
	return because("intermediate certificate: does not lead to a trusted root")
}

func verifyOne(name string, c *x509.Certificate, mark string, now time.Time) error {
	switch {
	case !carries(c, mark):
		return because(name + ": lacks the mark of the wallet")
	case now.Before(c.NotBefore):
		return because(name + ": not yet valid")
	case now.After(c.NotAfter):
		return because(name + ": expired")
	case c.PublicKeyAlgorithm != x509.ECDSA:
		return because(name + ": must have an EC key")
	}
	return nil
}

func carries(c *x509.Certificate, mark string) bool {
	return slices.ContainsFunc(c.Extensions, func(e pkix.Extension) bool { return e.Id.String() == mark })
}
