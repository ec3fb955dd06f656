package keystest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

func lookupChecks() []check {
	return []check{
		{"the lookup key stays the same", needs{}, checkLookupStays},
		{"the lookup key is none of the wrapping keys", needs{}, checkLookupApart},
		{"the lookup key survives rotation", needs{rotate: true}, checkLookupRotated},
		{"the lookup key survives a destroyed key", needs{rotate: true, destroy: true}, checkLookupDestroyed},
		{"the lookup key survives a restart", needs{reopen: true}, checkLookupReopened},
	}
}

// sameLookup requires that the lookup key is still want.
func (p *probe) sameLookup(want []byte, why string) {
	require.True(p.tb, bytes.Equal(want, p.lookup()), "the lookup key has changed: %s", why)
}

func checkLookupStays(p *probe) {
	want := p.lookup()
	for range 3 {
		p.wrapped()
		p.sameLookup(want, "at a later call")
	}
}

// checkLookupApart requires that the lookup key is not part of what Wrap returns and does not open it as a key of
// AES-256-GCM.
func checkLookupApart(p *probe) {
	lookup := p.lookup()
	dataKey, w := p.wrapped()
	require.False(p.tb, shows(w.KeyID+"\n"+string(w.Bytes), lookup), "a wrapped data key shows the lookup key")
	require.False(p.tb, opensGCM(lookup, w.Bytes, dataKey), "the lookup key opens what Wrap wrapped")
}

// opensGCM reports whether wrapped is dataKey under AES-GCM with key, for any additional data and any place of the
// nonce: GCM enciphers by a counter that begins with the nonce and the number 2.
func opensGCM(key, wrapped, dataKey []byte) bool {
	const nonceSize = 12
	block, err := aes.NewCipher(key)
	if err != nil {
		return false
	}
	for i := 0; i+nonceSize <= len(wrapped); i++ {
		counter := append(bytes.Clone(wrapped[i:i+nonceSize]), 0, 0, 0, 2)
		sealed := make([]byte, len(dataKey))
		cipher.NewCTR(block, counter).XORKeyStream(sealed, dataKey)
		if bytes.Contains(wrapped, sealed) {
			return true
		}
	}
	return false
}

func checkLookupRotated(p *probe) {
	want := p.lookup()
	for range 3 {
		p.Rotate(p.tb, p.provider)
		p.sameLookup(want, "after a rotation")
		dataKey, w := p.wrapped()
		require.False(p.tb, opensGCM(want, w.Bytes, dataKey), "the lookup key opens what a later key wrapped")
	}
}

func checkLookupDestroyed(p *probe) {
	want := p.lookup()
	_, w := p.wrapped()
	p.Rotate(p.tb, p.provider)
	p.Destroy(p.tb, p.provider, w.KeyID)
	p.sameLookup(want, "after a key was destroyed")
}

func checkLookupReopened(p *probe) {
	want := p.lookup()
	again := p.on(p.Reopen(p.tb, p.provider))
	again.sameLookup(want, "after a restart")
	require.Len(p.tb, want, keys.Size)
}
