package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway"
)

// memoryKeys is a key provider with one key, which is lost with the process, like the records that it sealed.
type memoryKeys struct {
	id     string
	aead   cipher.AEAD
	lookup []byte
}

func newMemoryKeys() *memoryKeys {
	key, lookup := make([]byte, gateway.DataKeySize), make([]byte, gateway.DataKeySize)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	_, _ = rand.Read(lookup)
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // cannot happen: the key has the size of AES-256
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // cannot happen: AES has the block size of GCM
	}
	return &memoryKeys{id: "memory-" + rand.Text(), aead: aead, lookup: lookup}
}

// Wrap encrypts a data key under the one key.
func (k *memoryKeys) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	if len(dataKey) != gateway.DataKeySize {
		return gateway.WrappedKey{}, errors.New("memory keys: not the size of a data key")
	}
	return gateway.WrappedKey{KeyID: k.id, Bytes: k.aead.Seal(nil, nil, dataKey, []byte(k.id))}, nil
}

// Unwrap returns the data key of a Wrap. For a key of another process the error is gateway.ErrKeyGone.
func (k *memoryKeys) Unwrap(_ context.Context, wrapped gateway.WrappedKey) ([]byte, error) {
	if wrapped.KeyID != k.id {
		return nil, fmt.Errorf("memory keys: %.64q: %w", wrapped.KeyID, gateway.ErrKeyGone)
	}
	dataKey, err := k.aead.Open(nil, nil, wrapped.Bytes, []byte(k.id))
	if err != nil {
		return nil, fmt.Errorf("memory keys: %w", gateway.ErrSealBroken)
	}
	return dataKey, nil
}

// LookupKey returns the key of the indexes.
func (k *memoryKeys) LookupKey(context.Context) ([]byte, error) {
	return append([]byte(nil), k.lookup...), nil
}
