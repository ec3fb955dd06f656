package fields_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// SPEC2: parameters stand under their method's code, and each set's rules hold for them.
func TestSessionParameters(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name       string
		methods    []string
		parameters string
		faults     []gateway.Fault
	}{
		{"none", nil, ``, nil},
		{"a whole set", []string{"billplz"}, `{"billplz":{"bank_code":"BOFAUS3N","bank_account_number":"12345678"}}`, nil},
		{"required and not sent", []string{"billplz"}, ``, []gateway.Fault{
			{Path: "parameters.billplz.bank_code", Text: "This value should not be blank."},
			{Path: "parameters.billplz.bank_account_number", Text: "This value should not be blank."}}},
		{"what the page can ask for", []string{"pyk-upi"}, ``, nil},
		{"unknown parameters are kept", []string{"card"}, `{"card":{"anything":"goes"}}`, nil},
		{"unknown codes are kept", []string{"card"}, `{"somebody-elses":{"x":"y"}}`, nil},
		{"no object", []string{"card"}, `{"card":"x"}`, []gateway.Fault{{Path: "parameters.card", Text: "must be an object"}}},
		{"a method of nobody", []string{"card", "moonpay-2"}, ``, []gateway.Fault{
			{Path: "methods[1]", Text: "The value you selected is not a valid choice."}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			r := gatewaytest.Request("ORD-1", "10.00")
			r.Methods = c.methods
			if c.parameters != "" {
				r.Parameters = json.RawMessage(c.parameters)
			}
			_, err := kit.Shop().CreateSession(t.Context(), r)
			if c.faults == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Equal(t, c.faults, gateway.AsError(err).Faults())
		})
	}
}

// Decision w: what a MID lists as needed is enforced, elsewhere it is optional.
func TestParametersThatAMIDNeeds(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Parameters = json.RawMessage(`{"card":{"shipping":{"city":"Oslo"}}}`)
	_, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)

	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
			Settings: map[string]string{"needed_parameters": "shipping.street1"}}))
	r.Order.Number = "ORD-2"
	_, err = kit.Shop().CreateSession(t.Context(), r)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Equal(t, "parameters.card.shipping.street1", gateway.AsError(err).Faults()[0].Path)
}

// A host registers a code of its own as a record; a wrong one is named by New.
func TestHostMethods(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(c *gateway.Config) {
		c.Methods = []methods.Method{{Code: "house-bank", Name: "House bank", Kind: methods.KindRedirect,
			Operations: []store.Operation{store.OpSale}}}
	})
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"house-bank"}
	_, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)

	_, err = gateway.New(gateway.Config{Methods: []methods.Method{{Code: "no good", Kind: "what"}}})
	require.ErrorContains(t, err, "Config.Methods")
	require.ErrorContains(t, err, "Config.Store")
}
