package methods_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

func TestSpell(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, json, form string }{
		{"single", "document_number", "parameters.dl.document_number", "parameters[document_number]"},
		{"nested", "cart.items[0].recipient.city", "parameters.dl.cart.items[0].recipient.city", "parameters[cart][items][0][recipient][city]"},
		{"pattern", "marketPlace.sellers[].id", "parameters.dl.marketPlace.sellers[n].id", "parameters[marketPlace][sellers][n][id]"},
		{"list in list", "a[2][].b-c", "parameters.dl.a[2][n].b-c", "parameters[a][2][n][b-c]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path, err := methods.ParsePath(tc.path)
			require.NoError(t, err)
			require.Equal(t, tc.path, path.String())
			require.Equal(t, tc.json, path.Spell(methods.JSON, "dl"))
			require.Equal(t, tc.form, path.Spell(methods.Form, "dl"))
		})
	}
}

func TestNoPath(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", ".", "a.", ".a", "a..b", "a b", "a[", "a[]b", "[]", "[0].a", "a[-1]", "a[01]", "a[+1]", "a[10000]", "a[x]", "a]",
		"a[0]]", "é",
		strings.Repeat("a.", 16) + "a", "a" + strings.Repeat("[]", 16),
	} {
		_, err := methods.ParsePath(text)
		require.Error(t, err, "%q", text)
	}
}

func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{"a", "cart.items[].recipient.city", "a[0][].b", "a[", "..", "a[9999]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := methods.ParsePath(text)
		if err == nil {
			require.Equal(t, text, path.String())
		}
	})
}
