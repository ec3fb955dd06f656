package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// DefaultWindow is how far the signing time of a token of wallet A may lie from now, either way.
const DefaultWindow = 5 * time.Minute

const maxWindow = 24 * time.Hour // the replay guard has to remember tokens for so long

// AppleConfig is the configuration of wallet A.
type AppleConfig struct {
	Environment    Environment
	MerchantID     string         // the merchant identifier, "merchant.com.example.shop"
	ProcessingKeys []store.Secret // PEM of EC private keys on P-256, PKCS#8 or SEC 1, newest first, up to 16
	Roots          []string       // PEM of the root certificates of the wallet; ErrNoRoots without any
	Window         time.Duration  // up to a day; zero is DefaultWindow
}

// Apple opens tokens of wallet A for one merchant identifier. It is safe for concurrent use.
type Apple struct {
	merchant [sha256.Size]byte // of the merchant identifier
	keys     []merchantKey
	roots    *x509.CertPool
	window   time.Duration
}

// NewApple checks a configuration. The joined error names every fault by its field.
func NewApple(c AppleConfig) (*Apple, error) {
	keys, badKeys := merchantKeys("ProcessingKeys", c.ProcessingKeys)
	roots, badRoots := readRoots(c.Roots)
	var badWindow error
	if c.Window < 0 || c.Window > maxWindow {
		badWindow = misconfigured("Window", "must be 0 to 24 hours")
	} else if c.Window == 0 {
		c.Window = DefaultWindow
	}
	err := errors.Join(c.Environment.check("Environment"), checkText("MerchantID", c.MerchantID, 255),
		badKeys, badRoots, badWindow)
	if err != nil {
		return nil, err
	}
	return &Apple{sha256.Sum256([]byte(c.MerchantID)), keys, roots, c.Window}, nil
}

// Open verifies and decrypts a whole token of wallet A: paymentData, as an object or as a text that holds one,
// paymentMethod and transactionIdentifier. Certificates and the signing time are checked at now. The caller
// compares Currency and MinorAmount with the payment and remembers MessageID. Error: *Fault.
func (a *Apple) Open(token []byte, now time.Time) (*Opened, error) {
	t, err := readApple(token)
	if err != nil {
		return nil, err
	}
	key, err := a.keyOf(t.keyHash)
	if err != nil {
		return nil, err
	}
	signedAt, err := a.verify(t, now)
	if err != nil {
		return nil, err
	}
	plain, err := a.decrypt(t, key)
	if err != nil {
		return nil, err
	}
	opened, err := readAppleCard(plain)
	if err != nil {
		return nil, err
	}
	opened.Network, opened.MessageID = t.shown.Network, t.messageID()
	opened.Until = signedAt.Add(a.window)
	return opened, nil
}

func (a *Apple) keyOf(hash []byte) (*ecdh.PrivateKey, error) {
	i := slices.IndexFunc(a.keys, func(k merchantKey) bool {
		return subtle.ConstantTimeCompare(k.hash[:], hash) == 1
	})
	if i < 0 {
		return nil, because("publicKeyHash: no processing key of ours")
	}
	return a.keys[i].private, nil
}

// verify returns when the token was signed.
func (a *Apple) verify(t appleToken, now time.Time) (time.Time, error) {
	c, err := readCMS(t.signature)
	if err != nil {
		return time.Time{}, err
	}
	if err := verifyChain(c.leaf, c.intermediate, a.roots, now); err != nil {
		return time.Time{}, err
	}
	if err := c.verify(t.signed()); err != nil {
		return time.Time{}, err
	}
	if now.Sub(c.signedAt) > a.window {
		return time.Time{}, because("signingTime: too long ago")
	}
	if c.signedAt.Sub(now) > a.window {
		return time.Time{}, because("signingTime: in the future")
	}
	return c.signedAt, nil
}

// decrypt derives the key by NIST SP 800-56A, for one block, with the names that the wallet uses.
func (a *Apple) decrypt(t appleToken, key *ecdh.PrivateKey) ([]byte, error) {
	public := p256(t.ephemeral)
	if public == nil {
		return nil, because("ephemeralPublicKey: must be a key on P-256")
	}
	point, err := public.ECDH()
	if err != nil {
		return nil, because("ephemeralPublicKey: must be a key on P-256")
	}
	shared, err := key.ECDH(point)
	if err != nil {
		return nil, because("ephemeralPublicKey: no shared secret")
	}
	info := []byte("\x0did-aes256-GCMApple") // the algorithm with its length, and the sender
	derived := sha256.Sum256(slices.Concat([]byte{0, 0, 0, 1}, shared, info, a.merchant[:]))
	block, err := aes.NewCipher(derived[:])
	if err != nil {
		return nil, because("data: no cipher")
	}
	sealed, err := cipher.NewGCMWithNonceSize(block, aes.BlockSize)
	if err != nil {
		return nil, because("data: no cipher")
	}
	plain, err := sealed.Open(nil, make([]byte, aes.BlockSize), t.data, nil)
	if err != nil {
		return nil, because("data: does not decrypt, the key or the merchant identifier is another")
	}
	return plain, nil
}
