package keystest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

func wrapChecks() []check {
	return []check{
		{"what is wrapped opens again", needs{}, checkOpens},
		{"a data key of another size is an error", needs{}, checkSizes},
		{"an id that names no key is ErrGone", needs{}, checkUnknownID},
		{"the keys of another provider are ErrGone", needs{}, checkStranger},
		{"altered bytes are ErrBroken", needs{}, checkAltered},
		{"the id of another key is ErrBroken", needs{rotate: true}, checkOtherID},
	}
}

// checkOpens wraps several data keys before it opens the first, and one data key twice.
func checkOpens(p *probe) {
	var dataKeys [][]byte
	var all []keys.Wrapped
	for range 5 {
		dataKey, w := p.wrapped()
		dataKeys, all = append(dataKeys, dataKey, dataKey), append(all, w, p.wrap(dataKey))
	}
	for range 2 {
		for i, w := range all {
			p.opens(w, dataKeys[i], "what was just wrapped")
		}
	}
}

func checkSizes(p *probe) {
	for _, size := range []int{0, 1, 16, 24, keys.Size - 1, keys.Size + 1, 2 * keys.Size} {
		_, err := p.tryWrap(context.Background(), p.dataKey(size))
		require.Error(p.tb, err, "a data key of %d bytes", size)
	}
	_, err := p.tryWrap(context.Background(), nil)
	require.Error(p.tb, err, "no data key")
}

func checkUnknownID(p *probe) {
	dataKey, w := p.wrapped()
	for _, id := range []string{"keystest-" + rand.Text(), "x", w.KeyID + "-2"} {
		p.refuses(keys.Wrapped{KeyID: id, Bytes: w.Bytes}, keys.ErrGone, "an id that names no key")
	}
	p.opens(w, dataKey, "after unknown ids")
}

func checkStranger(p *probe) {
	_, w := p.wrapped()
	stranger := p.on(p.New(p.tb))
	stranger.refuses(w, keys.ErrGone, "a data key that another provider wrapped")
	require.False(p.tb, bytes.Equal(p.lookup(), stranger.lookup()), "two providers have one lookup key")
}

func checkAltered(p *probe) {
	dataKey, w := p.wrapped()
	other, _ := p.wrapped()
	require.NotEqual(p.tb, dataKey, other)
	for name, altered := range alterations(w.Bytes) {
		p.refuses(keys.Wrapped{KeyID: w.KeyID, Bytes: altered}, keys.ErrBroken, name)
	}
	p.opens(w, dataKey, "after altered bytes")
}

// alterations are bytes near to what Wrap returned: at most 128 with a flipped bit, and some that are shorter or
// longer.
func alterations(whole []byte) map[string][]byte {
	all := map[string][]byte{
		"no bytes": nil, "half of the bytes": whole[:len(whole)/2], "without the last byte": whole[:len(whole)-1],
		"without the first byte": whole[1:], "one byte more": append(bytes.Clone(whole), 0),
		"twice the bytes": append(bytes.Clone(whole), whole...),
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/128 {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		all[fmt.Sprintf("a flipped bit in byte %d", i)] = flipped
	}
	return all
}

func checkOtherID(p *probe) {
	firstKey, first := p.wrapped()
	p.Rotate(p.tb, p.provider)
	secondKey, second := p.wrapped()
	newer := keys.Wrapped{KeyID: second.KeyID, Bytes: first.Bytes}
	older := keys.Wrapped{KeyID: first.KeyID, Bytes: second.Bytes}
	p.refuses(newer, keys.ErrBroken, "an older key's bytes under a newer id")
	p.refuses(older, keys.ErrBroken, "a newer key's bytes under an older id")
	p.opens(first, firstKey, "under its own id")
	p.opens(second, secondKey, "under its own id")
}
