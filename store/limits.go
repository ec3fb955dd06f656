package store

import "bytes"

// Limits of what is stored, in bytes.
const (
	MaxKey   = 1024
	MaxValue = 1 << 20
)

// CheckKey is ErrKey unless key may be stored.
func CheckKey(key []byte) error {
	if len(key) == 0 || len(key) > MaxKey {
		return ErrKey
	}
	return nil
}

// CheckValue is ErrValue unless value may be stored. An empty value is one, nil is not.
func CheckValue(value []byte) error {
	if value == nil || len(value) > MaxValue {
		return ErrValue
	}
	return nil
}

// Bounds are the keys a Range selects, before its Limit: all at or after low and before high, which is
// nil when there is no end. It is the one place that knows how Prefix, From and Reverse meet, so that
// every back end only has to walk between two keys.
func (r Range) Bounds() (low, high []byte) {
	low, high = r.Prefix, after(r.Prefix)
	switch {
	case len(r.From) == 0:
	case r.Reverse:
		if high == nil || bytes.Compare(r.From, high) < 0 {
			high = append(bytes.Clone(r.From), 0) // the next key there can be, so that From is included
		}
	case bytes.Compare(r.From, low) > 0:
		low = r.From
	}
	return low, high
}

// after is the first key behind all that begin with prefix; nil when there is none.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xFF {
			next := bytes.Clone(prefix[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}
