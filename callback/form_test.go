package callback

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		fields []Field
		want   string
	}{
		{"nothing", nil, ""},
		{"order kept", []Field{{"b", "2"}, {"a", "1"}}, "b=2&a=1"},
		{"repeated", []Field{{"a", "1"}, {"a", "2"}}, "a=1&a=2"},
		{"empty value", []Field{{"arn", ""}}, "arn="},
		{"date", []Field{{"date", "2022-10-26 11:51:53"}}, "date=2022-10-26+11%3A51%3A53"},
		{"brackets", []Field{{"custom_data[key]", "value"}}, "custom_data%5Bkey%5D=value"},
		{"mask", []Field{{"card", "411111******1111"}}, "card=411111%2A%2A%2A%2A%2A%2A1111"},
		{"UTF-8", []Field{{"n", "Zoë"}}, "n=Zo%C3%AB"},
		{"separators", []Field{{"n", "a&b=c;d+e%f\r\n"}}, "n=a%26b%3Dc%3Bd%2Be%25f%0D%0A"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Encode(c.fields))
		})
	}
}

func tree(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}

func TestFlatten(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, tree string
		want       []Field
	}{
		{"sorted", `{"b":"2","a":"1"}`, []Field{{"c[a]", "1"}, {"c[b]", "2"}}},
		{"nested", `{"a":{"b":["x","y"]}}`, []Field{{"c[a][b][0]", "x"}, {"c[a][b][1]", "y"}}},
		{"list", `["x"]`, []Field{{"c[0]", "x"}}},
		{"scalar", `"x"`, []Field{{"c", "x"}}},
		{"numbers as written", `[1e2,10.00,12345678901234567890,-0]`, []Field{{"c[0]", "1e2"}, {"c[1]", "10.00"}, {"c[2]", "12345678901234567890"}, {"c[3]", "-0"}}},
		{"bool", `[true,false]`, []Field{{"c[0]", "true"}, {"c[1]", "false"}}},
		{"without a value", `{"a":null,"b":"","d":{},"e":[],"f":[null,"x"]}`, []Field{{"c[f][1]", "x"}}},
		{"null", `null`, nil},
		{"names of ours", `{"hash":"x","payment_id":"y","__proto__":"z"}`, []Field{{"c[__proto__]", "z"}, {"c[hash]", "x"}, {"c[payment_id]", "y"}}},
		{"breaking out", `{"a]&hash=x[":"1"}`, []Field{{"c[a%5D&hash%3Dx%5B]", "1"}}},
		{"looks nested", `{"a][b":"1","a":{"b":"2"}}`, []Field{{"c[a][b]", "2"}, {"c[a%5D%5Bb]", "1"}}},
		{"looks escaped", `{"%5D":"1","]":"2"}`, []Field{{"c[%255D]", "1"}, {"c[%5D]", "2"}}},
		{"control bytes", `{"\u0000\n\u007f":"1"}`, []Field{{"c[%00%0A%7F]", "1"}}},
		{"other alphabets", `{"ключ é":"1"}`, []Field{{"c[ключ é]", "1"}}},
		{"empty key", `{"":"1"}`, []Field{{"c[]", "1"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Flatten("c", tree(t, c.tree)))
		})
	}
	require.Empty(t, Flatten("c", map[string]any{"a": struct{}{}, "b": 1.5}))
}

func TestFlattenDepth(t *testing.T) {
	t.Parallel()
	nest := func(depth int, leaf any) any {
		for i := range depth {
			if i%2 == 0 {
				leaf = map[string]any{"k": leaf}
			} else {
				leaf = []any{leaf}
			}
		}
		return leaf
	}
	require.Len(t, Flatten("c", nest(maxDepth, "x")), 1)
	require.Empty(t, Flatten("c", nest(maxDepth+1, "x")))

	loop := map[string]any{}
	loop["k"] = loop
	require.Empty(t, Flatten("c", loop))
}

func FuzzEncode(f *testing.F) {
	f.Add("id", "1", "custom_data[a]", "b c")
	f.Add("", "", "a", "a")
	f.Add("a;b", "\xff&=+%", "\x00", "é")
	f.Fuzz(func(t *testing.T, n1, v1, n2, v2 string) {
		fields := []Field{{n1, v1}, {n2, v2}, {n1, v2}}
		body := Encode(fields)
		want := url.Values{}
		for _, x := range fields {
			want.Add(x.Name, x.Value)
		}
		got, err := url.ParseQuery(body)
		require.NoError(t, err)
		require.Equal(t, want, got)

		for i, pair := range strings.Split(body, "&") {
			name, value, _ := strings.Cut(pair, "=")
			require.Equal(t, url.QueryEscape(fields[i].Name), name)
			require.Equal(t, url.QueryEscape(fields[i].Value), value)
		}
		for _, c := range body {
			require.True(t, c > ' ' && c < 0x7f)
		}
	})
}

// FuzzFlatten: each key stays one step under the prefix and can be read back.
func FuzzFlatten(f *testing.F) {
	f.Add("a", "b", "v")
	f.Add("a][b", "=x&hash", "v")
	f.Add("%5B", "[", "\x00")
	f.Fuzz(func(t *testing.T, k1, k2, v string) {
		if v == "" {
			return
		}
		fields := Flatten("custom_data", map[string]any{k1: map[string]any{k2: []any{v}}})
		require.Len(t, fields, 1)
		require.Equal(t, v, fields[0].Value)
		rest, ok := strings.CutPrefix(fields[0].Name, "custom_data[")
		require.True(t, ok)
		rest, ok = strings.CutSuffix(rest, "]")
		require.True(t, ok)
		steps := strings.Split(rest, "][")
		require.Len(t, steps, 3)
		for i, want := range []string{k1, k2, "0"} {
			key, err := url.PathUnescape(steps[i])
			require.NoError(t, err)
			require.Equal(t, want, key)
			require.NotContains(t, steps[i], "=")
		}
	})
}

func TestEncodeEveryByte(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		text := "a" + string([]byte{byte(c)}) + "b"
		require.Equal(t, "n="+url.QueryEscape(text), Encode([]Field{{"n", text}}))
	}
}
