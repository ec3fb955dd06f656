package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// submit is Pay with everything that the form may send.
func (s *shop) submit(t testing.TB, link string, in gateway.Submission) *gateway.NextAction {
	t.Helper()
	before, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	in.Attempt, in.IP = before.Attempt, "203.0.113.7"
	next, err := s.PaySession(t.Context(), link, in)
	require.NoError(t, err)
	return next
}

func payeeCard(t testing.TB) store.PAN {
	t.Helper()
	pan, err := store.ParsePAN("5555555555554444")
	require.NoError(t, err)
	return pan
}

// operation transfer, with a payee.
func TestSPEC1Transfer(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t, set("operation", "transfer"), set("payee.name", "Jane Roe"))
	s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles, PayeeCard: payeeCard(t)})
	form := s.callbackOf(t, "ORD-1")
	require.Equal(t, []string{"transfer", "success", "settled", "Jane Roe", "555555******4444"},
		[]string{form.Get("type"), form.Get("status"), form.Get("order_status"), form.Get("payee_name"),
			form.Get("payee_card")})
}

// "Transfer with amount equal to -1: the page shows an empty amount field"; callbacks, status and the hash of the
// return have the amount that the payer chose.
func TestSPEC1TransferOfAnOpenAmount(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t, set("operation", "transfer"), set("payee.name", "Jane Roe"), set("order.amount", "-1"))
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.True(t, next.NeedAmount)
	for _, amount := range []string{"", "-1", "0.00", "12.345", "ten"} {
		_, err := s.PaySession(t.Context(), link,
			gateway.Submission{Card: gatewaytest.Settles, PayeeCard: payeeCard(t), Amount: amount})
		require.ErrorIs(t, err, gateway.ErrInvalid, amount)
	}
	s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles, PayeeCard: payeeCard(t), Amount: "12.34"})
	require.Equal(t, "12.34", s.callbackOf(t, "ORD-1").Get("order_amount"))
	require.Equal(t, "12.34", ok[payment](t, s, pathStatus, byOrder("ORD-1")).Order["amount"])
}

// "-1" is valid for transfers only.
func TestSPEC1OpenAmountOfOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, operation := range []string{"purchase", "debit", "credit"} {
		edits := []edit{set("operation", operation), set("order.amount", "-1")}
		if operation == "credit" {
			edits = append(edits, set("payee.name", "Jane Roe"))
		}
		requireFaults(t, s.post(t, pathSession, purchase(edits...)), negative)
	}
}

// "Purchase with crypto: amount is omitted (and left out of the hash) when the customer enters the amount on a
// third-party UI"; crypto.network is the network to display.
func TestSPEC1CryptoWithoutAmount(t *testing.T) {
	t.Parallel()
	s := open(t, assets)
	link := s.link(t, drop("order.amount"), set("order.currency", "USDC"), set("methods", []string{"helio"}),
		set("crypto.network", "TRC20"))
	next := s.submit(t, link, gateway.Submission{})
	require.Equal(t, gateway.ActionDisplay, next.Kind)
	form := s.callbackOf(t, "ORD-1")
	require.Equal(t, []string{"init", "success", "pending", "TRC20"},
		[]string{form.Get("type"), form.Get("status"), form.Get("order_status"), form.Get("crypto_network")})
	require.NotEmpty(t, form.Get("crypto_address"))
	require.NoError(t, s.Vcard.Pay(t.Context(), s.Charges(t)[0].Key, store.MustAmount("12.500000")))
	s.Advance(t, time.Hour)
	form = s.callbackOf(t, "ORD-1")
	require.Equal(t, []string{"sale", "success", "settled", "12.500000"},
		[]string{form.Get("type"), form.Get("status"), form.Get("order_status"), form.Get("order_amount")})
	require.Equal(t, "12.500000", ok[payment](t, s, pathStatus, byOrder("ORD-1")).Order["amount"])
	requireFaults(t, s.post(t, pathSession, purchase(drop("order.amount"), set("order.number", "ORD-2"))),
		"order.amount"+blank)
	requireFaults(t, s.post(t, pathSession, purchase(drop("order.amount"), set("operation", "debit"),
		set("order.currency", "USDC"), set("order.number", "ORD-2"))), "order.amount"+blank)
}

// req_token: "When true a card_token is returned in the callback; ignored if card_token is sent"; "Every
// callback of purchase/debit when a token was requested, including settled debit callbacks".
func TestSPEC1ReqToken(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			next := s.Pay(t, s.link(t, set("operation", operation), set("req_token", "Y")), gatewaytest.ThreeDSPasses)
			s.ComeBack(t, next.Redirect)
			s.refund(t, s.Payment(t, "ORD-1").ID, "10.00")
			forms := s.Inbox.Fields(t)
			require.Len(t, forms, 3)
			for _, form := range forms {
				require.Regexp(t, "^[0-9a-f]{64}$", form.Get("card_token"))
				require.Equal(t, forms[0].Get("card_token"), form.Get("card_token"))
			}
		})
	}
}

// card_token: "Saved token; skips card entry"; "card, card_expiration_date: also for debit by card_token".
func TestSPEC1CardToken(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			token := s.token(t)
			link := s.link(t, set("operation", operation), set("order.number", "ORD-2"), set("card_token", []string{token}),
				set("req_token", true))
			next, err := s.NextAction(t.Context(), link)
			require.NoError(t, err)
			require.Equal(t, []gateway.SavedCard{{Mask: "411111******1111", Expiry: "01/2038", Brand: "visa"}}, next.Cards)
			code := methods.Card{Code: gatewaytest.Settles.Code}
			require.Equal(t, gateway.ReturnPaid, s.submit(t, link, gateway.Submission{Saved: 1, Card: code}).Status)
			form := s.callbackOf(t, "ORD-2")
			require.Equal(t, []string{"411111******1111", "01/2038", token},
				[]string{form.Get("card"), form.Get("card_expiration_date"), form.Get("card_token")}, "no new token")
		})
	}
}

// card_token on sessions: 205005, 205006, 205007 (errors.md).
func TestSPEC1CardTokenErrors(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	token := s.token(t)
	with := func(edits ...edit) answer {
		return s.post(t, pathSession, purchase(append([]edit{set("order.number", "ORD-2"),
			set("card_token", []string{token})}, edits...)...))
	}
	requireError(t, with(asOther), 205007, "Card token is not accessible.")
	requireError(t, with(set("merchant_key", gatewaytest.TestKey)), 205007, "Card token is not accessible.")
	requireError(t, with(set("card_token", times(1, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))),
		205005, "Card token is invalid or not found.")
	s.Clock.Set(time.Date(2038, 3, 1, 0, 0, 0, 0, time.UTC))
	requireError(t, with(), 205006, "Card token is expired.")
}
