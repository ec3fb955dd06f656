package token_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
)

// A position without a saved card neither skips the code and name of a typed card nor selects another card.
func TestSavedCardOutOfRange(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	saved := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.ReqToken = true }).CardToken
	codeless := methods.Card{PAN: gatewaytest.Settles.PAN, Expiry: gatewaytest.Settles.Expiry}
	order := 2
	for _, c := range []struct {
		tokens, place int
		taken         bool
	}{{0, 1, false}, {0, -1, false}, {1, 2, false}, {1, -1, false}, {1, 1 << 40, false}, {2, 3, false}, {1, 1, true},
		{2, 2, true}} {
		r := gatewaytest.Request("ORD-"+strconv.Itoa(order), "10.00")
		order++
		for range c.tokens {
			r.Extra.CardTokens = append(r.Extra.CardTokens, saved)
		}
		link, before := kit.SessionOf(t, r), len(kit.Charges(t))
		for _, card := range []methods.Card{codeless, gatewaytest.Settles} {
			_, err := kit.PaySession(t.Context(), link, gateway.Submission{Saved: c.place, Card: card})
			if c.taken {
				require.NoError(t, err)
				continue
			}
			require.Equal(t, []gateway.Fault{{Path: "saved", Text: "The value you selected is not a valid choice."}},
				gateway.AsError(err).Faults(), c)
			require.Len(t, kit.Charges(t), before)
		}
	}
}
