package keystest

import (
	"bytes"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

func sliceChecks() []check {
	return []check{
		{"a data key of the caller is only read and not kept", needs{}, checkDataKeyIn},
		{"wrapped bytes of the caller are only read and not kept", needs{}, checkWrappedIn},
		{"returned slices belong to the caller", needs{}, checkHandedOut},
	}
}

// margin is the room on both sides of a slice in its array.
const margin = 64

// amid returns a copy of b in the middle of a larger array, with room after it that append would use.
func amid(b []byte) (slice, array []byte) {
	array = bytes.Repeat([]byte{0xA5}, margin+len(b)+margin)
	copy(array[margin:], b)
	return array[margin : margin+len(b)], array
}

func checkDataKeyIn(p *probe) {
	dataKey := p.dataKey(keys.Size)
	slice, array := amid(dataKey)
	before := bytes.Clone(array)
	w := p.wrap(slice)
	require.True(p.tb, bytes.Equal(before, array), "Wrap wrote to the data key or beside it")
	clear(array)
	p.opens(w, dataKey, "after the caller overwrote the data key")
}

func checkWrappedIn(p *probe) {
	dataKey, w := p.wrapped()
	slice, array := amid(w.Bytes)
	before := bytes.Clone(array)
	p.opens(keys.Wrapped{KeyID: w.KeyID, Bytes: slice}, dataKey, "from another array")
	require.True(p.tb, bytes.Equal(before, array), "Unwrap wrote to the wrapped bytes or beside them")
	clear(array)
	p.opens(w, dataKey, "after the caller overwrote the wrapped bytes of the previous call")
}

func checkHandedOut(p *probe) {
	dataKey, w := p.wrapped()
	stored := keys.Wrapped{KeyID: w.KeyID, Bytes: bytes.Clone(w.Bytes)}
	clear(w.Bytes)
	want := bytes.Clone(p.lookup())
	for range 3 {
		p.opens(stored, dataKey, "after the caller overwrote what Wrap and Unwrap returned")
		got, err := p.tryUnwrap(p.tb.Context(), stored)
		require.NoError(p.tb, err)
		clear(got)
		key := p.lookup()
		require.True(p.tb, bytes.Equal(want, key), "the lookup key changed when the caller overwrote what was returned")
		clear(key)
	}
}
