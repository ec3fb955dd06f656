package store

import "bytes"

// Range selects entries whose key begins with Prefix. From, when set, is where the scan starts: the
// first key at or after it, or with Reverse the last key at or before it. Limit bounds the number of
// entries; the zero value yields none, so that no scan is unbounded by accident.
type Range struct {
	Prefix  []byte
	From    []byte
	Limit   int
	Reverse bool
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
