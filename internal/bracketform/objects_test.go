package bracketform_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// TestObjects: in the tree of a name in Objects, a number is a key like any other. The other names keep their
// lists, whatever their keys are.
func TestObjects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       object
		faults     string
	}{
		{"a number", "free[1234]=x", object{"free": object{"1234": "x"}}, ""},
		{"numbers of all kinds", "free[-1]=a&free[007]=b&free[7]=c&free[1e3]=d&free[999999999]=e",
			object{"free": object{"-1": "a", "007": "b", "7": "c", "1e3": "d", "999999999": "e"}}, ""},
		{"numbers and names", "free[0]=x&free[a]=y", object{"free": object{"0": "x", "a": "y"}}, ""},
		{"a list", "free[items][1]=b&free[items][0]=a", object{"free": object{"items": object{"0": "a", "1": "b"}}}, ""},
		{"gaps below", "free[0][5][n]=x", object{"free": object{"0": object{"5": object{"n": "x"}}}}, ""},
		{"another name", "p[0]=x&p[1]=y&free[3]=z", object{"p": list{"x", "y"}, "free": object{"3": "z"}}, ""},
		{"no value of its own", "free=x", object{"free": "x"}, ""},
		{"gap elsewhere", "p[1]=x&free[1]=y", object{"p": list{"x"}, "free": object{"1": "y"}}, ""},
		{"the name further down", "p[free][1]=x", object{"p": object{"free": list{"x"}}}, ""},
		{"one that begins like it", "freely[1]=x", object{"freely": list{"x"}}, ""},
		{"twice", "free[7]=x&free[7]=y", object{}, "free[7]: repeated field"},
		{"value and object", "free[7]=x&free[7][0]=y", object{}, "free[7]: must be one value or an object, not both"},
		{"appended", "free[]=x&free[7]=y&free[]=z", object{"free": object{"0": "x", "7": "y", "8": "z"}}, ""},
		{"too deep", "free[1][2][3][4][5][6][7]=x", object{}, "free: nested too deeply"},
	}
	limits := bracketform.Limits{Objects: []string{"free"}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			form, faults := bracketform.Parse([]byte(test.body), limits)
			if test.faults == "" {
				require.NoError(t, faults.Err())
			} else {
				require.EqualError(t, faults.Err(), test.faults)
			}
			require.Equal(t, test.want, trees(form))
			if faults == nil {
				again, faults := bracketform.Parse(bracketform.Encode(form), limits)
				require.NoError(t, faults.Err())
				require.Equal(t, test.want, trees(again))
			}
		})
	}
	form, _ := bracketform.Parse([]byte("custom_data[7]=x"), bracketform.Limits{Objects: []string{"custom_data"}})
	got, faults := sales.Fill(form)
	require.NoError(t, faults.Err())
	require.Equal(t, object{"7": "x"}, got.CustomData)
}
