package vault

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"io"
)

// ErrSecretSize: a secret to derive from has less than 256 bits, or an id or a purpose is missing.
var ErrSecretSize = errors.New("vault: a key is derived from at least 32 secret bytes and a name")

// Derive makes a key from a secret with HKDF-SHA256 (RFC 5869). The secret needs at least 32 random
// bytes; info says what the key is for and salt is the id of what it is for. The same three always
// give the same key.
func Derive(secret []byte, info string, salt []byte) (Key, error) {
	if len(secret) < KeySize || info == "" || len(salt) == 0 {
		return Key{}, ErrSecretSize
	}
	derived, err := hkdf.Key(sha256.New, secret, salt, info, KeySize)
	if err != nil {
		return Key{}, err
	}
	defer Wipe(derived)
	return NewKey(derived)
}

// SealHeld seals what must outlive one request but never its attempt: a security code, card data
// between two calls, what the payer's return needs. The key comes from a secret that the store never
// sees, a session's token or the secret of a return URL, so neither the store nor its logs and backups
// hold what opens the box. id is the session's or the transaction's.
func SealHeld(secret []byte, purpose Purpose, id string, random io.Reader, plain []byte) ([]byte, error) {
	key, err := heldKey(secret, purpose, id)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return Seal(key, random, plain, []byte(id))
}

// OpenHeld opens a box of SealHeld, given the same secret, purpose and id; anything else is ErrBroken.
// The answer is the caller's to Wipe.
func OpenHeld(secret []byte, purpose Purpose, id string, box []byte) ([]byte, error) {
	key, err := heldKey(secret, purpose, id)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return Open(key, box, []byte(id))
}

func heldKey(secret []byte, purpose Purpose, id string) (Key, error) {
	if purpose == "" {
		return Key{}, ErrSecretSize
	}
	return Derive(secret, "tollgate/held/1/"+string(purpose), []byte(id))
}
