package bracketform_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/bracketform"
)

func TestSpell(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse([]byte("p[cart][items][7][name]=b&p[cart][items][5][name]=a&q[]=x&free[3]=y&z=1"),
		bracketform.Limits{Objects: []string{"free"}})
	require.NoError(t, faults.Err())
	for path, want := range map[string]string{
		"p[cart][items][0][name]":  "p[cart][items][5][name]",
		"p[cart][items][1][price]": "p[cart][items][7][price]",
		"p[cart][items][2][name]":  "p[cart][items][2][name]", // is not there
		"p[cart][items][x]":        "p[cart][items][x]",
		"p[cart][items]":           "p[cart][items]",
		"q[0]":                     "q[0]",
		"free[3]":                  "free[3]",
		"free[0]":                  "free[0]",
		"z":                        "z",
		"z[0][a]":                  "z[0][a]",
		"absent[0]":                "absent[0]",
		"a[":                       "a[",
		"":                         "",
	} {
		require.Equal(t, want, form.Spell(path), path)
	}
	require.Equal(t, "p[0]", (&bracketform.Form{}).Spell("p[0]"))
}
