package gateway

import "github.com/tollgatepay/gateway/store/keys"

// KeyProvider guards the keys of card data and of stored credentials; package keys has its contract.
type KeyProvider = keys.Provider

// WrappedKey is a data key encrypted by a KeyProvider. It is stored beside what the data key sealed.
type WrappedKey = keys.Wrapped

// DataKeySize is the size in bytes of a data key and of a lookup key.
const DataKeySize = keys.Size

// Faults a KeyProvider names. Compare with errors.Is.
var (
	// ErrKeyGone: the provider has no key of that id. It is final.
	ErrKeyGone = keys.ErrGone
	// ErrSealBroken: bytes do not open; they were altered or belong elsewhere. It is final.
	ErrSealBroken = keys.ErrBroken
)
