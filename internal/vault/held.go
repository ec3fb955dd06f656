package vault

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"io"
)

// ErrSecretSize means that a secret to derive a key from has less than 256 bits, or that an id or a purpose is
// missing.
var ErrSecretSize = errors.New("vault: a key is derived from at least 32 secret bytes and a name")

// Derive derives a key from a secret with HKDF-SHA256 (RFC 5869). The secret needs at least 32 random bytes; info
// names the purpose of the key, and salt the id of its record. Equal arguments give equal keys.
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

// SealHeld seals data that lives longer than one request but not longer than its attempt: a security code, card
// data between two calls, data for the payer's return. The key is derived from a secret that is never stored, a
// session's token or the secret of a return URL, so the store, its logs and its backups cannot open the box. id is
// the session's or the transaction's.
func SealHeld(secret []byte, purpose Purpose, id string, random io.Reader, plain []byte) ([]byte, error) {
	key, err := heldKey(secret, purpose, id)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return Seal(key, random, plain, []byte(id))
}

// OpenHeld opens a box of SealHeld with the same secret, purpose and id; otherwise it returns ErrBroken. The caller
// should Wipe the result.
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
