// Package vault holds the rules of sealing: AES-256-GCM under data keys, keyed lookups of values that
// must be found but not read, and keys derived from secrets that are not stored. It is pure: random
// bytes come in as a reader, time as a duration, and the key provider is asked by the kernel.
//
// A box is a 12-byte nonce, the ciphertext and a 16-byte tag. It opens only with the same key and the
// same associated data; the latter names what the value is for and whose it is, so that a box copied
// into another record, or into another field of the same one, is refused.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"

	"github.com/tollgatepay/gateway/store/keys"
)

const (
	nonceSize = 12
	tagSize   = 16

	// MaxPlain bounds what is sealed in one box, in bytes.
	MaxPlain = 512 << 10
	// Overhead is how many bytes a box is longer than its plain text.
	Overhead = nonceSize + tagSize
)

var (
	// ErrBroken: a box does not open. It was altered, cut, sealed under another key, or belongs to
	// another record or purpose; by design nothing tells which.
	ErrBroken = keys.ErrBroken
	// ErrTooLong: more than MaxPlain bytes were to be sealed.
	ErrTooLong = errors.New("vault: value is too long to be sealed")
)

// Seal encrypts plain under key and binds ad to it. It reads 12 bytes from random, which has to be a
// cryptographic source outside tests: a nonce that comes twice under one key gives both texts away.
// Random nonces are safe far below 2^32 seals of one key; see Spent.
func Seal(key Key, random io.Reader, plain, ad []byte) ([]byte, error) {
	if len(plain) > MaxPlain {
		return nil, ErrTooLong
	}
	aead, err := key.aead()
	if err != nil {
		return nil, err
	}
	box := make([]byte, nonceSize, len(plain)+Overhead)
	if _, err := io.ReadFull(random, box); err != nil {
		return nil, fmt.Errorf("vault: no random bytes for a nonce: %w", err)
	}
	return aead.Seal(box, box, plain, ad), nil
}

// Open decrypts a box of Seal. The answer is the caller's to Wipe. Every refusal of the box itself is
// ErrBroken and comes without a byte of plain text.
func Open(key Key, box, ad []byte) ([]byte, error) {
	aead, err := key.aead()
	if err != nil {
		return nil, err
	}
	if len(box) < Overhead || len(box) > MaxPlain+Overhead {
		return nil, ErrBroken
	}
	plain, err := aead.Open(nil, box[:nonceSize], box[nonceSize:], ad)
	if err != nil {
		return nil, ErrBroken
	}
	return plain, nil
}

// aead is AES-256-GCM under the key.
func (k Key) aead() (cipher.AEAD, error) {
	if k.secret == nil {
		return nil, ErrKeySize
	}
	block, err := aes.NewCipher(k.secret()[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
