package s2s_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// custom_data belongs to the merchant: any key is valid, numbers included, and comes back as it was sent. In
// parameters a number is the index of a list.
func TestNumbersAsKeysOfCustomData(t *testing.T) {
	t.Parallel()
	sent := fields{
		"custom_data[1234]": "x", "custom_data[007]": "y", "custom_data[-1]": "z", "custom_data[1e3]": "v",
		"custom_data[name]":     "n",
		"custom_data[items][0]": "a", "custom_data[items][1]": "b", "custom_data[items][7]": "h",
		"custom_data[rows][3][id]": "17",
	}
	for name, base := range map[string]fields{"card": sale("O-1"), "apm": apm("O-1")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := open(t)
			f := base
			for name, value := range sent {
				f = f.with(name, value)
			}
			shop.ok(t, "/post", f, "SUCCESS", "SETTLED")
			shop.Work(t)
			list := shop.Inbox.Fields(t)
			require.NotEmpty(t, list)
			for name, value := range sent {
				require.Equal(t, []string{value}, list[0][name], name)
			}
		})
	}
	refused := open(t).send(t, "/post", sale("O-1").with("parameters[cart][items][01][name]", "x"))
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Equal(t, []string{"parameters[cart][items]: index must be a whole number, 0..999999999"}, refused.errors())
}
