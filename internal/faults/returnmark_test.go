package faults_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// If anything fails after a return was marked, an immediate reload continues, with the next attempt of the cascade.
func TestFailuresBehindTheMarkOfAReturn(t *testing.T) {
	t.Parallel()
	for _, port := range []string{"store", "view", "random", "keys"} {
		t.Run(port, func(t *testing.T) {
			t.Parallel()
			fired := 0
			for n := 1; ; n++ {
				require.Less(t, n, 60)
				by := &kerneltest.Fault{Port: port, Mode: "before", N: n}
				s, p := memory.New(), kerneltest.Truthful()
				kit := gatewaytest.On(t, s, p.Option)
				kerneltest.AddMIDs(t, kit, "second")
				kerneltest.SwitchCascading(t, kit, store.S2SCard)
				kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
				broken := kit.Twin(t, func(c *gateway.Config) {
					c.Store, c.Random, c.Keys = kerneltest.FaultyStore{Store: s, By: by}, faultyRandom{by}, faultyKeys{c.Keys, by}
				})
				by.Armed = true
				_, err := broken.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
				by.Armed = false
				if err != nil {
					require.True(t, errors.Is(err, kerneltest.ErrInjected), "%v", err)
					_, err = kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
					require.NoError(t, err)
				}
				kit.Advance(t, 72*time.Hour)
				list := kerneltest.AttemptsOf(t, kit, "ORD-1")
				require.Len(t, list, 2, "%s at %d", port, n)
				require.Equal(t, store.Settled, list[1].Status, "%s at %d", port, n)
				if !by.Fired {
					break
				}
				fired++
			}
			require.Positive(t, fired)
		})
	}
}
