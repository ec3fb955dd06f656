// Package keys has the port to the keys that seal card data and credentials: a key file, a key management service,
// a hardware module.
package keys

import (
	"context"
	"errors"
)

// Faults that a Provider reports. Compare with errors.Is.
var (
	// ErrGone: the provider has no key of that id; it was destroyed, or the wrong key ring is in use. What was sealed
	// under it cannot be opened. It is final: no later call tries again.
	ErrGone = errors.New("gateway: the key that wrapped this data key is gone")
	// ErrBroken: the bytes do not open. They were altered or belong to another key, record or purpose. It is final
	// too.
	ErrBroken = errors.New("gateway: a sealed value does not open: it was altered, or belongs to another record")
)

// Size is the size in bytes of a data key and of a lookup key.
const Size = 32

// Provider guards the keys of card data and of stored credentials: a key file (package keyfile), a key management
// service, a hardware module. Card data never goes to it. The gateway makes data keys of its own, seals values
// under them with AES-256-GCM and asks the provider only to wrap and unwrap those, which is rare: a data key
// serves up to an hour or 2^20 values.
//
// The contract, which package keystest checks:
//   - It is safe for concurrent use, and is never called while a store transaction is open.
//   - Slices handed in are only read, and not kept; slices handed out belong to the caller, who
//     overwrites them after use.
//   - Rotation: once the provider has a new current key, Wrap uses it, and Unwrap still opens what
//     every earlier key wrapped. An id names the same key for ever and is never given to another.
//   - Several processes over the same keys open what each of them wrapped, also under a key that
//     another process made current after they had started.
//   - Destruction: when a key is destroyed on purpose, Unwrap returns ErrGone, never made-up bytes
//     and never the wrapped bytes as they are. Data keys that are already unwrapped in some process
//     may be used for up to an hour more; a restart ends that.
//   - ErrGone and ErrBroken are final. The end of a context and a service that does not answer are
//     never reported as one of them. Any other error, also the context's, is temporary: the call that
//     needed the key fails, nothing is stored unsealed, and a later call asks again.
//   - An error comes alone: without bytes and without an id.
//   - Errors name key ids, never key bytes.
type Provider interface {
	// Wrap encrypts a data key of Size bytes under the current key. Any other size is an error.
	Wrap(ctx context.Context, dataKey []byte) (Wrapped, error)
	// Unwrap returns the data key that Wrap encrypted. The id is bound to the bytes: with the id of another key the
	// error is ErrBroken, with an id that the provider does not know ErrGone.
	Unwrap(ctx context.Context, wrapped Wrapped) ([]byte, error)
	// LookupKey returns a key of Size bytes that hashes card numbers and tokens for indexes (HMAC-SHA256). It never
	// changes, whatever is rotated: under another key, stored cards and tokens are not found. It is not one of the
	// wrapping keys.
	LookupKey(ctx context.Context) ([]byte, error)
}

// Wrapped is a data key encrypted by a Provider. It is stored beside what the data key sealed.
type Wrapped struct {
	KeyID string // id of the provider's key: 1 to 128 bytes, not secret
	Bytes []byte // at most 4096; only the provider can read them
}
