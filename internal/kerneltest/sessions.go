package kerneltest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Submit submits the form of a session.
func Submit(kit *gatewaytest.Kit, t *testing.T, token string, in gateway.Submission) *gateway.NextAction {
	t.Helper()
	next, err := kit.PaySession(t.Context(), token, in)
	require.NoError(t, err)
	return next
}

// NextActionOf is what the page shows.
func NextActionOf(t testing.TB, kit *gatewaytest.Kit, token string) *gateway.NextAction {
	t.Helper()
	next, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	return next
}

// FormOf opens a session and reads its form.
func FormOf(t *testing.T, kit *gatewaytest.Kit, r gateway.SessionRequest) (next *gateway.NextAction, link string) {
	t.Helper()
	link = kit.SessionOf(t, r)
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	return next, link
}

// PageToken is the token of a page of ours.
func PageToken(t testing.TB, link string) string {
	t.Helper()
	token, ok := strings.CutPrefix(link, gatewaytest.PublicURL+"/auth/")
	require.True(t, ok, link)
	return token
}

// RequireLeaves requires that the page sends the payer to the merchant, with nothing added to the URL.
func RequireLeaves(t testing.TB, next *gateway.NextAction, status gateway.ReturnStatus) {
	t.Helper()
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.Equal(t, status, next.Status)
	require.Equal(t, BackURL, next.URL, "bare, as the merchant gave it")
	require.Equal(t, "_self", next.Target)
}

// ByMethod is a session that can be paid by one method only.
func ByMethod(kit *gatewaytest.Kit, t *testing.T, code, currency string) string {
	t.Helper()
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods, r.Order.Currency = []string{code}, currency
	return kit.SessionOf(t, r)
}

// Coins is a session of a purchase in crypto; an empty amount is for the payer to choose.
func Coins(amount string) gateway.SessionRequest {
	r := gatewaytest.Request("ORD-1", amount)
	r.Methods, r.Order.Currency = []string{"helio"}, "USDT"
	return r
}

// CodeSession is a session whose payer gets a prompt for a one-time code.
func CodeSession(order string) gateway.SessionRequest {
	r := gatewaytest.Request(order, "10.00")
	r.Methods = []string{"mobile-collection"}
	r.Parameters = []byte(`{"mobile-collection":{"accountId":"a-1","market":"GH","type":"PULL","currency":"USD",` +
		`"bankDetails":{"phoneNumber":"233201234567"}}}`)
	return r
}

// NotifyByBank makes the bank settle the payment and the acquirer notify its link; if the link is not known any
// more, recovery asks.
func NotifyByBank(kit *gatewaytest.Kit, t *testing.T, status string) {
	t.Helper()
	_, err := kit.Vcard.BankNote(t.Context(), AcquirerKey(t, kit), status)
	require.NoError(t, err)
	kit.Advance(t, time.Minute)
}

// AcquirerKey is the acquirer's key of the first transaction of ORD-1.
func AcquirerKey(t testing.TB, kit *gatewaytest.Kit) string {
	t.Helper()
	return "tg-" + kit.Payment(t, "ORD-1").Transactions[0].ID
}

// SendAway is a session whose payer is at the issuer's or the bank's page.
func SendAway(t testing.TB, kit *gatewaytest.Kit, card methods.Card) (token string, next *store.Redirect) {
	t.Helper()
	token = kit.Session(t, "ORD-1", "10.00")
	action := kit.Pay(t, token, card)
	require.Equal(t, gateway.ActionRedirect, action.Kind)
	return token, action.Redirect
}
