package kerneltest

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// NotifyToken is the token of an operation's notification link.
func NotifyToken(t testing.TB, op methods.Operation) string {
	t.Helper()
	token, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
	require.True(t, ok, op.NotificationURL)
	return token
}

// ReturnToken is the token of the link at which the payer returns.
func ReturnToken(t testing.TB, op methods.Operation) string {
	t.Helper()
	token, ok := strings.CutPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/")
	require.True(t, ok, op.ReturnURL)
	return token
}

// WayAway is a way to redirect a payer.
type WayAway struct {
	Name  string
	Start func(testing.TB, *gatewaytest.Kit, methods.Card)
}

// WaysAway are all ways to redirect a payer, at an acquirer that redirects every payer.
var WaysAway = []WayAway{
	{"Checkout page", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), card)
	}},
	{"Hosted Payment Fields", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		require.NoError(t, PayFields(t.Context(), kit, HostedToken(t, kit, "ORD-1", card)))
	}},
	{"S2S CARD", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		Charged(t, kit, "ORD-1", card, ViaCard, GoesBack)
	}},
	{"S2S APM", func(t testing.TB, kit *gatewaytest.Kit, _ methods.Card) {
		Charged(t, kit, "ORD-1", methods.Card{}, ViaAPM, GoesBack)
	}},
	{"Go API", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		Charged(t, kit, "ORD-1", card, func(r *gateway.ChargeRequest) { r.Protocol = store.Checkout })
	}},
}

// SecretOf is the secret of a link token.
func SecretOf(t testing.TB, token string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Greater(t, len(raw), 32)
	return string(raw[:32])
}

// RewriteTransaction changes the only transaction of a store.
func RewriteTransaction(t testing.TB, kit *gatewaytest.Kit, how func(*records.Transaction)) {
	t.Helper()
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		var one records.Transaction
		for p, err := range Payments.Scan(tx, Everything) {
			if err != nil {
				return err
			}
			one = *p.Transactions[len(p.Transactions)-1]
		}
		how(&one)
		one.Version++
		return PutTransaction(tx, &one)
	}))
}
