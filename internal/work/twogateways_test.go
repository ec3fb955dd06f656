package work_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// A gateway also delivers, within a second, what another one on the same store has queued: that one may do no due work,
// or may have died. Each callback is delivered once.
func TestTwoGatewaysDeliverOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		one, two bool // runs
	}{{"both work", true, true}, {"the other one works", false, true}, {"its own", true, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				one := gatewaytest.New(t)
				two := one.Twin(t)
				var stops []func()
				for kit, runs := range map[*gatewaytest.Kit]bool{one: c.one, two: c.two} {
					if runs {
						stops = append(stops, working(t, kit))
					}
				}
				synctest.Wait()
				for i := range 100 {
					kerneltest.Charged(t, one, fmt.Sprint("ORD-", i), gatewaytest.Settles)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				for _, stop := range stops {
					stop()
				}
				require.Len(t, delivered(t, one), 100)
				kerneltest.Quiet(t, one)
			})
		})
	}
}

// working has a gateway do due work until the returned function is called, which waits for its end.
func working(t *testing.T, kit *gatewaytest.Kit) (stop func()) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- kit.Run(ctx) }()
	return func() {
		end()
		require.NoError(t, <-ended)
	}
}

// delivered returns the callbacks that arrived, each of them once.
func delivered(t *testing.T, kit *gatewaytest.Kit) map[string]bool {
	t.Helper()
	seen := map[string]bool{}
	for _, d := range kit.Inbox.All() {
		require.False(t, seen[d.ID], d.ID)
		seen[d.ID] = true
	}
	return seen
}
