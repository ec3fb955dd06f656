package links_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// talker is a scripted connector that believes every notification.
type talker struct{ *kerneltest.ScriptedConnector }

func (talker) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return kerneltest.Approves(op)
}

func (p talker) option(c *gateway.Config) { c.Connectors["vcard"] = p }

// The payer, who sees the return link, cannot send the acquirer's notification, and the acquirer's link returns no
// payer (decision ce).
func TestLinksHaveSecretsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, way := range kerneltest.WaysAway {
		t.Run(way.Name, func(t *testing.T) {
			t.Parallel()
			p := talker{&kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer,
				OnComplete: func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }}}
			kit := gatewaytest.New(t, p.option)
			way.Start(t, kit, gatewaytest.Settles)
			op := p.Operation(0)
			back, notice := kerneltest.ReturnToken(t, op), kerneltest.NotifyToken(t, op)
			require.NotEqual(t, kerneltest.SecretOf(t, back), kerneltest.SecretOf(t, notice))
			require.ErrorIs(t, kit.Notify(t.Context(), back, methods.Note{}), gateway.ErrNoSession)
			_, err := kit.Return(t.Context(), notice, methods.Return{Method: "GET"})
			require.ErrorIs(t, err, gateway.ErrNoSession)
			require.Zero(t, p.Calls())
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
	p := talker{&kerneltest.ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		if op.Kind == store.OpCalc {
			return kerneltest.Approves(op)
		}
		return kerneltest.ToBank(op)
	}}}
	kit := gatewaytest.New(t, p.option)
	r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	})
	_, err := kit.Shop().CompleteDebit(t.Context(), kerneltest.RetryOf(r.Payment))
	require.NoError(t, err)
	op := p.Operation(1)
	require.ErrorIs(t, kit.Notify(t.Context(), kerneltest.ReturnToken(t, op), methods.Note{}), gateway.ErrNoSession)
	require.NoError(t, kit.Notify(t.Context(), kerneltest.NotifyToken(t, op), methods.Note{}))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// A transaction from before the links had two secrets has one for both.
func TestLinksOfAnOldTransaction(t *testing.T) {
	t.Parallel()
	p := talker{&kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}}
	kit := gatewaytest.New(t, p.option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	kerneltest.RewriteTransaction(t, kit, func(tr *records.Transaction) { tr.NotifyHash = "" })
	require.ErrorIs(t, kit.Notify(t.Context(), kerneltest.NotifyToken(t, p.Operation(0)), methods.Note{}),
		gateway.ErrNoSession)
	require.NoError(t, kit.Notify(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), methods.Note{}))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// A record keeps 128 bits of the hash of a link's secret, and nothing of the secret.
func TestHashOfALink(t *testing.T) {
	t.Parallel()
	secret := bytes.Repeat([]byte{7}, links.Size)
	sum := sha256.Sum256(secret)
	kept, err := base64.RawURLEncoding.Strict().DecodeString(links.Hash(secret))
	require.NoError(t, err)
	require.Equal(t, sum[:16], kept)
	for i := range secret {
		other := bytes.Clone(secret)
		other[i] ^= 1
		require.NotEqual(t, links.Hash(secret), links.Hash(other), i)
	}
}
