package gateway_test

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// talker is a puppet that believes whatever is reported to it.
type talker struct{ *puppet }

func (talker) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return approves(op)
}

func (p talker) option(c *gateway.Config) { c.Connectors["vcard"] = p }

// The payer, who sees the return link, cannot report as the acquirer, and the acquirer's link leads no payer
// back (decision ce).
func TestLinksHaveSecretsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, way := range waysAway {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			p := talker{&puppet{perform: toIssuer, complete: func(op methods.Operation, _ methods.Return) methods.Answer { return approves(op) }}}
			kit := gatewaytest.New(t, p.option)
			way.start(t, kit, gatewaytest.Settles)
			op := p.told(0)
			back, notice := returnToken(t, op), notifyToken(t, op)
			require.NotEqual(t, secretOf(t, back), secretOf(t, notice))
			require.ErrorIs(t, kit.Notify(t.Context(), back, methods.Note{}), gateway.ErrNoSession)
			_, err := kit.Return(t.Context(), notice, methods.Return{Method: "GET"})
			require.ErrorIs(t, err, gateway.ErrNoSession)
			require.Zero(t, p.calls())
			require.False(t, kit.Payment(t, "ORD-1").Status == store.Settled)
			require.NoError(t, kit.Notify(t.Context(), notice, methods.Note{}))
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			_, err = kit.Return(t.Context(), back, methods.Return{Method: "GET"})
			require.NoError(t, err)
		})
	}
}

// The second step of a debit has links too.
func TestLinksOfACompletedDebit(t *testing.T) {
	t.Parallel()
	p := talker{&puppet{perform: func(op methods.Operation) methods.Answer {
		if op.Kind == store.OpCalc {
			return approves(op)
		}
		return toBank(op)
	}}}
	kit := gatewaytest.New(t, p.option)
	r := charged(t, kit, "ORD-1", methods.Card{}, viaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	})
	_, err := kit.CompleteDebit(t.Context(), again(r.Payment))
	require.NoError(t, err)
	op := p.told(1)
	require.ErrorIs(t, kit.Notify(t.Context(), returnToken(t, op), methods.Note{}), gateway.ErrNoSession)
	require.NoError(t, kit.Notify(t.Context(), notifyToken(t, op), methods.Note{}))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// A transaction from before the links had two secrets has one for both.
func TestLinksOfAnOldTransaction(t *testing.T) {
	t.Parallel()
	p := talker{&puppet{perform: toIssuer}}
	kit := gatewaytest.New(t, p.option)
	charged(t, kit, "ORD-1", gatewaytest.Settles, viaCard)
	rewrite(t, kit, func(tr *store.Transaction) { tr.NotifyHash = "" })
	require.ErrorIs(t, kit.Notify(t.Context(), notifyToken(t, p.told(0)), methods.Note{}), gateway.ErrNoSession)
	require.NoError(t, kit.Notify(t.Context(), returnToken(t, p.told(0)), methods.Note{}))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// rewrite changes the only transaction of a store.
func rewrite(t testing.TB, kit *gatewaytest.Kit, how func(*store.Transaction)) {
	t.Helper()
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		var one store.Transaction
		for tr, err := range transactionTable.Scan(tx, everything) {
			if err != nil {
				return err
			}
			one = tr
		}
		how(&one)
		one.Version++
		return transactionTable.Put(tx, one, one.ID)
	}))
}

// secretOf is the secret of a link token.
func secretOf(t testing.TB, token string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(token)
	require.NoError(t, err)
	require.Greater(t, len(raw), 32)
	return string(raw[:32])
}
