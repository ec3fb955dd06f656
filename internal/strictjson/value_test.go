package strictjson_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

func TestValueKeepsOrderAndDigits(t *testing.T) {
	t.Parallel()
	v, faults := strictjson.Parse([]byte(`{"z":1.50,"a":[true,false,null,"é\u2028<"],"m":{},"l":[],"__proto__":1e999999}`),
		strictjson.Limits{})
	require.NoError(t, faults.Err())
	require.Equal(t, `{"z":1.50,"a":[true,false,null,"é\u2028\u003c"],"m":{},"l":[],"__proto__":1e999999}`,
		string(v.AppendJSON(nil)))
	var names []string
	for name := range v.Members() {
		names = append(names, name)
	}
	require.Equal(t, []string{"z", "a", "m", "l", "__proto__"}, names)
	require.Equal(t, map[string]any{"z": json.Number("1.50"), "a": []any{true, false, nil, "é\u2028<"},
		"m": map[string]any{}, "l": []any{}, "__proto__": json.Number("1e999999")}, v.Any())
}

func TestValueAccess(t *testing.T) {
	t.Parallel()
	v, _ := strictjson.Parse([]byte(`{"list":["a",2],"flag":true,"none":null}`), strictjson.Limits{})
	require.Equal(t, strictjson.KindObject, v.Kind())
	require.Equal(t, 3, v.Len())
	require.Equal(t, strictjson.KindNull, v.Get("none").Kind())
	require.Equal(t, "true", v.Get("flag").Text())
	require.True(t, v.Get("List").IsZero())
	require.True(t, v.Get("list").Get("a").IsZero())
	items := slices.Collect(v.Get("list").Items())
	require.Equal(t, []string{"a", "2"}, []string{items[0].Text(), items[1].Text()})
	require.Equal(t, strictjson.Text("a"), items[0])
}

func TestBuiltValuesEqualReadOnes(t *testing.T) {
	t.Parallel()
	built := strictjson.NewObject(
		strictjson.Pair{Key: "cart", Value: strictjson.List(strictjson.Text("a"), strictjson.List())},
		strictjson.Pair{Key: "to", Value: strictjson.NewObject().Value},
	)
	read, faults := strictjson.Parse(built.AppendJSON(nil), strictjson.Limits{})
	require.NoError(t, faults.Err())
	require.Equal(t, read, built.Value)
	member := read.Get("cart")
	require.Equal(t, strictjson.List(member), strictjson.List(strictjson.List(strictjson.Text("a"), strictjson.List())))
}

func TestValueInRecords(t *testing.T) {
	t.Parallel()
	type record struct {
		Data strictjson.Object `json:"data,omitzero"`
		Any  strictjson.Value  `json:"any,omitzero"`
	}
	for _, c := range []struct{ name, body, want string }{
		{"object", `{"data":{"b":1,"a":"<"},"any":[1]}`, `{"data":{"b":1,"a":"\u003c"},"any":[1]}`},
		{"absent", `{}`, `{}`},
		{"null", `{"data":null,"any":null}`, `{"any":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var r record
			require.NoError(t, json.Unmarshal([]byte(c.body), &r))
			out, err := json.Marshal(r)
			require.NoError(t, err)
			require.Equal(t, c.want, string(out))
		})
	}
	var r record
	require.EqualError(t, json.Unmarshal([]byte(`{"data":[1]}`), &r), "must be an object")
	require.EqualError(t, json.Unmarshal([]byte(`{"any":{"a":1,"a":2}}`), &r), "a: repeated field")
}

func TestBrokenTextIsWrittenAsReplacement(t *testing.T) {
	t.Parallel()
	require.Equal(t, "\"a\uFFFD\x7fb\\u0001\\u0000\\\"\\\\\\n\\r\\t\u0080\"",
		string(strictjson.Text("a\xff\x7fb\x01\x00\"\\\n\r\t\u0080").AppendJSON(nil)))
	require.Equal(t, "null", string(strictjson.Value{}.AppendJSON(nil)))
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"empty", "", "body: must be valid JSON (byte 0)"},
		{"two", "1 2", "body: must be valid JSON (byte 2)"},
		{"NUL behind", "1\x00", "body: must be valid JSON (byte 1)"},
		{"entry", `["\u0000"]`, "[0]: must not contain NUL"},
		{"text", `"\u0000"`, "body: must not contain NUL"},
		{"long", `"123456789"`, "body: must be at most 10 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, faults := strictjson.Parse([]byte(c.body), strictjson.Limits{MaxBytes: 10})
			require.EqualError(t, faults.Err(), c.want)
			require.True(t, v.IsZero())
		})
	}
}
