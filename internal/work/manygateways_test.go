package work_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Three gateways on one store deliver every callback, in the order of its payment, none beyond a merchant's share or to
// who is blocked, and none again that was accepted unless a store failed.
func TestManyGatewaysDeliverAll(t *testing.T) {
	t.Parallel()
	for seed, c := range []struct {
		name               string
		faulty, back, idle bool
	}{
		{"all of them work", false, false, false},
		{"one does no due work", false, false, true},
		{"their stores fail", true, false, false},
		{"their clock is set back", false, true, false},
		{"one does no due work, stores fail, the clock is set back", true, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStreet(int64(seed))
				s.faulty, s.back = c.faulty, c.back
				plain, kits := gatewaysAt(t, s)
				ctx, stop := context.WithCancel(t.Context())
				ended, running := make(chan error), kits
				if c.idle {
					running = kits[1:]
				}
				for _, kit := range running {
					go func() { ended <- kit.Run(ctx) }()
				}
				synctest.Wait()
				for i := range 120 {
					s.setBack()
					chargeAt(t, s, kits, fmt.Sprint("ORD-", i))
				}
				time.Sleep(time.Minute)
				s.calms()
				time.Sleep(20 * time.Minute) // blocks, leases and pauses are over
				synctest.Wait()
				stop()
				for range running {
					require.NoError(t, <-ended)
				}
				require.Empty(t, s.wrong)
				requireAllAccepted(t, plain, s)
			})
		})
	}
}

// gatewaysAt makes three gateways at a street, with four merchants, and a fourth gateway whose store never fails.
func gatewaysAt(t *testing.T, s *street) (plain *gatewaytest.Kit, kits []*gatewaytest.Kit) {
	t.Helper()
	plain = gatewaytest.New(t, func(c *gateway.Config) {
		c.Now, c.Retry = s.now, slices.Repeat(callback.Schedule{20 * time.Second}, 100)
		for n := range 4 {
			c.Connectors[fmt.Sprint("party-", n)] = c.Connectors["vcard"]
		}
	})
	s.store = plain.Store
	for n := range 4 {
		party(t, plain, n)
	}
	for n := range 3 {
		kits = append(kits, plain.Twin(t, func(c *gateway.Config) {
			c.Notifier, c.Store = door{s, fmt.Sprint("gateway-", n)}, shaky{c.Store, s}
		}))
	}
	return plain, kits
}

// chargeAt makes a payment of some merchant at some gateway, and captures half of them at another.
func chargeAt(t *testing.T, s *street, kits []*gatewaytest.Kit, order string) {
	t.Helper()
	time.Sleep(time.Duration(s.roll(300)) * time.Millisecond)
	key, hold := fmt.Sprint("party-", s.roll(4)), s.roll(2) == 0
	r, err := kits[s.roll(3)].As(key).Shop().Charge(t.Context(), kerneltest.ChargeOf(order, gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.Hold = hold }))
	if err == nil && hold {
		_, err = kits[s.roll(3)].As(key).Shop().Capture(t.Context(), gateway.FollowUp{PaymentID: r.Payment.ID})
	}
	if !s.faulty {
		require.NoError(t, err)
	}
}

func requireAllAccepted(t *testing.T, kit *gatewaytest.Kit, s *street) {
	t.Helper()
	b := kerneltest.ReadBooks(t, kit)
	count := 0
	for i := range b.Payments {
		p := &b.Payments[i]
		for n := range p.Callbacks {
			require.True(t, s.accepted[store.CallbackID(p.ID, n+1)])
			count++
		}
	}
	require.Greater(t, count, 100)
	require.Len(t, b.Callbacks, count)
	for _, c := range b.Callbacks {
		require.Equal(t, store.CallbackDelivered, c.State)
	}
}
