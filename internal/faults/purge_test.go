package faults_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store/memory"
)

// If any single call of the store fails, or the sweeper dies anywhere, the next lap completes the work; no other
// record is ever deleted.
func TestPurgeEveryFault(t *testing.T) {
	t.Parallel()
	for _, s := range sabotage[:2] {
		for _, mode := range s.modes {
			t.Run(s.port+", "+mode, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					require.Less(t, n, 200)
					kit := gatewaytest.On(t, memory.New())
					by := &kerneltest.Fault{Port: s.port, Mode: mode, N: n}
					stay := kerneltest.FillAged(t, kit, 310) // several steps, each of several batches
					kerneltest.LapDue(t, kit)
					broken := kit.Twin(t, func(c *gateway.Config) { c.Store = kerneltest.FaultyStore{Store: kit.Store, By: by} })
					by.Armed = true
					for range 10 {
						if done, _, err := broken.Tick(t.Context(), 100); err == nil && done == 0 {
							break
						}
					}
					left := kerneltest.AgedKeys(t, kit.Store)
					require.Equal(t, stay, slices.DeleteFunc(left, func(key string) bool { return strings.Contains(key, "goes") }))
					healed := kit.Twin(t)
					healed.Advance(t, 30*time.Minute) // the lease of an interrupted step ends
					require.Equal(t, stay, kerneltest.AgedKeys(t, kit.Store), "fault at call %d", n)
					if !by.Fired {
						require.Greater(t, n, 10)
						return
					}
				}
			})
		}
	}
}
