// Package vault holds the rules of sealing: AES-256-GCM under data keys, keyed lookups of values that must be found
// but not read, and keys derived from secrets that are not stored. It is pure: random bytes come in as a reader,
// time as a duration, and the kernel calls the key provider.
//
// A box is a 12-byte nonce, the ciphertext and a 16-byte tag. It opens only with the same key and the same
// associated data. The associated data names the value's purpose and owner, so that a box copied into another
// record or field is refused.
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
	// ErrBroken means that a box cannot be opened. It was altered, cut, sealed under another key, or belongs to
	// another record or purpose; these cases cannot be distinguished.
	ErrBroken = keys.ErrBroken
	// ErrTooLong means that a value has more than MaxPlain bytes.
	ErrTooLong = errors.New("vault: value is too long to be sealed")
)

// Seal encrypts plain under key and binds ad to it. It reads 12 bytes from random, which must be a cryptographic
// source outside tests: using a nonce twice under one key reveals both texts. Random nonces are safe far below 2^32
// seals of one key; see Spent.
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

// Open decrypts a box of Seal. The caller should Wipe the result. A refused box gives ErrBroken and no byte of
// plain text.
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

// aead returns AES-256-GCM under the key.
func (k Key) aead() (cipher.AEAD, error) {
	switch {
	case k.secret == nil:
		return nil, ErrKeySize
	case k.cipher != nil:
		return k.cipher(), nil
	}
	block, err := aes.NewCipher(k.secret()[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
