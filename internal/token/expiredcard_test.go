package token_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// A saved card that must not be used is not shown, and the other cards keep their positions.
func TestNothingOfAnExpiredCard(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	good := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	short := kerneltest.TokenOf(t, kit, "ORD-2", gatewaytest.Card(1, 2028))
	kit.Clock.Set(time.Date(2028, 2, 1, 11, 0, 0, 0, time.UTC))
	r := gatewaytest.Request("ORD-3", "10.00")
	r.Extra.CardTokens = []string{short, good}
	r.Expiry = 720 * time.Minute
	link := kit.SessionOf(t, r)
	require.NotEmpty(t, kerneltest.NextActionOf(t, kit, link).Cards[0].Mask)
	kit.Clock.Set(time.Date(2028, 2, 1, 13, 0, 0, 0, time.UTC))
	cards := kerneltest.NextActionOf(t, kit, link).Cards
	require.Len(t, cards, 2)
	require.Zero(t, cards[0])
	require.NotEmpty(t, cards[1].Mask)
}
