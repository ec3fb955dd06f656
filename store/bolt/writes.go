package bolt

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// writes is what a transaction has written, ordered by key, each key once; a pair without a value removes its key. A
// sorted slice is fastest for the few writes of a payment, and acceptable for ten thousand.
type writes []store.Pair

// find returns the place of the first write at or after key, and whether that write has the key.
func find[K ~string | ~[]byte](ws writes, key K) (int, bool) {
	low, high := 0, len(ws)
	for low < high {
		middle := int(uint(low+high) / 2)
		if ws[middle].Key() < string(key) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(ws) && ws[low].Key() == string(key)
}

// give records a change.
func (ws *writes) give(pair store.Pair) {
	i, found := find(*ws, pair.Key())
	if !found {
		*ws = slices.Insert(*ws, i, "")
	}
	(*ws)[i] = pair
}

// between returns the writes at or after low and before high (nil: to the end).
func (ws writes) between(low, high []byte) writes {
	end := len(ws)
	if high != nil {
		end, _ = find(ws, high)
	}
	start, _ := find(ws, low)
	return ws[min(start, end):end]
}
