package wallet_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// FuzzTamper changes one byte in one text of a good token, directly or under its base64. The token does not open,
// or opens as the same card; only a change of white space or of unsigned parts does that.
func FuzzTamper(f *testing.F) {
	ax, a := appleFixture(f)
	gx, g := googleFixture(f)
	for i := range uint8(16) {
		f.Add(i%2 == 0, i, i, uint16(i)*31, byte(1), i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, isApple bool, n, leaf uint8, at uint16, mask byte, under bool) {
		x, o := gx, opener(g)
		if isApple {
			x, o = ax, a
		}
		token := x.Tokens[int(n)%len(x.Tokens)]
		want, err := o.Open(token, x.Now)
		requireOpened(t, err)
		var tree any
		require.NoError(t, json.Unmarshal(token, &tree))
		changed := changeLeaf(t, tree, int(leaf), int(at), mask, under)
		text := wallettest.JSON(t, changed)
		if bytes.Equal(text, token) {
			t.Skip()
		}
		opened, err := o.Open(text, x.Now)
		if err != nil {
			require.Nil(t, opened)
			causeOf(t, err)
			return
		}
		require.Equal(t, plain(want), plain(opened))
	})
}

// changeLeaf changes one byte of the nth text of a tree, in a fixed order. A text that is itself a document is
// decoded first.
func changeLeaf(t *testing.T, tree any, n, at int, mask byte, under bool) any {
	t.Helper()
	total := 0
	walkTexts(tree, func(text string) string { total++; return text })
	place := 0
	return walkTexts(tree, func(text string) string {
		place++
		if place-1 != n%total || text == "" {
			return text
		}
		raw := []byte(text)
		if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && under && len(decoded) > 0 {
			decoded[at%len(decoded)] ^= mask
			return encode(decoded)
		}
		raw[at%len(raw)] ^= mask
		return string(raw)
	})
}

// walkTexts rebuilds a tree with each of its texts replaced.
func walkTexts(tree any, replace func(string) string) any {
	switch node := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(node)) {
			out[key] = walkTexts(node[key], replace)
		}
		return out
	case []any:
		out := make([]any, len(node))
		for i, inner := range node {
			out[i] = walkTexts(inner, replace)
		}
		return out
	case string:
		var inner map[string]any
		if strings.HasPrefix(node, "{") && json.Unmarshal([]byte(node), &inner) == nil {
			text, _ := json.Marshal(walkTexts(inner, replace))
			return string(text)
		}
		return replace(node)
	}
	return tree
}

// FuzzDER makes signatures of repeated bytes, nested and with false lengths. Each is refused with memory in
// proportion to its length.
func FuzzDER(f *testing.F) {
	x, a := appleFixture(f)
	for _, bomb := range [][2][]byte{
		{nil, {0x30, 0x80}}, {nil, {0x30, 0x84, 0x7f, 0xff, 0xff, 0xff}}, {{0x30, 0x83, 0x00, 0xff, 0xff}, {0x02, 0x01, 0x00}}, {{0x30, 0x80}, {0x24, 0x80}},
		{{0x30, 0x80}, {0x04, 0x00}}, {nil, {0x31, 0x02}}, {{0x06}, {0xff}}, {{0x30, 0x82, 0x7f, 0xfa}, {0x05, 0x00}}, {{0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31}, {0x80}},
		{nil, {0xa0, 0x80}}, {nil, {0x1f, 0xff}},
	} {
		f.Add(bomb[0], bomb[1], uint16(16_000))
		f.Add(bomb[0], bomb[1], uint16(40))
	}
	f.Fuzz(func(t *testing.T, head, piece []byte, times uint16) {
		if len(piece) > 64 || len(head) > 4096 {
			t.Skip()
		}
		signature := append(bytes.Clone(head), bytes.Repeat(piece, min(int(times), 32_000/max(len(piece), 1)))...)
		token := object(t, x.Tokens[0])
		put("paymentData.signature", encode(signature))(token)
		text := wallettest.JSON(t, token)
		spent := ^uint64(0)
		var before, after runtime.MemStats
		for range 4 { // other goroutines allocate too
			runtime.ReadMemStats(&before)
			opened, err := a.Open(text, x.Now)
			runtime.ReadMemStats(&after)
			spent = min(spent, after.TotalAlloc-before.TotalAlloc)
			require.Error(t, err)
			require.Nil(t, opened)
		}
		require.Less(t, spent, uint64(16*len(text)+1<<20))
	})
}
