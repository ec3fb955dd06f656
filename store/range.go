package store

import "bytes"

// Range selects entries whose key begins with Prefix. From, when set, is where the scan starts: the first key at
// or after it, or with Reverse the last key at or before it. Limit bounds the number of entries; zero yields none,
// so that no scan is unbounded by accident.
type Range struct {
	Prefix  []byte
	From    []byte
	Limit   int
	Reverse bool
}

// Bounds returns the keys that a Range selects, before its Limit: all at or after low and before high, which is
// nil without an end. It combines Prefix, From and Reverse, so that every back end only walks between two keys.
func (r Range) Bounds() (low, high []byte) {
	low, high = r.Prefix, after(r.Prefix)
	switch {
	case len(r.From) == 0:
	case r.Reverse:
		if high == nil || bytes.Compare(r.From, high) < 0 {
			high = append(bytes.Clone(r.From), 0) // the smallest key after From, so that From is included
		}
	case bytes.Compare(r.From, low) > 0:
		low = r.From
	}
	return low, high
}

// after returns the first key after all that begin with prefix; nil without one.
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
