package bracketform_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse([]byte("z=1 2&p[b][1]=ö&p[b][0]=%26&a="), bracketform.Limits{})
	require.NoError(t, faults.Err())
	require.Equal(t, "z=1+2&p%5Bb%5D%5B0%5D=%26&p%5Bb%5D%5B1%5D=%C3%B6&a=", string(bracketform.Encode(form)))
	checkRoundTrip(t, form)
}

func TestNew(t *testing.T) {
	t.Parallel()
	wide := object{}
	for i := range 10_001 {
		wide[fmt.Sprintf("k%d", i)] = "x"
	}
	loop := object{}
	loop["a"] = loop
	tests := []struct {
		name string
		tree object
		want string // "" if the tree is as sent
	}{
		{"scalars", object{"a": "1", "b": ""}, ""},
		{"tree", object{"p": object{"cart": list{object{"n": "1"}, object{"n": list{"2", "3"}}}}}, ""},
		{"brackets in a key", object{"p": object{"a][b": "x"}}, "p[a][b]: malformed parameter name"},
		{"brackets in a name", object{"p[a]": "x"}, "p[a]: malformed parameter name"},
		{"empty key", object{"p": object{"": "x"}}, "p[]: malformed parameter name"},
		{"NUL in a key", object{"p": object{"a\x00": "x"}}, "p[a…: malformed parameter name"},
		{"number as a key", object{"p": object{"7": "x"}}, "p[7]: malformed parameter name"},
		{"no Unicode", object{"p": list{"\xff"}}, "p[0]: must be valid Unicode text"},
		{"other type", object{"p": 1}, "p: must be text"},
		{"without end", loop, "a: nested too deeply"},
		{"too wide", object{"p": wide}, "body: too many parameters"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			form, faults := bracketform.New(test.tree)
			if test.want != "" {
				require.EqualError(t, faults.Err(), test.want)
				return
			}
			require.NoError(t, faults.Err())
			require.Equal(t, test.tree, trees(form))
			checkRoundTrip(t, form)
		})
	}
}

func TestNewLeaves(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.New(object{
		"n": json.Number("1.50"), "t": true, "f": false, "nil": nil, "o": object{}, "l": list{}, "p": list{object{}, nil},
	})
	require.NoError(t, faults.Err())
	require.Equal(t, object{"n": "1.50", "t": "true", "f": "false"}, trees(form))
	require.Equal(t, []string{"f", "n", "t"}, form.Names())
}
