package vault

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"

	"github.com/tollgatepay/gateway/store/keys"
)

// KeySize is the size of every key, in bytes.
const KeySize = keys.Size

var (
	// ErrKeySize means that a key is not KeySize bytes long, or is the zero Key.
	ErrKeySize = errors.New("vault: a key has 32 bytes")
	// errMarshal means that code tried to marshal a key.
	errMarshal = errors.New("vault: a key cannot be marshalled")
)

// Key is a 256-bit key. It prints and logs as a mask and refuses to be marshalled. Copies share the same bytes, so
// that Wipe reaches them all. The zero Key seals and opens nothing.
type Key struct {
	// secret hides the bytes from fmt and reflection, which follow pointers in private fields but never call a
	// function.
	secret func() *[KeySize]byte
	cipher func() cipher.AEAD // nil: made for each box
}

func keyOf(secret *[KeySize]byte) Key {
	return Key{secret: func() *[KeySize]byte { return secret }}
}

// ForMany returns the key with its cipher made, for many boxes. Wipe does not reach the cipher.
func (k Key) ForMany() (Key, error) {
	made, err := k.aead()
	if err != nil {
		return Key{}, err
	}
	k.cipher = func() cipher.AEAD { return made }
	return k, nil
}

// NewKey copies a key. Any length other than KeySize is ErrKeySize, also that of an AES-128 key.
func NewKey(secret []byte) (Key, error) {
	if len(secret) != KeySize {
		return Key{}, ErrKeySize
	}
	copied := [KeySize]byte(secret)
	return keyOf(&copied), nil
}

// MakeKey reads a new key from random.
func MakeKey(random io.Reader) (Key, error) {
	var secret [KeySize]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return Key{}, fmt.Errorf("vault: no random bytes for a key: %w", err)
	}
	return keyOf(&secret), nil
}

// Bytes returns a copy of the key, to be wrapped; the caller wipes it. It is nil for the zero Key.
func (k Key) Bytes() []byte {
	if k.secret == nil {
		return nil
	}
	copied := *k.secret()
	return copied[:]
}

// IsZero reports whether k is the zero Key.
func (k Key) IsZero() bool { return k.secret == nil }

// Wipe overwrites the key in all its copies. The key must not be in use.
func (k Key) Wipe() {
	if k.secret != nil {
		Wipe(k.secret()[:])
	}
}

// Wipe overwrites secret bytes that are no longer needed. It shortens the time in which a memory dump shows them;
// it cannot reach earlier copies.
func Wipe(secret []byte) {
	clear(secret)
	runtime.KeepAlive(secret)
}

const mask = "[key]"

// Format writes a mask for every verb.
func (Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, mask) }

// LogValue logs a mask.
func (Key) LogValue() slog.Value { return slog.StringValue(mask) }

// MarshalText returns an error, for JSON and XML too.
func (Key) MarshalText() ([]byte, error) { return nil, errMarshal }

// MarshalBinary returns an error, for gob too.
func (Key) MarshalBinary() ([]byte, error) { return nil, errMarshal }
