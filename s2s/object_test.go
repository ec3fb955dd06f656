package s2s

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestObjectAsEncoded: an answer is what encoding/json writes of its members, in their order.
func TestObjectAsEncoded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		o := randomObject(r, 3)
		require.Equal(t, asEncoded(t, o), string(o.encode()))
	}
}

func randomObject(r *rand.Rand, depth int) object {
	texts := []string{"", "action", "SALE", "a&b<c>", `"`, `\`, "é", "\u2028", "\x00\x1f\x7f", "\xff", "a\nb\tc", "/"}
	o := object{}
	for range r.IntN(4) {
		o = append(o, member{texts[r.IntN(len(texts))], randomValue(r, texts, depth)})
	}
	return o
}

func randomValue(r *rand.Rand, texts []string, depth int) any {
	switch n := r.IntN(6); {
	case n == 0 && depth > 0:
		return randomObject(r, depth-1)
	case n == 1 && depth > 0:
		return []any{randomValue(r, texts, depth-1), randomValue(r, texts, depth-1)}
	case n == 2:
		return r.IntN(1_000_000)
	case n == 3:
		return r.IntN(2) == 0
	}
	return texts[r.IntN(len(texts))]
}

// asEncoded writes a value by encoding/json alone.
func asEncoded(t *testing.T, value any) string {
	t.Helper()
	text := ""
	switch value := value.(type) {
	case object:
		for _, m := range value {
			text += "," + asEncoded(t, m.name) + ":" + asEncoded(t, m.value)
		}
		return "{" + text[min(1, len(text)):] + "}"
	case []any:
		for _, item := range value {
			text += "," + asEncoded(t, item)
		}
		return "[" + text[min(1, len(text)):] + "]"
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(value))
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}
