package vault

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// How long one data key seals. Wrapping may be a call to a remote key service, so values share data keys. The
// bounds limit the damage of a leaked data key and put a rotated key into use soon.
const (
	MaxSeals = 1 << 20
	MaxAge   = time.Hour
)

// Spent reports whether a data key of that age and number of seals has to be replaced.
func Spent(seals int, age time.Duration) bool { return seals >= MaxSeals || age >= MaxAge }

// errUnwrapped prevents a record whose data key could never be unwrapped.
var errUnwrapped = errors.New("vault: the data key has no wrapped form or no key id")

// DataKey is a data key in plain and its wrapped form. Every value sealed under it carries the wrapped form, so
// that each record can be opened by itself.
type DataKey struct {
	KeyID   string // the provider's key that wrapped it
	Wrapped []byte
	Key     Key
}

// Seal seals plain for a record. The associated data comes from AssociatedData. It returns the errors of the
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
