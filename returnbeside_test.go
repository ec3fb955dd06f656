package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store/memory"
)

// untold is how many reads come before the page of a return is known: that of the link's transaction, and that of
// the payment where the page is not sealed beside the transaction.
var untold = map[string]int{"Checkout page": 1, "Hosted Payment Fields": 1, "S2S CARD": 2, "S2S APM": 2, "Go API": 2}

// A return that fails tells beside its error the page to which it would have led, from the moment that it is known.
func TestFailedReturnTellsThePage(t *testing.T) {
	t.Parallel()
	for _, way := range waysAway {
		for _, port := range []string{"store", "view", "random", "keys"} {
			t.Run(way.name+", "+port, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					require.Less(t, n, 60)
					page, whole, err := failedReturn(t, way, &saboteur{port: port, mode: "before", n: n})
					require.NotEmpty(t, whole)
					if err == nil {
						require.Equal(t, whole, page)
						break
					}
					require.ErrorIs(t, err, errInjected)
					if port == "view" && n <= untold[way.name] {
						require.Empty(t, page, "read %d", n)
						continue
					}
					require.Equal(t, whole, page, "%s at %d", port, n)
				}
			})
		}
	}
}

// failedReturn is the answer to a return that a saboteur watches, and the page to which a whole return leads.
func failedReturn(t *testing.T, way wayAway, by *saboteur) (page, whole string, err error) {
	t.Helper()
	s := memory.New()
	p := &puppet{perform: toIssuer}
	p.complete = func(op methods.Operation, _ methods.Return) methods.Answer { return approves(op) }
	kit := gatewaytest.On(t, s, p.option)
	way.start(t, kit, gatewaytest.Settles)
	link := returnToken(t, p.told(0))
	broken := kit.Twin(t, func(c *gateway.Config) {
		c.Store, c.Random, c.Keys = brokenStore{s, by}, brokenRandom{by}, brokenKeys{c.Keys, by}
	})
	by.armed = true
	page, err = broken.Return(t.Context(), link, genuine)
	by.armed = false
	whole, again := kit.Return(t.Context(), link, genuine)
	require.NoError(t, again)
	return page, whole, err
}
