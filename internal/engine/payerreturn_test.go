package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// A payer who spends time at the issuer's page can reload ours and is redirected there again. The merchant
// gets no new callback meanwhile, however often recovery asks.
func TestPayerTakesTimeAtTheIssuer(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	next := kit.Pay(t, token, gatewaytest.ThreeDSPasses)
	kit.Advance(t, 10*time.Minute)
	again, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, gateway.ActionRedirect, again.Kind)
	require.Equal(t, next.Redirect, again.Redirect)
	require.Equal(t, store.ThreeDS, kit.Payment(t, "ORD-1").Status)
	require.Len(t, kit.Inbox.All(), 1, "the 3ds callback, and no waiting")

	kit.ComeBack(t, again.Redirect)
	kit.Work(t)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	require.Len(t, kit.Inbox.All(), 2)
}

// stubborn is an acquirer that ignores deadlines.
type stubborn struct{ release chan struct{} }

func (s stubborn) Perform(_ context.Context, op methods.Operation) methods.Answer {
	<-s.release
	return methods.Approved(op, "late")
}

// What a connector answers after its deadline is still evidence: it settles a payment in doubt, without
// recovery.
func TestLateAnswerIsEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		acquirer := stubborn{make(chan struct{})}
		kit := gatewaytest.New(t, func(c *gateway.Config) {
			c.CallTimeout, c.Connectors["vcard"] = time.Second, acquirer
		})
		token := kit.Session(t, "ORD-1", "10.00")
		next := kit.Pay(t, token, gatewaytest.Settles)
		require.Equal(t, gateway.ReturnUndefined, next.Status)
		require.Equal(t, store.Prepare, kit.Payment(t, "ORD-1").Status)
		close(acquirer.release)
		synctest.Wait()
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		next, err := kit.NextAction(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, gateway.ReturnPaid, next.Status)
	})
}
