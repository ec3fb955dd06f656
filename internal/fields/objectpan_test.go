package fields_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// TestObjectHoldsPANAsDecoded holds the search in the text of an object against a search in what a decoder reads.
func TestObjectHoldsPANAsDecoded(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	holds, free := 0, 0
	for range 20_000 {
		object := append(append([]byte{'{'}, members(r, 3)...), '}')
		require.True(t, json.Valid(object), "%s", object)
		want := decodedHoldsPAN(t, object)
		require.Equal(t, want, fields.ObjectHoldsPAN(object), "%s", object)
		if want {
			holds++
		} else {
			free++
		}
	}
	require.Greater(t, holds, 1000)
	require.Greater(t, free, 1000)
}

// members returns the inside of an object, with texts and numbers that have, or nearly have, a card number.
func members(r *rand.Rand, depth int) []byte {
	texts := []string{`"a"`, `""`, `"4111111111111111"`, `"4111 1111 1111 1111"`, `"\u0034111111111111111"`,
		`"41111111\n11111111"`,
		`"4111111111111112"`, `"\\"`, `"\"4111111111111111"`, `"GB4111111111111111"`, `"4111111111111111\\"`,
		"\"4111\xff11111111\"", `"c-18237"`, `"4111111111111111é"`}
	values := append([]string{`4111111111111111`, `-4111111111111111`, `41111111.11111111`, `4111111111111111e2`, `0`,
		`1.5`, `true`, `null`, `[]`, `{}`}, texts...)
	var out bytes.Buffer
	for i := range 1 + r.IntN(3) {
		if i > 0 {
			out.WriteString([]string{",", " ,\n"}[r.IntN(2)])
		}
		name := texts[r.IntN(2)]
		if r.IntN(20) == 0 {
			name = texts[r.IntN(len(texts))]
		}
		out.WriteString(name + []string{":", " : "}[r.IntN(2)])
		switch {
		case depth > 0 && r.IntN(3) == 0:
			out.WriteString("{" + string(members(r, depth-1)) + "}")
		case r.IntN(4) == 0:
			out.WriteString("[1," + values[r.IntN(len(values))] + "]")
		case r.IntN(3) == 0:
			out.WriteString(values[r.IntN(len(values))])
		default:
			out.WriteString(`"cart"`)
		}
	}
	return out.Bytes()
}

func decodedHoldsPAN(t *testing.T, object []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	for decoder.More() || decoder.InputOffset() < int64(len(object)) {
		token, err := decoder.Token()
		require.NoError(t, err)
		switch value := token.(type) {
		case string:
			if store.HoldsPAN(value) {
				return true
			}
		case json.Number:
			if store.HoldsPAN(value.String()) {
				return true
			}
		}
	}
	return false
}
