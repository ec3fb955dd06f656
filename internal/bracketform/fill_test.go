package bracketform_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

type currency string

type Payer struct {
	FirstName string `form:"payer_first_name"`
}

type sale struct {
	Action     string         `form:"action"`
	Currency   currency       `form:"order_currency"`
	Parameters map[string]any `form:"parameters"`
	Payees     []any          `form:"payee_identifications"`
	CustomData any            `form:"custom_data"`
	Payer
	Skipped int `form:"-"`
	own     string
}

var sales = bracketform.For[sale]()

func TestFill(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       sale
		fault      string
	}{
		{"nothing", "other=1", sale{}, ""},
		{
			"all", "action=SALE&order_currency=USD&parameters[a]=1&payee_identifications[0]=x&custom_data=y&payer_first_name=z&own=1",
			sale{
				Action: "SALE", Currency: "USD", Parameters: object{"a": "1"}, Payees: list{"x"}, CustomData: "y",
				Payer: Payer{"z"},
			}, "",
		},
		{"empty trees are absent", "parameters=&payee_identifications=&custom_data=", sale{CustomData: ""}, ""},
		{"tree of any shape", "custom_data[a][0]=1", sale{CustomData: object{"a": list{"1"}}}, ""},
		{
			"wrong shapes", "payee_identifications[a]=1&parameters[0]=1&action[0]=1&order_currency[a]=1", sale{},
			"action: must be one value; order_currency: must be one value; parameters: must be an object; payee_identifications: must be a list",
		},
		{"scalars for trees", "payee_identifications=1&parameters=1", sale{}, "parameters: must be an object; payee_identifications: must be a list"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			form, faults := bracketform.Parse([]byte(test.body), bracketform.Limits{})
			require.NoError(t, faults.Err())
			got, faults := sales.Fill(form)
			require.Equal(t, test.want, got)
			require.Empty(t, got.own)
			if test.fault == "" {
				require.NoError(t, faults.Err())
			} else {
				require.EqualError(t, faults.Err(), test.fault)
			}
		})
	}
	got, faults := sales.Fill(bracketform.Form{})
	require.Equal(t, sale{}, got)
	require.Nil(t, faults)
}

func TestForPanics(t *testing.T) {
	t.Parallel()
	tests := map[string]func(){
		"no struct": func() { bracketform.For[string]() },
		"no name":   func() { bracketform.For[struct{ A string }]() },
		"empty name": func() {
			bracketform.For[struct {
				A string `form:""`
			}]()
		},
		"not exported": func() {
			bracketform.For[struct {
				a string `form:"a"`
			}]()
		},
		"repeated name": func() {
			bracketform.For[struct {
				A, B string `form:"a"`
			}]()
		},
		"other type": func() {
			bracketform.For[struct {
				A int `form:"a"`
			}]()
		},
		"embedded pointer": func() { bracketform.For[struct{ *Payer }]() },
	}
	for name, call := range tests {
		require.Panics(t, call, name)
	}
}
