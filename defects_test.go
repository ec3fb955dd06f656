package gateway_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// chooser is an acquirer whose payers choose 12.5.
type chooser struct{}

func (chooser) Perform(_ context.Context, op methods.Operation) methods.Answer {
	a := methods.Approved(op, "chosen")
	if op.Open {
		a.Amount = store.MustAmount("12.500000")
	}
	return a
}

// What the payer chose counts against the MID's limits once it is known, and a MID that took enough takes no
// amount that nobody knows.
func TestLimitsCountChosenAmounts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDC", Exponent: 6, Crypto: true}}
		cfg.Connectors["chain"] = chooser{}
	})
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "chain", MerchantID: gatewaytest.MerchantID, Connector: "chain",
		Methods: []string{"crypto-currency"}, Limits: store.Limits{Day: "20.000000"}}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Methods: []string{"card"}}))
	buy := func(order, amount string) error {
		_, err := kit.Charge(t.Context(), gateway.ChargeRequest{MerchantKey: gatewaytest.MerchantKey, Kind: store.Purchase, Method: "crypto-currency",
			Order:      store.Order{Number: order, Amount: amount, Currency: "USDC", Description: "Coins"},
			Parameters: []byte(`{"cryptoCurrency":"USDC","payment_currency":"USDC"}`)})
		return err
	}
	require.NoError(t, buy("ORD-1", ""))
	require.NoError(t, buy("ORD-2", ""), "12.5 of 20 were taken; this one goes beyond, which nobody could know")
	require.ErrorIs(t, buy("ORD-3", ""), gateway.ErrDayLimit)
	require.ErrorIs(t, buy("ORD-4", "1.000000"), gateway.ErrDayLimit)
}

// Of several methods that cannot take a session the one that came furthest says why.
func TestRefusalOfTheFurthestMethod(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDC", Exponent: 6, Crypto: true}}
	})
	for _, mid := range []store.MID{
		{ID: "live", Methods: []string{"card"}, Currencies: []string{"USD", "USDC"}},
		{ID: "other", Methods: []string{"vcard"}, Currencies: []string{"BRL"}},
	} {
		mid.MerchantID, mid.Connector = gatewaytest.MerchantID, "vcard"
		require.NoError(t, kit.SaveMID(t.Context(), mid))
	}
	open := func(order string, change func(*gateway.SessionRequest)) error {
		r := gatewaytest.Request(order, "10.00")
		r.Methods = nil
		change(&r)
		_, err := kit.CreateSession(t.Context(), r)
		return err
	}
	require.ErrorIs(t, open("ORD-1", func(r *gateway.SessionRequest) { r.Extra.MOTOType = "phone_moto" }), gateway.ErrMOTORoute)
	require.ErrorIs(t, open("ORD-2", func(r *gateway.SessionRequest) { r.Order.Amount, r.Hold = "0.00", true }), gateway.ErrZeroRoute)
	crypto := func(r *gateway.SessionRequest) { r.Order.Currency, r.Order.Amount = "USDC", "1.000000" }
	require.ErrorIs(t, open("ORD-3", crypto), gateway.ErrCurrencyRoute, "no card is in a crypto currency")
}

// A method that is named twice is one choice.
func TestMethodsNamedTwice(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"card", "vcard", "card"}
	s, err := kit.CreateSession(t.Context(), r)
	require.NoError(t, err)
	turn, err := kit.Turn(t.Context(), s.RedirectURL[len(gatewaytest.PublicURL+"/auth/"):])
	require.NoError(t, err)
	require.Len(t, turn.Methods, 2)
}
