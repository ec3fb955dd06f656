// Package ids makes what names records, and bytes that cannot be guessed.
package ids

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Source asks the host for identifiers and checks them.
type Source struct {
	Next func() string // Config.NewID

	mu   sync.Mutex
	last string
}

// Random reads bytes that cannot be guessed. The error names what they are for when there are none.
func Random(from io.Reader, size int, purpose string) ([]byte, error) {
	bytes := make([]byte, size)
	if _, err := io.ReadFull(from, bytes); err != nil {
		return nil, fmt.Errorf("no random bytes for %s: %w", purpose, err)
	}
	return bytes, nil
}

// maxID is how long an identifier may be. It stands in keys beside a merchant's id and an order number, in
// connectors' idempotency keys, callbacks and answers.
const maxID = 64

// NewID asks the host for an identifier. One that cannot be used is an error of ours (ErrInternal), written to
// the log; what asked for it fails with nothing stored.
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

// idFault says what is wrong with an identifier. The letters are those that stand in a URL, a header and a key
// as they are; keys of chains are told apart from their ids by a slash.
func idFault(id string) string {
	other := func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && !strings.ContainsRune("-_.~", c)
	}
	switch {
	case id == "":
		return "it is empty"
	case len(id) > maxID:
		return fmt.Sprintf("it is longer than %d bytes", maxID)
	case strings.ContainsFunc(id, other):
		return "only A to Z, a to z, 0 to 9 and -_.~ can stand in it"
	}
	return ""
}
