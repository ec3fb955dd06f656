package store_test

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// anID is a UUID, as most ids are.
const anID = "0197b3a4-3c1e-7d52-8a00-ff01ab02cd03"

// TestKeyOfAnID: an id takes 16 bytes of a key, also at the beginning of a longer part, and reads back as it was.
func TestKeyOfAnID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, part string
		size       int
	}{
		{"an id", anID, 2 + 16 + 2},
		{"an id and a number", anID + ".0001", 2 + 16 + 5 + 2},
		{"an id and a NUL", anID + "\x00", 2 + 16 + 2 + 2},
		{"the first id", "00000000-0000-0000-0000-000000000000", 2 + 16 + 2},
		{"the last id", "ffffffff-ffff-ffff-ffff-ffffffffffff", 2 + 16 + 2},
		{"an id in capitals", strings.ToUpper(anID), 36 + 2},
		{"an id without its last digit", anID[:35], 35 + 2},
		{"an id with a space for a hyphen", strings.Replace(anID, "-", " ", 1), 36 + 2},
		{"an id with a letter too many", strings.Replace(anID, "f", "g", 1), 36 + 2},
		{"an id behind a letter", "x" + anID, 37 + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			key := store.Key(c.part)
			require.Len(t, key, c.size)
			parts, err := store.SplitKey(key)
			require.NoError(t, err)
			require.Equal(t, []string{c.part}, parts)
		})
	}
}

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
		{name: "an id is a part", prefix: []string{"p", anID}, key: []string{"p", anID, "1"}, want: true},
		{name: "half an id is not", prefix: []string{"p", anID[:35]}, key: []string{"p", anID}},
		{name: "nor is an id of a longer part", prefix: []string{"p", anID}, key: []string{"p", anID + ".0001"}},
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
	for _, key := range []string{"a", "a\x00", "a\x00\x02", "a\x00\xff", "\x00", "a\x00\x01b", anID + "\x00\x01",
		"\x00\x02", "\x00\x020123456789abcde\x00\x01", "a\x00\x020123456789abcdef\x00\x01"} {
		_, err := store.SplitKey([]byte(key))
		require.Error(t, err, "%q", key)
	}
}

// FuzzKey checks three properties of keys on two lists of parts, given as text with commas: a key reads back, it
// is a prefix exactly when its parts are, and keys sort as their lists do; a part that begins with an id comes before
// another text.
func FuzzKey(f *testing.F) {
	f.Add("o,m,1", "o,m,1,id")
	f.Add("o,ab,c", "o,a,bc")
	f.Add("a\x00,b", "a,\x00b")
	f.Add("a\x00\x01", "a")
	f.Add("\x00\xff,", "\x00,\xff")
	f.Add("p,"+anID, "p,"+anID+".0001")
	f.Add("p,"+anID, "p,"+strings.ToUpper(anID))
	f.Add("p,"+anID+"\x00", "p,\x00")
	id := regexp.MustCompile("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
	order := func(a, b string) int {
		class := func(part string) int {
			switch {
			case part == "":
				return 0
			case id.MatchString(part):
				return 1
			}
			return 2
		}
		return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(a, b))
	}
	f.Fuzz(func(t *testing.T, left, right string) {
		a, b := strings.Split(left, ","), strings.Split(right, ",")
		keyA, keyB := store.Key(a...), store.Key(b...)
		parts, err := store.SplitKey(keyA)
		require.NoError(t, err)
		require.Equal(t, a, parts)
		isPrefix := len(a) <= len(b) && slices.Equal(a, b[:len(a)])
		require.Equal(t, isPrefix, bytes.HasPrefix(keyB, keyA))
		require.Equal(t, slices.CompareFunc(a, b, order), bytes.Compare(keyA, keyB))
	})
}

// FuzzSplitKey checks that SplitKey reads only what Key writes.
func FuzzSplitKey(f *testing.F) {
	f.Add([]byte("a\x00\x01b\x00\xff\x00\x01"))
	f.Add([]byte("a\x00"))
	f.Add(store.Key(anID, anID+"\x00"))
	f.Add([]byte(anID + "\x00\x01"))
	f.Fuzz(func(t *testing.T, key []byte) {
		parts, err := store.SplitKey(key)
		if err == nil {
			require.Equal(t, string(key), string(store.Key(parts...)))
		}
	})
}

// A UUID is what has lower-case digits in all its places.
func TestDigitsOfUUIDs(t *testing.T) {
	t.Parallel()
	const id = "0123abcd-4567-89ef-0123-456789abcdef"
	for at := range id {
		for c := range 256 {
			part := id[:at] + string([]byte{byte(c)}) + id[at+1:]
			want := strings.IndexByte("0123456789abcdef", byte(c)) >= 0
			if id[at] == '-' {
				want = c == '-'
			}
			key := store.Key(part)
			require.Equal(t, want, key[0] == 0 && key[1] == 2, "%q", part)
			parts, err := store.SplitKey(key)
			require.NoError(t, err)
			require.Equal(t, []string{part}, parts)
		}
	}
}
