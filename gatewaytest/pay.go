package gatewaytest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// The documented test cards. Their expiry decides the outcome (testdata.md).
var (
	Settles       = Card(1, 2038)
	Declines      = Card(2, 2038)
	CaptureFails  = Card(3, 2038)
	ThreeDSPasses = Card(5, 2038)
	ThreeDSFails  = Card(6, 2038)
	BankPasses    = Card(12, 2038)
	BankFails     = Card(12, 2039)
)

// Card returns the test card 4111111111111111 with an expiry.
func Card(month, year int) methods.Card {
	pan, err := store.ParsePAN("4111111111111111")
	if err != nil {
		panic(err)
	}
	code, err := store.ParseSecurityCode("123")
	if err != nil {
		panic(err)
	}
	return methods.Card{PAN: pan, Expiry: store.Expiry{Year: year, Month: month}, Holder: "John Doe", Code: code}
}

// Request returns a session request that passes every check.
func Request(order, amount string) gateway.SessionRequest {
	return gateway.SessionRequest{
		Operation:  "purchase",
		Order:      store.Order{Number: order, Amount: amount, Currency: "USD", Description: "Important gift"},
		SuccessURL: "https://shop.example/success?cart=1", CancelURL: "https://shop.example/cancel",
		Customer: gateway.Customer{Name: "John Doe", Email: "doe@example.com"},
	}
}

// Session creates a session and returns the token of its link.
func (kit *Kit) Session(t testing.TB, order, amount string) (token string) {
	t.Helper()
	return kit.SessionOf(t, Request(order, amount))
}

// SessionOf is Session for a request that the caller made.
func (kit *Kit) SessionOf(t testing.TB, r gateway.SessionRequest) (token string) {
	t.Helper()
	session, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)
	return kit.token(session.RedirectURL)
}

// token returns the token of a payer's link, or the token itself.
func (kit *Kit) token(link string) string { return strings.TrimPrefix(link, kit.address()+"/auth/") }

// Pay submits the form of a session with a card, as the payer would. The session is named by its link, which is the
// redirect_url of its answer, or by the link's token.
func (kit *Kit) Pay(t testing.TB, link string, card methods.Card) *gateway.NextAction {
	t.Helper()
	token := kit.token(link)
	before, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	next, err := kit.PaySession(t.Context(), token,
		gateway.Submission{Attempt: before.Attempt, Card: card, IP: "203.0.113.7"})
	require.NoError(t, err)
	return next
}

// Payment returns the newest payment of an order.
func (kit *Kit) Payment(t testing.TB, order string) store.Payment {
	t.Helper()
	results, err := kit.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: order})
	require.NoError(t, err)
	return results[0].Payment
}

// Charges returns every entry of the acquirer's own ledger.
func (kit *Kit) Charges(t testing.TB) []vcard.Entry {
	t.Helper()
	entries, err := kit.Vcard.Ledger(t.Context())
	require.NoError(t, err)
	return entries
}
