// Package keyfile is a key provider that keeps its keys in one file of mode 0600. It suits a server on its own
// disk and shows what a provider for a key management service has to do.
//
// The file is JSON and may be written by hand; a key is 32 bytes in hex or base64:
//
//	{
//	  "current": "key-2f1c8a90d4b7e653",
//	  "keys": [{"id": "key-2f1c8a90d4b7e653", "key": "<openssl rand -hex 32>"}],
//	  "lookup": "<openssl rand -hex 32>"
//	}
//
// Keep a copy of it apart from the copies of the database: one without the other opens nothing, and with both
// anyone can read the cards. A program that starts without its file makes a new one. It opens nothing that was
// sealed before, and finds no card that was stored before.
package keyfile

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/tollgatepay/gateway/store/keys"
)

// Keys is the content of a key file, as a keys.Provider. It is safe for concurrent use. It
// prints and logs its path only.
type Keys struct {
	path string
	mu   sync.RWMutex // guards ring, which is replaced as a whole
	ring *ring
}

var _ keys.Provider = (*Keys)(nil)

// Open reads the key file at path. If there is none it creates one with random keys; when several processes start
// at once, one of them creates it and all read the same. These are errors that name the cause and the cure: a file
// that others than its owner may access, a key of other than 32 bytes, a current key that is not listed.
func Open(path string) (*Keys, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a rotation has to replace the file, not the link to it
	}
	found, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(path, newRing()); err != nil {
			return nil, err
		}
		found, err = read(path)
	}
	if err != nil {
		return nil, err
	}
	return &Keys{path: path, ring: found}, nil
}

// Wrap encrypts a data key of 32 bytes under the current key.
func (k *Keys) Wrap(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
	if len(dataKey) != keySize {
		return keys.Wrapped{}, fmt.Errorf("keyfile: a data key has %d bytes, not %d", keySize, len(dataKey))
	}
	ring := k.now()
	aead, err := cipherOf(ring.keys[ring.current])
	if err != nil {
		return keys.Wrapped{}, err
	}
	return keys.Wrapped{KeyID: ring.current, Bytes: aead.Seal(nil, nil, dataKey, bound(ring.current))}, nil
}

// Unwrap returns the data key that Wrap wrapped. When the id is not known it reads the file once more, because
// another process may have rotated. When the id is not there either, the error is keys.ErrGone.
func (k *Keys) Unwrap(_ context.Context, wrapped keys.Wrapped) ([]byte, error) {
	secret, known := k.now().keys[wrapped.KeyID]
	if !known {
		if err := k.Reload(); err != nil {
			return nil, err
		}
		if secret, known = k.now().keys[wrapped.KeyID]; !known {
			return nil, fmt.Errorf("keyfile: %s has no key %.64q: %w", k.path, wrapped.KeyID, keys.ErrGone)
		}
	}
	aead, err := cipherOf(secret)
	if err != nil {
		return nil, err
	}
	dataKey, err := aead.Open(nil, nil, wrapped.Bytes, bound(wrapped.KeyID))
	if err != nil || len(dataKey) != keySize {
		return nil, fmt.Errorf("keyfile: data key under %.64q: %w", wrapped.KeyID, keys.ErrBroken)
	}
	return dataKey, nil
}

// LookupKey returns the key of the indexes. It survives every rotation.
func (k *Keys) LookupKey(context.Context) ([]byte, error) {
	lookup := k.now().lookup
	return lookup[:], nil
}

// Current returns the id of the key that Wrap uses.
func (k *Keys) Current() string { return k.now().current }

// Format writes the path, whatever the verb, and never a key.
func (k *Keys) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// String names the file.
func (k *Keys) String() string { return "keyfile(" + k.path + ")" }

// LogValue names the file.
func (k *Keys) LogValue() slog.Value { return slog.StringValue(k.String()) }

func (k *Keys) now() *ring {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.ring
}

// cipherOf returns AES-256-GCM that makes its own nonces.
func cipherOf(secret [keySize]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(secret[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// bound returns the additional data that ties a wrapped key to its id.
func bound(id string) []byte { return []byte("keyfile/1/" + id) }
