package wallet

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

const (
	maxKeys = 16       // of a configuration: the newest and those that still open older tokens
	maxPEM  = 16 << 10 // bytes of one key
)

// merchantKey is a private key to which tokens are sealed, with the hash of its public key.
type merchantKey struct {
	private *ecdh.PrivateKey
	hash    [sha256.Size]byte // of the SubjectPublicKeyInfo
}

// merchantKeys reads the keys of the named field.
func merchantKeys(field string, secrets []store.Secret) ([]merchantKey, error) {
	if len(secrets) == 0 || len(secrets) > maxKeys {
		return nil, misconfigured(field, fmt.Sprintf("must hold 1 to %d private keys", maxKeys))
	}
	var keys []merchantKey
	for i, secret := range secrets {
		key, ok := readKey(secret.Reveal())
		if !ok {
			return nil, misconfigured(fmt.Sprintf("%s[%d]", field, i), "must be an EC private key on P-256")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// readKey reads PEM of PKCS#8 or SEC 1, or base64 of PKCS#8, which wallet B's own tools write.
func readKey(text string) (merchantKey, bool) {
	if len(text) > maxPEM {
		return merchantKey{}, false
	}
	var private *ecdsa.PrivateKey
	for _, der := range keyBlocks(text) {
		if key, err := x509.ParsePKCS8PrivateKey(der); err == nil {
			private, _ = key.(*ecdsa.PrivateKey)
		} else if key, err := x509.ParseECPrivateKey(der); err == nil {
			private = key
		}
	}
	if private == nil || private.Curve != elliptic.P256() {
		return merchantKey{}, false
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return merchantKey{}, false
	}
	exchange, err := private.ECDH()
	return merchantKey{private: exchange, hash: sha256.Sum256(public)}, err == nil
}

// keyBlocks skips the curve parameters that OpenSSL writes before a key.
func keyBlocks(text string) (blocks [][]byte) {
	rest := []byte(text)
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type == "PRIVATE KEY" || block.Type == "EC PRIVATE KEY" {
			blocks = append(blocks, block.Bytes)
		}
	}
	if len(blocks) == 0 {
		if der, ok := decode64(strings.TrimSpace(text)); ok {
			blocks = append(blocks, der)
		}
	}
	if len(blocks) > 1 { // it is not clear which one is meant
		return nil
	}
	return blocks
}

// p256 reads a SubjectPublicKeyInfo with a key on P-256; nil for any other.
func p256(der []byte) *ecdsa.PublicKey {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil
	}
	if key, ok := parsed.(*ecdsa.PublicKey); ok && key.Curve == elliptic.P256() {
		return key
	}
	return nil
}
