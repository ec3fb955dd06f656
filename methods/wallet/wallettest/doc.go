// Package wallettest plays the two wallets for tests: it makes roots, certificates, keys and tokens of its own. A
// test can change every part of them, to see what a gateway does with good and bad tokens. The package was written
// from the formats, not from the reader that it tests. Nothing here is for production.
//
//	issuer := wallettest.NewApple(t, now)
//	opener, err := wallet.NewApple(issuer.Config(t))
//	token := wallettest.MintApple(t, issuer, func(m *wallettest.AppleToken) { m.Amount = 1999 })
package wallettest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"testing"

	"github.com/tollgatepay/gateway/store"
)

// PAN is the card of every token, unless the test changes it: a well-known test number.
const PAN = "4111111111111111"

// Cryptogram is the cryptogram of every token that has one, base64 of twenty bytes.
const Cryptogram = "AgAAAAAABk4DWZ4C28yUQAAAAAA="

// NewKey makes a private key on the curve, by default P-256.
func NewKey(t testing.TB, curve ...elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(append(curve, elliptic.P256())[0], rand.Reader)
	must(t, err)
	return key
}

// KeyPEM returns the key in the form that an operator has: PEM of PKCS#8.
func KeyPEM(t testing.TB, key *ecdsa.PrivateKey) store.Secret {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return store.NewSecret(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
}

// PublicDER returns the SubjectPublicKeyInfo of a public key.
func PublicDER(t testing.TB, public any) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(public)
	must(t, err)
	return der
}

func secretsOf(t testing.TB, keys []*ecdsa.PrivateKey) (secrets []store.Secret) {
	for _, key := range keys {
		secrets = append(secrets, KeyPEM(t, key))
	}
	return secrets
}

// JSON returns the value as JSON.
func JSON(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	must(t, err)
	return data
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("wallettest: %v", err)
	}
}
