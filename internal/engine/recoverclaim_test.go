package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// during runs a function in the middle of recovery's question.
type during struct {
	kerneltest.Plain
	methods.Finder
	can  methods.Capabilities
	ask  func()
	asks int
}

func (d *during) Capabilities() methods.Capabilities { return d.can }

func (d *during) Find(ctx context.Context, op methods.Operation) methods.Answer {
	d.asks++
	if d.asks == 1 {
		d.ask()
	}
	return d.Finder.Find(ctx, op)
}

// Other instances leave a transaction that recovery claimed alone for as long as its call may take, even if
// the connector declares its own timeout. If the claiming instance dies, the transaction is due again.
func TestRecoveryClaimOutlastsItsCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		own, all time.Duration // the timeout of the connector, and of the configuration
		takes    time.Duration
	}{
		{"time-out of the configuration", 0, 20 * time.Second, 20 * time.Second},
		{"connector that takes longer", 90 * time.Second, 20 * time.Second, 90 * time.Second},
		{"connector that is quicker", 5 * time.Second, 20 * time.Second, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := &during{can: kerneltest.Powers(true, time.Minute)}
			d.can.Timeout = c.own
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				cfg.CallTimeout = c.all
				acquirer := cfg.Connectors["vcard"].(*vcard.Connector)
				d.Connector, d.Finder = acquirer, acquirer
				cfg.Connectors["vcard"] = d
			})
			two := kit.Twin(t)
			kit.Vcard.Next(vcard.UnknownAfter())
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
			require.NoError(t, err)
			d.ask = func() {
				start := kit.Clock.Now()
				for _, after := range []time.Duration{0, time.Millisecond, c.takes / 2, c.takes, c.takes + 2*time.Second} {
					kit.Clock.Set(start.Add(after))
					two.Work(t)
					require.Equal(t, 1, d.asks, "asked by another instance after %s", after)
				}
				kit.Clock.Set(start.Add(c.takes + time.Minute))
				two.Work(t)
				require.Equal(t, 2, d.asks, "it never comes back")
			}
			kit.Advance(t, time.Hour)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		})
	}
}

// stillPending is a scripted connector whose notifications say that nothing has changed.
type stillPending struct{ *kerneltest.ScriptedConnector }

func (stillPending) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return methods.Pending(op, nil)
}

// A claimed transaction whose records turn out to be damaged waits with what is set aside, until its card has to be
// erased. What has changed meanwhile stays in its queue.
func TestWhatHasChangedIsNotSetAside(t *testing.T) {
	t.Parallel()
	for _, changes := range []bool{false, true} {
		t.Run(fmt.Sprint("changes: ", changes), func(t *testing.T) {
			t.Parallel()
			p := stillPending{&kerneltest.ScriptedConnector{OnPerform: kerneltest.ToBank}}
			kit := gatewaytest.New(t, func(c *gateway.Config) { c.Connectors["vcard"] = p })
			kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
			id := kit.Payment(t, "ORD-1").ID
			asks := 0
			p.OnFind = func(op methods.Operation) methods.Answer {
				if asks++; changes {
					require.NoError(t, kit.Notify(t.Context(), kerneltest.NotifyToken(t, p.Operation(0)), methods.Note{}))
				}
				if asks == 1 { // the outcome has to update the session
					session := kerneltest.KeysUnder(t, kit.Store, "s")[0]
					require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte(session)) }))
				}
				return kerneltest.Approves(op)
			}
			session := kerneltest.KeysUnder(t, kit.Store, "s")[0]
			was := string(kerneltest.RawOf(t, kit, session))
			kit.Advance(t, 2*time.Minute)
			require.Equal(t, 1, asks)
			list := kerneltest.AsideOf(t, kit, gateway.WorkRecovery)
			after := kit.Payment(t, "ORD-1")
			due := after.ChargeTransaction().Due
			if changes {
				require.Empty(t, list)
				require.True(t, due.Before(kit.Clock.Now().Add(30*time.Minute)), due)
				return
			}
			require.Len(t, list, 1)
			require.Equal(t, id+"/1", list[0].ID)
			require.True(t, due.IsZero() || due.After(kit.Clock.Now().Add(30*time.Minute)), due)

			require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
				return tx.Put([]byte(session), []byte(was))
			}))
			require.NoError(t, kit.Operator().Resume(t.Context(), gateway.WorkRecovery, list[0].ID))
			require.Len(t, kerneltest.KeysUnder(t, kit.Store, "qr"), 1, "in one place of its queue")
			kit.Work(t)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "qr"))
		})
	}
}
