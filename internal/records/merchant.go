package records

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Merchant is a merchant as it is stored: the password sealed. HashMarks is the fingerprint under which the
// marks of that password's hashes lie, and HashMarksSince when it replaced another; zero for the first password.
type Merchant struct {
	store.Merchant
	SealedPassword *store.Sealed `json:"sealed_password"`
	HashMarks      string        `json:"hash_marks,omitempty"`
	HashMarksSince time.Time     `json:"hash_marks_since,omitzero"`
}

// MID is a MID as it is stored: the secrets sealed.
type MID struct {
	store.MID
	SealedSecrets *store.Sealed `json:"sealed_secrets,omitempty"`
}

// MerchantWallets is a merchant's wallet settings as they are stored: the keys sealed.
type MerchantWallets struct {
	store.Wallets
	SealedKeys *store.Sealed `json:"sealed_keys,omitempty"`
}

// Fingerprint tells the passwords of a merchant apart. It is too short to tell anything else of one.
func Fingerprint(password store.Secret) string {
	mac := hmac.New(sha256.New, []byte(password.Reveal()))
	mac.Write([]byte("tollgate/hash-marks/1"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}
