package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// GoogleConfig is the configuration of wallet B.
type GoogleConfig struct {
	Environment Environment
	// GatewayMerchantID is the gatewayMerchantId that the token must name, the client key. It may be empty for a
	// Recipient that is a merchant; the token must then name none.
	GatewayMerchantID string
	Recipient         string         // "gateway:" and the gateway value, or "merchant:" and the merchant's id
	Keys              []store.Secret // EC private keys on P-256, PEM or base64 of PKCS#8, newest first, up to 16
	RootKeys          string         // the wallet's JSON list of root signing keys, up to 64 KiB
}

// Google opens tokens of wallet B for one recipient and one merchant. It is safe for concurrent use.
type Google struct {
	merchant  string
	recipient string
	keys      []merchantKey
	roots     []rootKey
}

// NewGoogle checks a configuration. The joined error names every fault by its field. Root keys of other versions
// are left out; expired ones are left out at each Open.
func NewGoogle(c GoogleConfig) (*Google, error) {
	keys, badKeys := merchantKeys("Keys", c.Keys)
	roots, badRoots := readRootKeys(c.RootKeys)
	err := errors.Join(c.Environment.check("Environment"), c.checkMerchant(), c.checkRecipient(), badKeys, badRoots)
	if err != nil {
		return nil, err
	}
	return &Google{c.GatewayMerchantID, c.Recipient, keys, roots}, nil
}

func (c GoogleConfig) checkMerchant() error {
	if c.GatewayMerchantID == "" && strings.HasPrefix(c.Recipient, "merchant:") {
		return nil
	}
	return checkText("GatewayMerchantID", c.GatewayMerchantID, 255)
}

func (c GoogleConfig) checkRecipient() error {
	of, id, _ := strings.Cut(c.Recipient, ":")
	if of != "gateway" && of != "merchant" || id == "" || !printable(id, 255) {
		return misconfigured("Recipient", "must be gateway: or merchant: and an id")
	}
	return nil
}

// Open verifies and decrypts a token of wallet B: the whole token, or only the inner one. Each may be an object
// or, inside the whole token, a text with an object. Keys and message are checked at now. The caller remembers
// MessageID. Error: *Fault.
func (g *Google) Open(token []byte, now time.Time) (*Opened, error) {
	t, err := readGoogle(token)
	if err != nil {
		return nil, err
	}
	if err := g.verify(t, now); err != nil {
		return nil, err
	}
	plain, err := g.decrypt(t)
	if err != nil {
		return nil, err
	}
	opened, merchant, err := readGoogleCard(plain)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare([]byte(merchant), []byte(g.merchant)) != 1 {
		return nil, because("gatewayMerchantId: another merchant's")
	}
	if !now.Before(opened.Until) {
		return nil, because("messageExpiration: expired")
	}
	opened.Network = t.shown.Network
	return opened, nil
}

// decrypt finds our key by the tag over the ciphertext: the token does not say to which key it is sealed.
func (g *Google) decrypt(t googleToken) ([]byte, error) {
	point, err := ecdh.P256().NewPublicKey(t.ephemeral)
	if err != nil {
		return nil, because("ephemeralPublicKey: must be an uncompressed point on P-256")
	}
	for _, key := range g.keys {
		shared, err := key.private.ECDH(point)
		if err != nil {
			return nil, because("ephemeralPublicKey: no shared secret")
		}
		derived, err := hkdf.Key(sha256.New, slices.Concat(t.ephemeral, shared), nil, "Google", 64)
		if err != nil {
			return nil, because("encryptedMessage: no key")
		}
		mac := hmac.New(sha256.New, derived[32:])
		mac.Write(t.encrypted)
		if hmac.Equal(mac.Sum(nil), t.tag) {
			return counter(derived[:32], t.encrypted)
		}
	}
	return nil, because("tag: no key of ours fits")
}

// counter is AES-256-CTR from zero; the key encrypts one message only.
func counter(key, sealed []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, because("encryptedMessage: no cipher")
	}
	plain := make([]byte, len(sealed))
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(plain, sealed)
	return plain, nil
}
