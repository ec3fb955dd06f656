package strictjson_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

func seeds(f *testing.F) {
	f.Helper()
	for _, body := range []string{
		sessionBody, `{}`, `[]`, `null`, `"x"`, `{}{}`, `{"a":1,"a":2}`, `{"order":{"AMOUNT":"1"},"Order":{"amount":"2"}}`,
		`{"hash":"\ud800"}`, `{"hash":"\ud83d\ude00","h\u0061sh":"x"}`, `{"custom_data":{"a":[1,2.50,-0,1e9,{"b":null}]}}`,
		"{\"hash\":\"\xff\"}", `{"items":[{"name":"a","paid":true},{"paid":"Y"},null]}`,
		`{"size":"10","auth":"Y","rate":"1e5"}`,
		`{"x":[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]}`, `{"x":[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]}`,
		`{"consent":true,"recurring_init":null}`,
		`{"hash":"a\u0000","\u0000":1}`, " {\"operation\" :\t\"\\/\\n\"\r\n} ", `{"anything":null,"schedule_id":null}`,
	} {
		f.Add([]byte(body))
	}
}

// FuzzDecode compares with encoding/json: what we accept has the same meaning there, once the keys that it would
// fold are removed; what we refuse is invalid there as well or breaks one of our own rules.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(checkDecode)
}

func checkDecode(t *testing.T, body []byte) {
	ours, faults := sessions.Decode(body)
	for _, fault := range faults {
		require.NotEmpty(t, fault.Path)
		require.True(t, utf8.ValidString(fault.Path))
		require.NotContains(t, fault.Path, "\x00")
	}
	tree, wrong := reference(body)
	object, isObject := tree.(map[string]any)
	if faults != nil {
		require.LessOrEqual(t, len(faults), 51)
		if !wrong && isObject {
			require.NotContains(t, faults.Error(), "body: must be", "sound for encoding/json")
		}
		return
	}
	require.False(t, wrong, "accepted, but broken by the reference")
	require.True(t, isObject)
	var theirs plainSession
	exact, err := json.Marshal(onlyExact(object))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(exact, &theirs))
	require.Equal(t, theirs, plain(ours))
	if data, ok := object["custom_data"].(map[string]any); ok {
		require.Equal(t, data, ours.CustomData.Any())
	}
}

// FuzzTree checks both directions on values of any shape: we accept exactly what the reference accepts, with the
// same meaning, and writing the tree gives a document that reads as the same tree.
func FuzzTree(f *testing.F) {
	seeds(f)
	f.Fuzz(checkTree)
}

func checkTree(t *testing.T, body []byte) {
	v, faults := strictjson.Parse(body, strictjson.Limits{MaxDepth: 16})
	tree, wrong := reference(body)
	require.Equal(t, wrong, faults != nil, "%v", faults)
	if wrong {
		return
	}
	require.Equal(t, tree, v.Any())
	out := v.AppendJSON(nil)
	require.True(t, json.Valid(out))
	require.NotContains(t, string(out), "<")
	again, faults := strictjson.Parse(out, strictjson.Limits{MaxBytes: 1 << 30})
	require.NoError(t, faults.Err())
	require.Equal(t, v, again)
	require.Equal(t, out, again.AppendJSON(nil))
}

// TestRandomDocuments makes documents of fragments, valid and invalid ones, which random bytes would rarely form.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	accepted := 0
	for seed := range uint64(4000) {
		g := generator{rand.New(rand.NewPCG(seed, 7))}
		body := []byte(g.object(0))
		checkDecode(t, body)
		checkTree(t, body)
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, body)
		}
		if _, faults := sessions.Decode(body); faults == nil {
			accepted++
		}
	}
	require.Greater(t, accepted, 400, "too few sound documents to say anything")
	require.Less(t, accepted, 3600, "too few broken documents to say anything")
}

type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g generator) object(depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for n := range g.IntN(6) {
		if n > 0 {
			b.WriteString(g.pick(",", ",", ", ", "\n,"))
		}
		b.WriteString(g.key() + g.pick(":", ": ") + g.value(depth+1))
	}
	return b.String() + "}"
}

func (g generator) key() string {
	if g.IntN(60) == 0 {
		return g.pick(`"\ud800"`, `"a\u0000"`, "\"\xff\"", `a`, `""`)
	}
	return g.pick(`"operation"`, `"hash"`, `"h\u0061sh"`, `"Hash"`, `"haſh"`, `"methods"`, `"consent"`, `"recurring_init"`,
		`"order"`, `"amount"`, `"number"`, `"customer"`, `"name"`, `"NAME"`, `"items"`, `"paid"`, `"custom_data"`,
		`"card_token"`, `"error_url"`, `"billing_address"`, `"country"`, `"x"`, `"y"`, `"z"`, `"anything"`)
}

func (g generator) value(depth int) string {
	switch n := g.IntN(40); {
	case n < 8 && depth < 18:
		return g.object(depth)
	case n < 11 && depth < 18:
		return "[" + g.value(depth+1) + g.pick("", ",", ",") + g.value(depth+1) + "]"
	case n < 14:
		return g.pick("1", "-0.5", "1e999999", "0", "[]", "{}", "true", "false")
	case n < 20:
		return "null"
	case n == 20:
		return g.pick(`"\ud800"`, `"\udc00\ud800"`, `"\u0000"`, "\"\xff\"", "\"\n\"", "01", "nul", "", `"\x"`)
	}
	return g.pick(`"a"`, `"\ud83d\ude00"`, `"\u00e9é"`, `"\/\\\""`, `"\ufffd"`, `"<&> "`, `""`)
}
