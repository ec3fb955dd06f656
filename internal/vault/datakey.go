package vault

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// How long one data key seals. Wrapping may be a call to a distant key service, so values share data
// keys; the bounds keep a data key's harm small and let a rotated key take over soon.
const (
	MaxSeals = 1 << 20
	MaxAge   = time.Hour
)

// Spent tells whether a data key that made so many seals in so long has to give way to a new one.
func Spent(seals int, age time.Duration) bool { return seals >= MaxSeals || age >= MaxAge }

// errUnwrapped guards against a record whose data key could never be unwrapped.
var errUnwrapped = errors.New("vault: the data key has no wrapped form or no key id")

// DataKey is a data key in the clear beside its wrapped form. Every value sealed under it carries the
// wrapped form along, so that each record opens by itself though many share one data key.
type DataKey struct {
	KeyID   string // the provider's key that wrapped it
	Wrapped []byte
	Key     Key
}

// Seal seals plain for a record. The associated data comes from AssociatedData. For the errors see the
// function Seal.
func (d DataKey) Seal(random io.Reader, plain, ad []byte) (store.Sealed, error) {
	if d.KeyID == "" || len(d.Wrapped) == 0 {
		return store.Sealed{}, errUnwrapped
	}
	box, err := Seal(d.Key, random, plain, ad)
	if err != nil {
		return store.Sealed{}, err
	}
	return store.Sealed{KeyID: d.KeyID, DataKey: slices.Clone(d.Wrapped), Box: box}, nil
}
