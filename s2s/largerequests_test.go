package s2s_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// A request of any size within the limits has the same outcome as a small one: records, sealed values and
// callbacks have room for it in the worst encoding. A larger one is refused before the acquirer is called.
func TestLargeObjects(t *testing.T) {
	t.Parallel()
	leaves := func(name string, n int, value string) fields {
		f := fields{}
		for i := range n {
			f[fmt.Sprintf("%s[a%d]", name, i)] = value
		}
		return f
	}
	tooLarge := "custom_data: must be at most 262144 bytes as callbacks have it"
	for _, c := range []struct {
		name   string
		sent   fields
		refuse string
	}{
		{"letters of another script", fields{"custom_data[note]": strings.Repeat("ж", 12_000)}, ""},
		{"quotes", fields{"custom_data[note]": strings.Repeat(`"`, 30_000)}, ""},
		{"controls", leaves("custom_data", 10, strings.Repeat("\x01", 1_000)), ""},
		{"a long key over many leaves", fieldsUnder("custom_data["+strings.Repeat("k", 400)+"]", 900), tooLarge},
		{"parameters of 100 KB", leaves("parameters", 100, strings.Repeat("x", 1_000)), ""},
		{"angles in parameters", leaves("parameters", 40, strings.Repeat("<", 1_000)), ""},
		{"controls in parameters", leaves("parameters", 20, strings.Repeat("\x01", 1_000)), ""},
		{"parameters of 300 KB", leaves("parameters", 300, strings.Repeat("x", 1_000)), "parameters: must be at most 262144 bytes"},
	} {
		for _, card := range []struct{ name, month, result, status string }{
			{"settled", "01", "SUCCESS", "SETTLED"}, {"redirected", "05", "REDIRECT", "3DS"},
		} {
			t.Run(c.name+", "+card.name, func(t *testing.T) {
				t.Parallel()
				shop := open(t)
				require.NoError(t, shop.SaveMapping(t.Context(),
					store.Mapping{MerchantID: "m-test", Protocol: store.S2SCard, Cascade: true}))
				f := sale("O-1").expires(card.month, "2038")
				for name, value := range c.sent {
					f = f.with(name, value)
				}
				if c.refuse != "" {
					answer := shop.send(t, "/post", f)
					require.Equal(t, http.StatusBadRequest, answer.status)
					require.Contains(t, answer.errors(), c.refuse)
					return
				}
				shop.ok(t, "/post", f, card.result, card.status)
				shop.Work(t)
				list := shop.Inbox.Fields(t)
				require.Len(t, list, 1)
				for name, value := range c.sent {
					if strings.HasPrefix(name, "custom_data") {
						require.Equal(t, value, list[0].Get(name))
					}
				}
			})
		}
	}
}

func fieldsUnder(prefix string, n int) fields {
	f := fields{}
	for i := range n {
		f[fmt.Sprintf("%s[%d]", prefix, i)] = "x"
	}
	return f
}
