package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// If several methods cannot be used for a session, the error is of the one that passed most filters.
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
		_, err := kit.Shop().CreateSession(t.Context(), r)
		return err
	}
	require.ErrorIs(t, open("ORD-1", func(r *gateway.SessionRequest) {
		r.Extra.MOTOType = "phone_moto"
	}), gateway.ErrMOTORoute)
	require.ErrorIs(t, open("ORD-2", func(r *gateway.SessionRequest) {
		r.Order.Amount, r.Hold = "0.00", true
	}), gateway.ErrZeroRoute)
	crypto := func(r *gateway.SessionRequest) { r.Order.Currency, r.Order.Amount = "USDC", "1.000000" }
	require.ErrorIs(t, open("ORD-3", crypto), gateway.ErrCurrencyRoute, "no card is in a crypto currency")
}

// A method that is named twice is one choice.
func TestMethodsNamedTwice(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"card", "vcard", "card"}
	s, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)
	next, err := kit.NextAction(t.Context(), s.RedirectURL[len(gatewaytest.PublicURL+"/auth/"):])
	require.NoError(t, err)
	var codes []string
	for _, method := range next.Methods {
		codes = append(codes, method.Code)
	}
	require.Equal(t, []string{"card", "vcard"}, codes)
}

// A merchant has MIDs for cards and for Pix: a telephone order fails for that reason, not for the currency of Pix.
func TestRefusalBesideAnotherCurrency(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for _, mid := range []store.MID{
		{ID: "live", Methods: []string{"card"}}, {ID: "pix", Methods: []string{"pix"}, Currencies: []string{"BRL"}},
	} {
		mid.MerchantID, mid.Connector = gatewaytest.MerchantID, "vcard"
		require.NoError(t, kit.SaveMID(t.Context(), mid))
	}
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.MOTOType = "phone_moto"
	for _, methods := range [][]string{nil, {"pix", "card"}, {"card", "pix"}} {
		r.Methods = methods
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.Equal(t, 204025, gateway.AsError(err).Code(), "%q", methods)
	}
}

// A card is not charged in a cryptocurrency, on any protocol.
func TestNoCardInCrypto(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, kerneltest.Tether)
	r := kerneltest.Coins("10.000000")
	r.Methods = []string{"card"}
	_, err := kit.Shop().CreateSession(t.Context(), r)
	require.Equal(t, 204012, gateway.AsError(err).Code())
	_, err = kit.Shop().Charge(t.Context(),
		kerneltest.ChargeOf("ORD-2", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
			r.Order.Currency, r.Order.Amount = "USDT", "10.000000"
		}))
	require.Equal(t, 204012, gateway.AsError(err).Code())
	r.Methods = []string{"card", "helio"}
	next := kerneltest.NextActionOf(t, kit, kit.SessionOf(t, r))
	require.Len(t, next.Methods, 1)
	require.Equal(t, "helio", next.Methods[0].Code)
}
