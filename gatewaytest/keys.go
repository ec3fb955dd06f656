package gatewaytest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"

	"github.com/tollgatepay/gateway/store/keys"
)

// Keys is a key provider in memory. Each has keys of its own.
type Keys struct {
	id     string
	aead   cipher.AEAD
	lookup []byte
}

// NewKeys returns a key provider with one random key.
func NewKeys() *Keys {
	block, err := aes.NewCipher(random())
	if err != nil {
		panic(err) // cannot happen: the key has the size of AES-256
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // cannot happen: AES has the block size of GCM
	}
	return &Keys{id: "memory-" + rand.Text(), aead: aead, lookup: random()}
}

func random() []byte {
	key := make([]byte, keys.Size)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return key
}

// Wrap encrypts a data key under the one key.
func (k *Keys) Wrap(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
	if len(dataKey) != keys.Size {
		return keys.Wrapped{}, fmt.Errorf("gatewaytest: a data key has %d bytes, not %d", keys.Size, len(dataKey))
	}
	return keys.Wrapped{KeyID: k.id, Bytes: k.aead.Seal(nil, nil, dataKey, []byte(k.id))}, nil
}

// Unwrap returns the data key that Wrap encrypted. A data key of another provider gives keys.ErrGone.
func (k *Keys) Unwrap(_ context.Context, wrapped keys.Wrapped) ([]byte, error) {
	if wrapped.KeyID != k.id {
		return nil, fmt.Errorf("gatewaytest: unknown key %.64q: %w", wrapped.KeyID, keys.ErrGone)
	}
	dataKey, err := k.aead.Open(nil, nil, wrapped.Bytes, []byte(k.id))
	if err != nil {
		return nil, fmt.Errorf("gatewaytest: data key under %.64q: %w", k.id, keys.ErrBroken)
	}
	return dataKey, nil
}

// LookupKey returns the same key for the life of the provider.
func (k *Keys) LookupKey(context.Context) ([]byte, error) {
	return append([]byte(nil), k.lookup...), nil
}
