package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// reliability.md, row 84: a card number in free text is refused and stored nowhere; other numbers are fine.
func TestCardNumbersInFreeText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"a card", "4111111111111111", true},
		{"within words", "paid with 5555 5555 5555 4444 yesterday", true},
		{"with dashes", "3782-822463-10005", true},
		{"not by Luhn", "4111111111111112", false},
		{"of no network", "7992 7398 7130 0000", false},
		{"an order reference", "2027031012345678901234", false},
		{"a phone", "+49 170 1234567", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			described, custom := gatewaytest.Request("ORD-1", "10.00"), gatewaytest.Request("ORD-2", "10.00")
			described.Order.Description = c.text
			custom.CustomData = []byte(`{"note":"` + c.text + `"}`)
			_, err := kit.CreateSession(t.Context(), described)
			_, err2 := kit.CreateSession(t.Context(), custom)
			if !c.refused {
				require.NoError(t, err)
				require.NoError(t, err2)
				return
			}
			text := "must not hold a card number"
			require.Equal(t, []gateway.Fault{{Path: "order.description", Text: text}}, gateway.AsError(err).Faults)
			require.Equal(t, []gateway.Fault{{Path: "custom_data", Text: text}}, gateway.AsError(err2).Faults)
		})
	}
}
