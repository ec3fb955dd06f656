package faults_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store/memory"
)

// untold is how many reads come before the page of a return is known: one, of the link's payment.
const untold = 1

// The error of a failed return contains the page to which the return would have led, once that is known.
func TestFailedReturnTellsThePage(t *testing.T) {
	t.Parallel()
	for _, way := range kerneltest.WaysAway {
		for _, port := range []string{"store", "view", "random", "keys"} {
			t.Run(way.Name+", "+port, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					require.Less(t, n, 60)
					page, whole, err := failedReturn(t, way, &kerneltest.Fault{Port: port, Mode: "before", N: n})
					require.NotEmpty(t, whole)
					if err == nil {
						require.Equal(t, whole, page)
						break
					}
					require.ErrorIs(t, err, kerneltest.ErrInjected)
					if port == "view" && n <= untold {
						require.Empty(t, page, "read %d", n)
						continue
					}
					require.Equal(t, whole, page, "%s at %d", port, n)
				}
			})
		}
	}
}

// failedReturn returns the answer to a return with a fault, and the page of a return without one.
func failedReturn(t *testing.T, way kerneltest.WayAway, by *kerneltest.Fault) (page, whole string, err error) {
	t.Helper()
	s := memory.New()
	p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
	kit := gatewaytest.On(t, s, p.Option)
	way.Start(t, kit, gatewaytest.Settles)
	link := kerneltest.ReturnToken(t, p.Operation(0))
	broken := kit.Twin(t, func(c *gateway.Config) {
		c.Store, c.Random, c.Keys = kerneltest.FaultyStore{Store: s, By: by}, faultyRandom{by}, faultyKeys{c.Keys, by}
	})
	by.Armed = true
	page, err = broken.Return(t.Context(), link, kerneltest.GenuineReturn)
	by.Armed = false
	whole, again := kit.Return(t.Context(), link, kerneltest.GenuineReturn)
	require.NoError(t, again)
	return page, whole, err
}
