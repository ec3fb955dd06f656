package crash

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"

	"github.com/tollgatepay/gateway"
)

// keys is a key provider that is the same in every child: one key, derived from a text.
type keys struct{ sealer cipher.AEAD }

func newKeys() keys {
	key := sha256.Sum256([]byte("the key ring of the crash tests"))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err)
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return keys{sealer}
}

// Wrap seals a data key.
func (k keys) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	nonce := make([]byte, k.sealer.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return gateway.WrappedKey{KeyID: "crash", Bytes: k.sealer.Seal(nonce, nonce, dataKey, nil)}, nil
}

// Unwrap opens what any child sealed.
func (k keys) Unwrap(_ context.Context, w gateway.WrappedKey) ([]byte, error) {
	if len(w.Bytes) < k.sealer.NonceSize() {
		return nil, gateway.ErrSealBroken
	}
	nonce, box := w.Bytes[:k.sealer.NonceSize()], w.Bytes[k.sealer.NonceSize():]
	plain, err := k.sealer.Open(nil, nonce, box, nil)
	if err != nil {
		return nil, gateway.ErrSealBroken
	}
	return plain, nil
}

// LookupKey always returns the same key.
func (k keys) LookupKey(context.Context) ([]byte, error) {
	key := sha256.Sum256([]byte("the look-ups of the crash tests"))
	return key[:], nil
}
