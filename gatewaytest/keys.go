package gatewaytest

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/tollgatepay/gateway"
)

// Keys is a key provider in memory. It shares nothing with another and is gone with the test.
type Keys struct {
	mu      sync.Mutex
	wrapped map[string][]byte
	lookup  []byte
}

// NewKeys makes a key provider.
func NewKeys() *Keys { return &Keys{wrapped: map[string][]byte{}, lookup: random()} }

func random() []byte {
	key := make([]byte, gateway.DataKeySize)
	_, _ = rand.Read(key) // never fails
	return key
}

// Wrap hands out a name for the key and keeps it.
func (k *Keys) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	name := fmt.Sprintf("key %d", len(k.wrapped))
	k.wrapped[name] = append([]byte(nil), dataKey...)
	return gateway.WrappedKey{KeyID: "memory", Bytes: []byte(name)}, nil
}

// Unwrap gives the key back, or gateway.ErrKeyGone.
func (k *Keys) Unwrap(_ context.Context, w gateway.WrappedKey) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.wrapped[string(w.Bytes)]
	if !ok {
		return nil, gateway.ErrKeyGone
	}
	return append([]byte(nil), key...), nil
}

// LookupKey is the same for the life of the provider.
func (k *Keys) LookupKey(context.Context) ([]byte, error) {
	return append([]byte(nil), k.lookup...), nil
}
