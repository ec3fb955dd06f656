package keys_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/store/keys"
)

// service stands for a key service of the host, which destroyed a key.
type service struct{}

func (service) Wrap(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
	return keys.Wrapped{KeyID: "2027", Bytes: append([]byte("wrapped "), dataKey...)}, nil
}

func (service) Unwrap(_ context.Context, w keys.Wrapped) ([]byte, error) {
	if w.KeyID != "2027" {
		return nil, fmt.Errorf("key %q: %w", w.KeyID, keys.ErrGone)
	}
	return bytes.Clone(w.Bytes[len("wrapped "):]), nil // the caller wipes it
}

func (service) LookupKey(context.Context) ([]byte, error) { return make([]byte, keys.Size), nil }

// A provider tells apart a key that is gone for ever, so that nobody waits for it, and a service that does not answer.
func Example() {
	var provider keys.Provider = service{}
	_, err := provider.Unwrap(context.Background(), keys.Wrapped{KeyID: "2019"})
	fmt.Println(err, errors.Is(err, keys.ErrGone))
	// Output: key "2019": gateway: the key that wrapped this data key is gone true
}
