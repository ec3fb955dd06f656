package sessionjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// Fields that only Hosted Payment Fields have are unknown to Checkout, whatever their type (decision j).
func TestOnlyHostedReads(t *testing.T) {
	t.Parallel()
	sound := []byte(`{"return_url":"https://shop.example/","customer":{"name":"John Doe","ip":"203.0.113.7"},` +
		`"order":{"number":"1"}}`)
	odd := []byte(`{"return_url":5,"customer":{"name":"John Doe","ip":[]},"order":{"number":"1"}}`)
	_, r, err := sessionjson.Hosted(sound)
	require.NoError(t, err)
	require.Equal(t, "https://shop.example/", r.ReturnURL)
	require.Equal(t, gateway.Customer{Name: "John Doe", IP: "203.0.113.7"}, r.Customer)
	require.Equal(t, "1", r.Proof.Inputs.OrderNumber)
	for _, text := range [][]byte{sound, odd} {
		_, r, err = sessionjson.Checkout(text)
		require.NoError(t, err)
		require.Empty(t, r.Malformed)
		require.Empty(t, r.ReturnURL)
		require.Equal(t, gateway.Customer{Name: "John Doe"}, r.Customer)
	}
	_, r, err = sessionjson.Hosted(odd)
	require.NoError(t, err)
	require.Equal(t, []gateway.Fault{{Path: "return_url", Text: "must be a string"},
		{Path: "customer.ip", Text: "must be a string"}}, r.Malformed)
}

// A body that breaks off is reported as such, and nothing of it is used.
func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", `{"order":{`, `{"order":5,"x"`} {
		for _, read := range []func([]byte) (string, gateway.SessionRequest,
			error){sessionjson.Checkout, sessionjson.Hosted} {
			_, r, err := read([]byte(text))
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Zero(t, r)
		}
	}
}
