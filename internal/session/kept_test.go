package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// After a decline the form keeps what the payer entered, except card numbers and codes, whenever the decline
// becomes known.
func TestDeclineKeeps(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, RequireName: true,
			TermsURL: "https://shop.example/terms"}))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Customer.Name = ""
	next, link := kerneltest.FormOf(t, kit, r)
	require.Nil(t, next.Kept, "nothing was given yet")

	card := gatewaytest.Declines
	card.Holder = "Jane Doe"
	address := map[string]string{"billing_address.country": "DE", "billing_address.city": "Bonn",
		"billing_address.address": "Am Markt 1", "billing_address.zip": "53111"}
	next, err := kit.PaySession(t.Context(), link,
		gateway.Submission{Method: "card", Card: card, Fields: address, Terms: true})
	require.NoError(t, err)
	want := &gateway.Kept{Method: "card", Expiry: card.Expiry.String(), Terms: true, Fields: map[string]string{
		"customer.name": "Jane Doe", "billing_address.country": "DE", "billing_address.state": "",
		"billing_address.city":    "Bonn",
		"billing_address.address": "Am Markt 1", "billing_address.zip": "53111",
	}}
	require.Equal(t, want, next.Kept)
	again, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, want, again.Kept, "a reload shows it too")
	require.True(t, again.NeedName, "a name that was declined can be put right")

	card = gatewaytest.Settles
	card.Holder = "Joan Doe"
	address["billing_address.city"] = "Berlin"
	_, err = kit.PaySession(t.Context(), link, gateway.Submission{Attempt: 1, Card: card, Fields: address, Terms: true})
	require.NoError(t, err)
	sent := spy.Sends(kit.Payment(t, "ORD-1").Transactions[0].ID)[0].Payer
	require.Equal(t, []string{"Joan Doe", "Berlin", "Am Markt 1"},
		[]string{sent.Name, sent.Address.City, sent.Address.Address})
}

// If a host's own page sends less with the second attempt, the input of the first is used.
func TestDeclineRemembers(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"card", "paypal"}
	_, link := kerneltest.FormOf(t, kit, r)
	address := map[string]string{"billing_address.country": "DE", "billing_address.city": "Bonn",
		"billing_address.address": "Am Markt 1", "billing_address.zip": "53111"}
	_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Declines, Fields: address})
	require.NoError(t, err)
	_, err = kit.PaySession(t.Context(), link,
		gateway.Submission{Attempt: 1, Card: gatewaytest.Settles, Fields: map[string]string{"billing_address.city": ""}})
	require.Equal(t, []string{"billing_address.city"}, kerneltest.FaultPaths(err), "a named empty field was cleared")
	_, err = kit.PaySession(t.Context(), link, gateway.Submission{Attempt: 1, Method: "paypal"})
	require.NoError(t, err)
	sent := spy.Sends(kit.Payment(t, "ORD-1").Transactions[0].ID)[0].Payer
	require.Equal(t, "Bonn", sent.Address.City, "another method has no prompts, but has it too")
}

// The saved card that was chosen is selected again.
func TestDeclineKeepsTheSavedCard(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	var tokens []string
	for _, order := range []string{"ORD-1", "ORD-2"} {
		p := kerneltest.Pay(t, kit, order, gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.ReqToken = true })
		tokens = append(tokens, p.CardToken)
	}
	require.NotEmpty(t, tokens[1])
	r := gatewaytest.Request("ORD-3", "10.00")
	r.Extra.CardTokens = tokens
	_, link := kerneltest.FormOf(t, kit, r)
	kit.Vcard.On("ORD-3", vcard.Decline("Insufficient funds"))
	next, err := kit.PaySession(t.Context(), link,
		gateway.Submission{Saved: 2, Card: methods.Card{Code: gatewaytest.Settles.Code}})
	require.NoError(t, err)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	require.Equal(t, &gateway.Kept{Method: "card", Saved: 2}, next.Kept)
}

// A page that cannot continue leads to the merchant's URL for that.
func TestBackURL(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for i, c := range []struct{ fail, cancel, want string }{
		{"https://shop.example/error", "https://shop.example/cancel", "https://shop.example/error"},
		{"", "https://shop.example/cancel", "https://shop.example/cancel"},
		{"", "", ""},
	} {
		r := gatewaytest.Request("ORD-"+string(rune('1'+i)), "10.00")
		r.ErrorURL, r.CancelURL = c.fail, c.cancel
		next, _ := kerneltest.FormOf(t, kit, r)
		require.Equal(t, c.want, next.BackURL)
	}
	paid := kerneltest.PayHosted(t, kit, kerneltest.HostedToken(t, kit, "ORD-4", gatewaytest.ThreeDSPasses))
	next := kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, kit.ComeBack(t, paid.Redirect)))
	require.Equal(t, "https://shop.example/return", next.BackURL, "decision ag")
}

// Closing the form is no technical error: without a cancel_url the payer stays on our page.
func TestCancelledGoesToNoErrorURL(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.ErrorURL, r.CancelURL = "https://shop.example/error", ""
	next, err := kit.LeaveSession(t.Context(), kit.SessionOf(t, r))
	require.NoError(t, err)
	require.Equal(t, []any{gateway.ReturnCancelled, ""}, []any{next.Status, next.URL})
}
