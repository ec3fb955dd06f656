package race_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// A client that hangs up while the acquirer works has paid (architecture.md, "The three steps of money").
func TestHangUp(t *testing.T) {
	t.Parallel()
	for _, op := range []store.Operation{store.OpSale, store.OpRefund, store.OpVoid} {
		for _, o := range []func(<-chan struct{}) vcard.Outcome{vcard.Block, vcard.BlockAfter} {
			t.Run(string(op)+", "+o(nil).String(), func(t *testing.T) {
				t.Parallel()
				kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
				d := &duel{T: t, one: kit, two: kit, spy: spy}
				ctx, hangUp := context.WithCancel(t.Context())
				call := func(_ context.Context, kit *gatewaytest.Kit) error {
					_, err := kit.Shop().Charge(ctx, kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
					return err
				}
				if op != store.OpSale {
					p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
					call = func(_ context.Context, kit *gatewaytest.Kit) error {
						_, err := kerneltest.Step{What: strings.ToLower(string(op))}.Run(ctx, kit, p)
						return err
					}
				}
				goOn := d.running(o, call)
				hangUp()
				goOn(t.Context())
				want := map[store.Operation]store.Status{store.OpSale: store.Settled, store.OpRefund: store.Refunded,
					store.OpVoid: store.Voided}[op]
				require.Equal(t, want, kit.Payment(t, "ORD-1").Status)
				kit.Work(t)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

// The same for the payer's browser: at the form, and on the way back.
func TestPayerHangsUp(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	ctx, hangUp := context.WithCancel(t.Context())
	token := kit.Session(t, "ORD-1", "10.00")
	hangUpIn(kit, vcard.CallPerform, hangUp)
	_, _ = kit.PaySession(ctx, token, gateway.Submission{Card: gatewaytest.Settles})
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)

	other := kerneltest.Audited(t)
	_, next := kerneltest.SendAway(t, other, gatewaytest.ThreeDSPasses)
	target, back := other.Away(t, next, "confirm")
	ctx, hangUp = context.WithCancel(t.Context())
	hangUpIn(other, vcard.CallComplete, hangUp)
	_, _ = other.Return(ctx, strings.TrimPrefix(target, gatewaytest.PublicURL+"/return/"), back)
	require.Equal(t, store.Settled, other.Payment(t, "ORD-1").Status)
	for _, kit := range []*gatewaytest.Kit{kit, other} {
		kit.Work(t)
		kerneltest.Quiet(t, kit)
	}
}

// hangUpIn makes a payer hang up while the acquirer works on the next call.
func hangUpIn(kit *gatewaytest.Kit, call vcard.Call, hangUp context.CancelFunc) {
	hang := make(chan struct{})
	kit.Vcard.Script(vcard.Script{Call: call, Outcomes: []vcard.Outcome{vcard.Block(hang)}})
	go func() {
		for kit.Vcard.Scripted() > 0 {
			runtime.Gosched()
		}
		hangUp()
		close(hang)
	}()
}
