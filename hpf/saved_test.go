package hpf_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// saved returns the token of a card that an earlier payment saved.
func (s *shop) saved(t testing.TB, order string, card methods.Card) string {
	t.Helper()
	s.pay(t, s.collected(t, card, set("order.number", order), set("req_token", true)))
	token := s.Payment(t, order).CardToken
	require.Len(t, token, 64)
	s.Advance(t, time.Minute)
	return token
}

// A saved card of the token request skips card entry (SPEC1, card_token): it is charged when no card was
// collected, by the endpoint of either operation.
func TestPaySavedCard(t *testing.T) {
	t.Parallel()
	for operation, path := range map[string]string{"purchase": pathPurchase, "debit": pathDebit} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			require.NoError(t, s.SaveMID(t.Context(), store.MID{
				ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", COF: true}))
			saved := s.saved(t, "ORD-0", gatewaytest.Settles)
			token := s.token(t, set("operation", operation), set("card_token", []string{saved}))
			s.update(t, token, set("order_amount", "12.00"))
			got := s.under(t, token, path, payment())
			require.Equal(t, 200, got.status, got.body)
			require.Equal(t, "success", decodePaid(t, got.body).Result)
			p := s.Payment(t, "ORD-1")
			require.Equal(t, store.Settled, p.Status)
			require.Equal(t, "12.00", p.Order.Amount)
			require.Equal(t, gatewaytest.Settles.PAN.Mask(), p.Card.Mask)
			require.Equal(t, saved, p.CardToken)
			list, err := s.Operator().Transactions(t.Context(), p.ID)
			require.NoError(t, err)
			require.NotEmpty(t, list[0].Credential, "the acquirer gets the reference of the registered card")
			requireError(t, s.under(t, token, pathUpdate, object{"order_amount": "5.00"}), noUpdate)
		})
	}
}

// A typed card takes precedence over a saved one, and a repeated payment does not use the saved one either.
func TestPayCollectedBeforeSaved(t *testing.T) {
	t.Parallel()
	s := open(t)
	saved := s.saved(t, "ORD-0", gatewaytest.Settles)
	token := s.collected(t, gatewaytest.Declines, set("card_token", []string{saved}))
	s.update(t, token, set("req_token", true))
	require.Equal(t, "decline", s.pay(t, token).Result)
	charges := len(s.Charges(t))
	requireFaults(t, s.under(t, token, pathPurchase, payment()), "card_number"+blank)
	require.Len(t, s.Charges(t), charges)
	s.collect(t, token, gatewaytest.Settles)
	require.Equal(t, "success", s.pay(t, token).Result)
	require.Empty(t, s.Payment(t, "ORD-1").CardToken, "with a token req_token is ignored (decision be)")
}

// No payer is present to choose among saved cards, so none of several is charged; a typed card still works.
func TestPaySeveralSavedCards(t *testing.T) {
	t.Parallel()
	s := open(t)
	one, two := s.saved(t, "ORD-0", gatewaytest.Settles), s.saved(t, "ORD-00", gatewaytest.Settles)
	token := s.token(t, set("card_token", []string{one, two}))
	charges := len(s.Charges(t))
	requireFaults(t, s.under(t, token, pathPurchase, payment()),
		"card_token: only one can be charged without a choice of the payer's")
	require.Len(t, s.Charges(t), charges)
	s.collect(t, token, gatewaytest.Settles)
	require.Equal(t, "success", s.pay(t, token).Result)
}
