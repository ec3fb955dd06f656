package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
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

// The same of every other field that takes any text.
func TestCardNumbersInOtherTexts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	const pan = "4111 1111 1111 1111"
	for path, change := range map[string]func(*gateway.SessionRequest){
		"billing_address.city":           func(r *gateway.SessionRequest) { r.Billing.City = pan },
		"billing_address.address":        func(r *gateway.SessionRequest) { r.Billing.Address = pan },
		"billing_address.district":       func(r *gateway.SessionRequest) { r.Billing.District = pan },
		"billing_address.language":       func(r *gateway.SessionRequest) { r.Language = pan },
		"payee_billing_address.city":     func(r *gateway.SessionRequest) { r.PayeeBilling.City = pan },
		"payee_billing_address.address":  func(r *gateway.SessionRequest) { r.PayeeBilling.Address = pan },
		"payee_billing_address.district": func(r *gateway.SessionRequest) { r.PayeeBilling.District = pan },
	} {
		r := gatewaytest.Request("ORD-1", "10.00")
		change(&r)
		_, err := kit.CreateSession(t.Context(), r)
		require.Contains(t, gateway.AsError(err).Faults, gateway.Fault{Path: path, Text: "must not hold a card number"}, path)
	}
	for name, change := range map[string]func(*gateway.ChargeRequest){
		"payer_first_name":  func(r *gateway.ChargeRequest) { r.Payer.FirstName = pan },
		"payer_middle_name": func(r *gateway.ChargeRequest) { r.Payer.MiddleName = pan },
		"payer_last_name":   func(r *gateway.ChargeRequest) { r.Payer.LastName = pan },
		"payer_address2":    func(r *gateway.ChargeRequest) { r.Payer.Address.Address2 = pan },
		"payer_present":     func(r *gateway.ChargeRequest) { r.PayerPresent = pan },
		"payee_city":        func(r *gateway.ChargeRequest) { r.Payee = &store.Payer{Address: store.Address{City: pan}} },
	} {
		_, err := kit.Charge(t.Context(), chargeOf("ORD-1", gatewaytest.Settles, change, func(r *gateway.ChargeRequest) { r.Protocol = store.S2SCard }))
		require.Equal(t, []gateway.Fault{{Path: name, Text: "must not hold a card number"}}, gateway.AsError(err).Faults, name)
	}
	require.Empty(t, kit.Charges(t))
}
