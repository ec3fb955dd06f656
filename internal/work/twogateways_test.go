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

// What one gateway queues, another one on the same store delivers too, within a second: the one that queued it may do
// no due work, or may have died. Each callback is delivered once, whoever works.
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
				ctx, stop := context.WithCancel(t.Context())
				ended, running := make(chan error), 0
				for kit, runs := range map[*gatewaytest.Kit]bool{one: c.one, two: c.two} {
					if runs {
						running++
						go func() { ended <- kit.Run(ctx) }()
					}
				}
				synctest.Wait()
				for i := range 100 {
					kerneltest.Charged(t, one, fmt.Sprint("ORD-", i), gatewaytest.Settles)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				stop()
				for range running {
					require.NoError(t, <-ended)
				}
				require.Len(t, delivered(t, one), 100)
				kerneltest.Quiet(t, one)
			})
		})
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
