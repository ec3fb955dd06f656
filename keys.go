package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/vault"
)

// Faults a KeyProvider names. Compare with errors.Is.
var (
	// ErrKeyGone: the provider has no key of that id; it was destroyed, or the wrong key ring is in
	// use. What was sealed under it stays shut. It is final: nobody tries again.
	ErrKeyGone = errors.New("gateway: the key that wrapped this data key is gone")
	// ErrSealBroken: bytes do not open; they were altered or belong to another key, record or purpose.
	// It is final too.
	ErrSealBroken = vault.ErrBroken
)

// DataKeySize is the size in bytes of a data key and of a lookup key.
const DataKeySize = vault.KeySize

// KeyProvider guards the keys of card data and of stored credentials: a key file, a key management
// service, a hardware module. Card data never goes to it. The gateway makes data keys of its own,
// seals values under them with AES-256-GCM and asks the provider only to wrap and unwrap those, which
// is rare: a data key serves up to an hour or 2^20 values.
//
// The contract:
//   - It is safe for concurrent use, and is never called while a store transaction is open.
//   - Slices handed in are only read, and not kept; slices handed out belong to the caller, who
//     overwrites them after use.
//   - Rotation: once the provider has a new current key, Wrap uses it, and Unwrap still opens what
//     every earlier key wrapped. An id names the same key for ever and is never given to another.
//   - Destruction: when a key is destroyed on purpose, Unwrap answers ErrKeyGone, never made-up bytes
//     and never the wrapped bytes as they are. Data keys that are already unwrapped in some process
//     may be used for up to an hour more; a restart ends that.
//   - ErrKeyGone and ErrSealBroken are final. Any other error, the context's among them, may pass:
//     the call that needed the key fails, nothing is stored unsealed, and a later call asks again.
//   - Errors name key ids, never key bytes.
type KeyProvider interface {
	// Wrap encrypts a data key of DataKeySize bytes under the current key. Other sizes are an error.
	Wrap(ctx context.Context, dataKey []byte) (WrappedKey, error)
	// Unwrap gives back the data key of a Wrap. The id is bound to the bytes: with another id they
	// are ErrSealBroken.
	Unwrap(ctx context.Context, wrapped WrappedKey) ([]byte, error)
	// LookupKey is a key of DataKeySize bytes that names card numbers and tokens in indexes
	// (HMAC-SHA256). It stays the same for ever, whatever is rotated: under another one, stored cards
	// and tokens are no longer found. It is none of the wrapping keys.
	LookupKey(ctx context.Context) ([]byte, error)
}

// WrappedKey is a data key encrypted by a KeyProvider. It is stored beside what the data key sealed.
type WrappedKey struct {
	KeyID string // the provider's key: 1 to 128 bytes, no secret
	Bytes []byte // at most 4096; only the provider can read them
}
