// Package ids makes the ids of records, and random bytes.
package ids

import (
	"fmt"
	"io"
	"sync"
)

// Source gets ids from the host and checks them.
type Source struct {
	Next func() string // Config.NewID

	mu   sync.Mutex
	last string
}

// Random reads bytes that cannot be guessed. If there are none, the error names their purpose.
func Random(from io.Reader, size int, purpose string) ([]byte, error) {
	bytes := make([]byte, size)
	if _, err := io.ReadFull(from, bytes); err != nil {
		return nil, fmt.Errorf("no random bytes for %s: %w", purpose, err)
	}
	return bytes, nil
}

// maxID is the longest id. It is part of keys beside a merchant's id and an order number, of connectors'
// idempotency keys, of callbacks and of answers.
const maxID = 64

// NewID gets an id from the host. An unusable one is an internal error of ours (ErrInternal), which is logged; the
// request fails with nothing stored.
func (ids *Source) NewID() (string, error) {
	id := ids.Next()
	if fault := idFault(id); fault != "" {
		return "", fmt.Errorf("gateway: Config.NewID answers %.80q, which is no identifier: %s", id, fault)
	}
	ids.mu.Lock()
	defer ids.mu.Unlock()
	if id == ids.last {
		return "", fmt.Errorf("gateway: Config.NewID answers %q twice", id)
	}
	ids.last = id
	return id, nil
}

// idFault returns what is wrong with an id. The allowed characters need no escape in a URL, a header or a key; a
// slash separates keys of chains from their ids.
func idFault(id string) string {
	switch {
	case id == "":
		return "it is empty"
	case len(id) > maxID:
		return fmt.Sprintf("it is longer than %d bytes", maxID)
	case hasOther(id):
		return "only A to Z, a to z, 0 to 9 and -_.~ can stand in it"
	}
	return ""
}

// hasOther reports a text with another character than those of ids. Those follow no pattern, so that bits are faster
// than branches.
func hasOther(id string) bool {
	for i := range len(id) {
		if c := id[i]; allowed[c/64]>>(c%64)&1 == 0 {
			return true
		}
	}
	return false
}

// allowed has a bit for each byte, set for letters, digits and -_.~
var allowed = [256 / 64]uint64{0x03FF_6000_0000_0000, 0x47FF_FFFE_87FF_FFFE}
