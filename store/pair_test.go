package store_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestPair(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name       string
		key, value []byte
	}{
		{"short", []byte("k"), []byte("v")},
		{"value is empty", []byte("k"), []byte{}},
		{"no value", []byte("k"), nil},
		{"key of 255 bytes", bytes.Repeat([]byte("k"), 255), []byte("v")},
		{"key of 256 bytes", bytes.Repeat([]byte("k"), 256), nil},
		{"largest", bytes.Repeat([]byte{0xFF}, store.MaxKey), make([]byte, store.MaxValue)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pair := store.NewPair(c.key, c.value)
			require.Equal(t, string(c.key), pair.Key())
			require.Equal(t, string(c.value), pair.Value())
			require.Equal(t, c.value != nil, pair.HasValue())
			parsed, err := store.ParsePair([]byte(pair))
			require.NoError(t, err)
			require.Equal(t, pair, parsed)
		})
	}
}

func TestParsePairRefuses(t *testing.T) {
	t.Parallel()
	largest := []byte(store.NewPair(bytes.Repeat([]byte("k"), store.MaxKey), make([]byte, store.MaxValue)))
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"nothing", nil},
		{"half a length", []byte{0x80}},
		{"no key", []byte{0x80, 0, 'v'}},
		{"a key that is cut", []byte{0, 2, 'k'}},
		{"a value that should not be there", []byte{0, 1, 'k', 'v'}},
		{"a key that is too long", append([]byte{0x84, 1}, make([]byte, store.MaxKey+1)...)},
		{"a value that is too long", append(largest, 'v')},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := store.ParsePair(c.text)
			require.Error(t, err)
		})
	}
}
