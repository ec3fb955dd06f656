package checkout_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// FuzzCustomData sends any custom_data with a session, pays the session, and reads the callback. Accepted data
// comes back as the same tree under custom_data and nowhere else, with one field for each value, and every
// parameter of ours is the same as without it. Accepted data has at most 16 levels, 200 keys in an object and 64
// KiB.
func FuzzCustomData(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1}`, `{"cart":{"items":["tulip","rose"],"gift":true,"sum":2.50}}`,
		`{"hash":"0","payment_id":"x","__proto__":{"status":"settled"}}`,
		`{"a]":"x","]&hash=0[":"y","[":"z","=":"&","%5D":"w","":"e"}`, `{"a":null,"b":"","c":[],"d":{},"e":[null,""]}`,
		`{"a":1e400,"b":-0,"c":12345678901234567890123456789}`,
		`{"a":"\u0000"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":1,"a":2}`, `{"A":1,"a":2}`, `[]`, `"x"`, `null`,
		`{"0":"a","1":"b"}`, `{"card":"4111111111111111"}`,
		strings.Repeat(`{"a":`, 14) + `1` + strings.Repeat(`}`, 14),
		strings.Repeat(`{"a":`, 15) + `1` + strings.Repeat(`}`, 15),
		strings.Repeat(`{"a":`, 17) + `1` + strings.Repeat(`}`, 17),
		wideObject(200), wideObject(201), `{"a":"` + strings.Repeat("x", 60_000) + `"}`,
		`{"a":"` + strings.Repeat("x", 70_000) + `"}`, `{"\u2028":"\u202e","é":"ß"}`, `{"a":"<script>","b":true,"c":false}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, custom []byte) {
		kit := gatewaytest.New(t)
		plain := paid(t, kit, checkoutBody(nil))
		require.Len(t, plain, 1)
		kit = gatewaytest.New(t)
		found := paid(t, kit, checkoutBody(custom))
		if found == nil {
			return
		}
		decoder := json.NewDecoder(bytes.NewReader(custom))
		decoder.UseNumber()
		var tree any
		require.NoError(t, decoder.Decode(&tree))
		object, isObject := tree.(map[string]any)
		require.True(t, isObject || tree == nil || tree == "" || isEmptyList(tree), "%s", custom) // decision ap
		require.LessOrEqual(t, len(custom), 64<<10)
		require.Empty(t, requireBounds(t, tree, 1), "accepted data is within its bounds")
		want := map[string]string{}
		leaves("custom_data", object, want)
		got := map[string]string{}
		for name, values := range found[0] {
			if !strings.HasPrefix(name, "custom_data[") {
				require.Contains(t, plain[0], name, "an unknown parameter")
				continue
			}
			require.Len(t, values, 1, name)
			got[name] = values[0]
		}
		require.Equal(t, want, got)
		for _, name := range []string{"order_number", "order_amount", "order_currency", "order_description", "order_status",
			"type", "status", "hash"} {
			if name != "hash" {
				require.Equal(t, plain[0][name], found[0][name], name)
			}
			require.Len(t, found[0][name], 1, name)
		}
	})
}

// wideObject has n keys.
func wideObject(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = `"k` + strconv.Itoa(i) + `":1`
	}
	return "{" + strings.Join(keys, ",") + "}"
}

// checkoutBody returns a session request with this custom_data.
func checkoutBody(custom []byte) []byte {
	body := []byte(purchase().text())
	if custom == nil {
		return body
	}
	return append(append(append([]byte(`{"custom_data":`), custom...), ','), body[1:]...)
}

// paid pays a session and returns its callbacks, nil when the request is refused.
func paid(t *testing.T, kit *gatewaytest.Kit, body []byte) []url.Values {
	t.Helper()
	r := checkout.Do(t.Context(), kit.Gateway,
		checkout.Request{Path: pathSession, ContentType: "application/json", Body: body})
	if r.Status != 200 {
		require.Equal(t, 400, r.Status, "%s", r.Body)
		return nil
	}
	var answer struct {
		URL string `json:"redirect_url"`
	}
	require.NoError(t, json.Unmarshal(r.Body, &answer))
	kit.Pay(t, strings.TrimPrefix(answer.URL, gatewaytest.PublicURL+"/auth/"), gatewaytest.Settles)
	kit.Work(t)
	return kit.Inbox.Fields(t)
}

// requireBounds returns the first bound that a tree breaks.
func requireBounds(t *testing.T, tree any, depth int) string {
	t.Helper()
	switch node := tree.(type) {
	case map[string]any:
		if depth > 15 || len(node) > 200 { // the body itself is the first of 16 levels
			return "too deep or too wide"
		}
		for _, inner := range node {
			if fault := requireBounds(t, inner, depth+1); fault != "" {
				return fault
			}
		}
	case []any:
		if depth > 15 || len(node) > 1000 {
			return "too deep or too long"
		}
		for _, inner := range node {
			if fault := requireBounds(t, inner, depth+1); fault != "" {
				return fault
			}
		}
	}
	return ""
}

// leaves are the fields of a tree, named as in the documents. An empty value has no field.
func leaves(name string, tree any, into map[string]string) {
	escape := strings.NewReplacer("[", "%5B", "]", "%5D", "=", "%3D", "%", "%25")
	switch node := tree.(type) {
	case map[string]any:
		for key, inner := range node {
			leaves(name+"["+controls(escape.Replace(key))+"]", inner, into)
		}
	case []any:
		for i, inner := range node {
			leaves(name+"["+strconv.Itoa(i)+"]", inner, into)
		}
	case string:
		if node != "" {
			into[name] = node
		}
	case json.Number:
		into[name] = node.String()
	case bool:
		into[name] = strconv.FormatBool(node)
	}
}

// controls escapes the characters that a name must not have.
func controls(key string) string {
	var out strings.Builder
	for i := range len(key) {
		if c := key[i]; c < ' ' || c == 0x7f {
			out.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c)+0x100, 16)[1:]))
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func isEmptyList(tree any) bool {
	list, ok := tree.([]any)
	return ok && len(list) == 0
}
