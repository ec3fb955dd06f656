package sim

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"github.com/tollgatepay/gateway/store"
)

// presumed is what a request has read from what the store remembers, until its first transaction compares it.
type presumed struct {
	reads  map[string][]byte // nil for an absent key
	closed bool
	torn   bool
}

type presumedKey struct{}

func presumedIn(ctx context.Context) *presumed {
	p, _ := ctx.Value(presumedKey{}).(*presumed)
	return p
}

// compare returns ErrPresumed if something is not as it was presumed. What is, needs no other look.
func (p *presumed) compare(r store.Reader) error {
	if p == nil {
		return nil
	}
	p.closed = true
	for key, value := range p.reads {
		is, err := r.Get([]byte(key))
		if absent := errors.Is(err, store.ErrNotFound); absent != (value == nil) || !absent && !bytes.Equal(is, value) {
			p.torn = true
		}
	}
	if p.torn {
		return store.ErrPresumed
	}
	p.reads = nil
	return nil
}

// presumingReader keeps what is read.
type presumingReader struct {
	store.Reader
	reads   map[string][]byte
	scanned bool // which is not answered from memory
}

// Scan implements store.Reader.
func (r *presumingReader) Scan(rg store.Range) iter.Seq[store.Entry] {
	r.scanned = true
	return r.Reader.Scan(rg)
}

// Get implements store.Reader.
func (r *presumingReader) Get(key []byte) ([]byte, error) {
	value, err := r.Reader.Get(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		r.reads[string(key)] = nil
	case err == nil:
		r.reads[string(key)] = append([]byte{}, value...)
	}
	return value, err
}
