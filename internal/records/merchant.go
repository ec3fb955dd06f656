package records

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Merchant is a merchant as it is stored, with the passwords sealed. HashMarks is the fingerprint that locates the
// hash marks of the password, and HashMarksSince is when the password replaced another; zero for the first one.
// NextHashMarks is the fingerprint of the next password.
type Merchant struct {
	store.Merchant
	SealedPassword *store.Sealed `json:"sealed_password"`
	HashMarks      string        `json:"hash_marks,omitempty"`
	HashMarksSince time.Time     `json:"hash_marks_since,omitzero"`
	SealedNext     *store.Sealed `json:"sealed_next_password,omitempty"`
	NextHashMarks  string        `json:"next_hash_marks,omitempty"`
}

// Marks returns which hash marks of the merchant stay, and since when the marks of all other passwords are of no use.
func (m *Merchant) Marks(now time.Time) (stay []string, since time.Time) {
	switch {
	case m.NextHashMarks == "":
		return []string{m.HashMarks}, m.HashMarksSince
	case now.Before(m.RotatesAt):
		return []string{m.HashMarks, m.NextHashMarks}, m.HashMarksSince
	}
	return []string{m.NextHashMarks}, m.RotatesAt
}

// MID is a MID as it is stored, with the secrets sealed.
type MID struct {
	store.MID
	SealedSecrets *store.Sealed `json:"sealed_secrets,omitempty"`
}

// MerchantWallets is a merchant's wallet settings as they are stored, with the keys sealed.
type MerchantWallets struct {
	store.Wallets
	SealedKeys *store.Sealed `json:"sealed_keys,omitempty"`
}

// SignedPassword returns a password as most formulas sign it: in capitals. Passwords of the same letters sign the same
// hashes, so they count as one. Passwords are ASCII.
func SignedPassword(password store.Secret) string { return strings.ToUpper(password.Reveal()) }

// Fingerprint distinguishes the passwords of a merchant. It is too short to reveal one.
func Fingerprint(password store.Secret) string {
	mac := hmac.New(sha256.New, []byte(SignedPassword(password)))
	mac.Write([]byte("tollgate/hash-marks/1"))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}
