package kerneltest

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// HostedRequest is a valid token request.
func HostedRequest(order string) gateway.SessionRequest {
	return gateway.SessionRequest{
		Operation: "purchase", ReturnURL: "https://shop.example/return",
		Order:    store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Customer: gateway.Customer{IP: "203.0.113.7"},
	}
}

// HostedToken is the token of a session with a collected card.
func HostedToken(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card) string {
	t.Helper()
	session, err := kit.Shop().CreateHosted(t.Context(), HostedRequest(order))
	require.NoError(t, err)
	require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, card))
	return session.Token
}

// PayHosted charges the card that a session of hosted fields holds.
func PayHosted(t testing.TB, kit *gatewaytest.Kit, token string) *gateway.Result {
	t.Helper()
	r, err := kit.HostedFields().Pay(t.Context(), token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
	require.NoError(t, err)
	return r
}

// HoldsCard reports whether a session in the store still has a collected card, or is queued for its erasure.
func HoldsCard(t testing.TB, kit *gatewaytest.Kit) (card, queued bool) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: Everything}) {
			require.NoError(t, entry.Err)
			card = card || bytes.Contains(entry.Value, []byte(`"held_card"`))
			queued = queued || bytes.Contains(entry.Value, []byte(`"held_until"`))
		}
		return nil
	}))
	return card, queued
}

// PayFields charges the card that a session of hosted fields holds, and returns the error.
func PayFields(ctx context.Context, kit *gatewaytest.Kit, token string) error {
	_, err := kit.HostedFields().Pay(ctx, token, HostedPayment)
	return err
}

// HostedPayment is a purchase by hosted fields.
var HostedPayment = gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"}
