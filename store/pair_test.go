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
		})
	}
}
