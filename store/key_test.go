package store_test

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestKeyPrefixes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		prefix, key []string
		want        bool
	}{
		{name: "the first parts are a prefix", prefix: []string{"o", "m", "1"}, key: []string{"o", "m", "1", "id"}, want: true},
		{name: "the whole key is", prefix: []string{"o", "m"}, key: []string{"o", "m"}, want: true},
		{name: "no parts are a prefix of every key", key: []string{"o", "m"}, want: true},
		{name: "half a part is not", prefix: []string{"o", "m"}, key: []string{"o", "mm", "1"}},
		{name: "parts are not joined", prefix: []string{"o", "ab", "c"}, key: []string{"o", "a", "bc", "id"}},
		{name: "an empty part is a part", prefix: []string{"o", ""}, key: []string{"o", "m"}},
		{name: "a NUL ends no part", prefix: []string{"o", "a"}, key: []string{"o", "a\x00\x01", "x"}},
		{name: "nor does a slash", prefix: []string{"o", "a"}, key: []string{"o/a", "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, bytes.HasPrefix(store.Key(c.key...), store.Key(c.prefix...)))
		})
	}
}

func TestSplitKeyRefuses(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"a", "a\x00", "a\x00\x02", "a\x00\xff", "\x00", "a\x00\x01b"} {
		_, err := store.SplitKey([]byte(key))
		require.Error(t, err, "%q", key)
	}
}

// FuzzKey checks three properties of keys on two lists of parts, given as text with commas: a key reads back, it
// is a prefix exactly when its parts are, and keys sort as their lists do.
func FuzzKey(f *testing.F) {
	f.Add("o,m,1", "o,m,1,id")
	f.Add("o,ab,c", "o,a,bc")
	f.Add("a\x00,b", "a,\x00b")
	f.Add("a\x00\x01", "a")
	f.Add("\x00\xff,", "\x00,\xff")
	f.Fuzz(func(t *testing.T, left, right string) {
		a, b := strings.Split(left, ","), strings.Split(right, ",")
		keyA, keyB := store.Key(a...), store.Key(b...)
		parts, err := store.SplitKey(keyA)
		require.NoError(t, err)
		require.Equal(t, a, parts)
		isPrefix := len(a) <= len(b) && slices.Equal(a, b[:len(a)])
		require.Equal(t, isPrefix, bytes.HasPrefix(keyB, keyA))
		require.Equal(t, slices.CompareFunc(a, b, cmp.Compare[string]), bytes.Compare(keyA, keyB))
	})
}

// FuzzSplitKey checks that SplitKey reads only what Key writes.
func FuzzSplitKey(f *testing.F) {
	f.Add([]byte("a\x00\x01b\x00\xff\x00\x01"))
	f.Add([]byte("a\x00"))
	f.Fuzz(func(t *testing.T, key []byte) {
		parts, err := store.SplitKey(key)
		if err == nil {
			require.Equal(t, string(key), string(store.Key(parts...)))
		}
	})
}
