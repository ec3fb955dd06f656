package gateway_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// waysAway is every way in which a payer may be sent away, by an acquirer that sends everybody away.
var waysAway = []wayAway{
	{"Checkout page", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), card)
	}},
	{"Hosted Payment Fields", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		require.NoError(t, payFields(t.Context(), kit, hostedToken(t, kit, "ORD-1", card)))
	}},
	{"S2S CARD", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		charged(t, kit, "ORD-1", card, viaCard, goesBack)
	}},
	{"S2S APM", func(t testing.TB, kit *gatewaytest.Kit, _ methods.Card) {
		charged(t, kit, "ORD-1", methods.Card{}, viaAPM, goesBack)
	}},
	{"Go API", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) {
		charged(t, kit, "ORD-1", card, func(r *gateway.ChargeRequest) { r.Protocol = store.Checkout })
	}},
}

type wayAway struct {
	name  string
	start func(testing.TB, *gatewaytest.Kit, methods.Card)
}

// sent is an operation that the acquirer was told, by its place.
func (p *puppet) told(n int) methods.Operation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent[n]
}

// calls is how often the acquirer was called about what a payer brought.
func (p *puppet) calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.completed)
}

// returnToken and notifyToken are the tokens of an operation's links.
func returnToken(t testing.TB, op methods.Operation) string {
	t.Helper()
	token, ok := strings.CutPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/")
	require.True(t, ok, op.ReturnURL)
	return token
}

func notifyToken(t testing.TB, op methods.Operation) string {
	t.Helper()
	token, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
	require.True(t, ok, op.NotificationURL)
	return token
}
