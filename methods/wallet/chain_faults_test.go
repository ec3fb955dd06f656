package wallet_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

func leafFaults(t *testing.T) []appleFault {
	now := clock()
	leaf := func(name, cause string, change wallettest.Change) appleFault {
		return appleFault{name: name, cause: cause,
			issuer: func(i *appleIssuer) { i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, nil, change) }}
	}
	keyed := func(name, cause string, key func() any) appleFault {
		return appleFault{name: name, cause: cause, issuer: func(i *appleIssuer) {
			if k, ok := key().(*rsa.PrivateKey); ok {
				i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, k)
			} else {
				i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, key().(*ecdsa.PrivateKey))
			}
		}}
	}
	curve := func(c elliptic.Curve) func() any { return func() any { return wallettest.NewKey(t, c) } }
	return []appleFault{
		leaf("leaf expired", "leaf certificate: expired", func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Second) }),
		leaf("leaf not yet valid", "leaf certificate: not yet valid",
			func(c *x509.Certificate) { c.NotBefore = now.Add(time.Second) }),
		leaf("leaf without a mark", "leaf certificate: lacks the mark of the wallet",
			func(c *x509.Certificate) { c.ExtraExtensions = nil }),
		leaf("leaf with the other mark", "leaf certificate: lacks the mark of the wallet", func(c *x509.Certificate) {
			c.ExtraExtensions = wallettest.Marked(t, wallettest.IntermediateMark)
		}),
		leaf("leaf of an authority", "leaf certificate: must be for signatures", func(c *x509.Certificate) { c.IsCA = true }),
		leaf("leaf of another use", "leaf certificate: must be for signatures",
			func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageKeyAgreement }),
		keyed("leaf on P-384", "leaf certificate: must have a key on P-256", curve(elliptic.P384())),
		keyed("leaf on P-224", "leaf certificate: must have a key on P-256", curve(elliptic.P224())),
		keyed("leaf on P-521", "leaf certificate: must have a key on P-256", curve(elliptic.P521())),
		keyed("leaf of RSA", "leaf certificate: must have an EC key", func() any {
			k, err := rsa.GenerateKey(rand.Reader, 2048)
			require.NoError(t, err)
			return k
		}),
	}
}

func chainFaults(t *testing.T) []appleFault {
	now := clock()
	between := func(name, cause string, change wallettest.Change) appleFault {
		return appleFault{name: name, cause: cause, issuer: func(i *appleIssuer) {
			i.Intermediate = wallettest.NewIntermediate(t, now, i.Root, change)
			i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, nil)
		}}
	}
	expiredRoot := wallettest.NewApple(t, now)
	expiredRoot.Root = wallettest.NewRoot(t, now, func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Second) })
	expiredRoot.Intermediate = wallettest.NewIntermediate(t, now, expiredRoot.Root)
	expiredRoot.Leaf = wallettest.NewLeaf(t, now, expiredRoot.Intermediate, nil)
	const noRoot = "intermediate certificate: does not lead to a trusted root"
	return []appleFault{
		between("intermediate expired", "intermediate certificate: expired",
			func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Second) }),
		between("intermediate not yet valid", "intermediate certificate: not yet valid",
			func(c *x509.Certificate) { c.NotBefore = now.Add(time.Second) }),
		between("intermediate without a mark", "intermediate certificate: lacks the mark of the wallet",
			func(c *x509.Certificate) { c.ExtraExtensions = nil }),
		between("intermediate no authority", "intermediate certificate: must be of an authority",
			func(c *x509.Certificate) { c.IsCA = false }),
		between("intermediate without a word on it", "intermediate certificate: must be of an authority",
			func(c *x509.Certificate) {
				c.IsCA, c.BasicConstraintsValid = false, false
			}),
		between("intermediate of another use", "intermediate certificate: must be of an authority",
			func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageDigitalSignature }),
		{name: "other root", cause: noRoot, issuer: func(i *appleIssuer) { *i = withKeys(wallettest.NewApple(t, now), i) }},
		{name: "other root of the same name", cause: noRoot, config: func(c *wallet.AppleConfig) { c.Roots = []string{wallettest.NewRoot(t, now).PEM()} }},
		{name: "root expired", cause: noRoot, issuer: func(i *appleIssuer) { *i = *expiredRoot }, config: func(c *wallet.AppleConfig) {
			*c = expiredRoot.Config(t)
		}},
		{name: "leaf signed by another", cause: "leaf certificate: not signed by the intermediate", issuer: func(i *appleIssuer) {
			i.Leaf = wallettest.NewLeaf(t, now, wallettest.NewIntermediate(t, now, i.Root), nil)
		}},
		{name: "leaf signed by the root", cause: "leaf certificate: not signed by the intermediate", issuer: func(i *appleIssuer) {
			i.Leaf = wallettest.NewLeaf(t, now, i.Root, nil)
		}},
		{name: "intermediate signed by itself", cause: noRoot, issuer: func(i *appleIssuer) {
			i.Intermediate = wallettest.NewRoot(t, now, func(c *x509.Certificate) {
				c.ExtraExtensions = wallettest.Marked(t, wallettest.IntermediateMark)
			})
			i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, nil)
		}},
		{name: "intermediate under an intermediate", cause: noRoot, issuer: func(i *appleIssuer) {
			i.Intermediate = wallettest.NewIntermediate(t, now, i.Intermediate)
			i.Leaf = wallettest.NewLeaf(t, now, i.Intermediate, nil)
		}},
	}
}

// withKeys returns another wallet for the same merchant.
func withKeys(other, i *appleIssuer) appleIssuer {
	other.Keys = i.Keys
	return *other
}
