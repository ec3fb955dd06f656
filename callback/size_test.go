package callback_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tree string }{
		{"nothing", `{}`},
		{"a value", `{"a":"b"}`},
		{"what is escaped", `{"a b[c]=%":"ж & \" \u0001"}`},
		{"lists and objects", `{"items":[{"sku":"1","n":2,"ok":true},{"sku":null,"n":""}],"deep":{"a":{"b":{"c":[[["x"]]]}}}}`},
		{"a long key over many leaves", `{"` + strings.Repeat("k", 300) + `":[` + strings.Repeat(`"x",`, 99) + `"x"]}`},
		{"deeper than is sent", strings.Repeat(`{"a":`, 20) + `"x"` + strings.Repeat("}", 20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var tree any
			decoder := json.NewDecoder(strings.NewReader(c.tree))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&tree))
			made := len(callback.Encode(callback.Flatten("custom_data", tree)))
			size := callback.Size("custom_data", tree)
			require.GreaterOrEqual(t, size, made)
			require.LessOrEqual(t, size, made+1, "the first field has no ampersand")
		})
	}
}
