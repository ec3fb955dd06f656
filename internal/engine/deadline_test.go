package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// sluggish is a store whose next commit takes longer than any call may.
type sluggish struct {
	store.Store
	wait func()
}

func (s *sluggish) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if wait := s.wait; wait != nil && err == nil {
		s.wait = nil
		wait()
	}
	return err
}

// A call whose deadline passed while its intent or its mark was stored is not made: others already treat it as one that
// has ended.
func TestNoCallAfterItsDeadline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		before int // calls
		status store.Status
		do     func(t *testing.T, kit *gatewaytest.Kit, p *kerneltest.ScriptedConnector, slow func())
	}{
		{"charge", 0, store.Declined, func(t *testing.T, kit *gatewaytest.Kit, _ *kerneltest.ScriptedConnector, slow func()) {
			slow()
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
		}},
		{"return", 1, store.ThreeDS, func(t *testing.T, kit *gatewaytest.Kit, p *kerneltest.ScriptedConnector, slow func()) {
			p.OnPerform = kerneltest.ToIssuer
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
			slow()
			_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
			require.NoError(t, err)
		}},
		{"refund", 1, store.Settled, func(t *testing.T, kit *gatewaytest.Kit, _ *kerneltest.ScriptedConnector, slow func()) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
			slow()
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(kit.Payment(t, "ORD-1"), "10.00"))
			require.NoError(t, err)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves, OnFind: lost}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
			s := &sluggish{Store: memory.New()}
			kit := gatewaytest.On(t, s, notAsked{p}.option)
			c.do(t, kit, p, func() {
				s.wait = func() { kit.Clock.Set(kit.Clock.Now().Add(time.Hour)) }
			})
			require.Nil(t, s.wait)
			require.Equal(t, c.before, len(p.Sent)+len(p.Completed))
			require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
		})
	}
}

// What recovery can send by itself is not declined for a deadline that passed before the call: recovery sends it, once.
func TestRecoverySendsWhatWasTooLate(t *testing.T) {
	t.Parallel()
	charged := func(t *testing.T, kit *gatewaytest.Kit, change ...func(*gateway.ChargeRequest)) store.Payment {
		change = append(change, kerneltest.ViaCard)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, change...)
		return kit.Payment(t, "ORD-1")
	}
	for _, c := range []struct {
		name, order   string
		before        int // calls
		waiting, done store.Status
		do            func(t *testing.T, kit *gatewaytest.Kit, slow func()) error
	}{
		{"charge", "ORD-1", 0, store.Prepare, store.Settled, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			slow()
			charged(t, kit)
			return nil
		}},
		{"capture", "ORD-1", 1, store.Pending, store.Settled, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			held := charged(t, kit, kerneltest.Held)
			slow()
			_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(held, "10.00"))
			return err
		}},
		{"reversal", "ORD-1", 1, store.Pending, store.Reversed, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			held := charged(t, kit, kerneltest.Held)
			slow()
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(held, "10.00"))
			return err
		}},
		{"refund", "ORD-1", 1, store.Settled, store.Refunded, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			sold := charged(t, kit)
			slow()
			_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(sold, "10.00"))
			return err
		}},
		{"void", "ORD-1", 1, store.Settled, store.Voided, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			sold := charged(t, kit)
			slow()
			_, err := kit.Shop().Void(t.Context(), kerneltest.FollowUpOf(sold, ""))
			return err
		}},
		{"recurring", "ORD-2", 1, store.Prepare, store.Settled, func(t *testing.T, kit *gatewaytest.Kit, slow func()) error {
			first := charged(t, kit, kerneltest.BeginsChain)
			slow()
			kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2"))
			return nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves, OnFind: methods.NotFound}
			s := &sluggish{Store: memory.New()}
			kit := gatewaytest.On(t, s, p.Option)
			require.NoError(t, c.do(t, kit, func() {
				s.wait = func() { kit.Clock.Set(kit.Clock.Now().Add(time.Hour)) }
			}))
			require.Nil(t, s.wait)
			require.Len(t, p.Sent, c.before)
			require.Equal(t, c.waiting, kit.Payment(t, c.order).Status)
			kit.Advance(t, time.Hour)
			require.Len(t, p.Sent, c.before+1)
			require.Equal(t, c.done, kit.Payment(t, c.order).Status)
		})
	}
}
