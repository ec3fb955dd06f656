package retention_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// A callback is kept for some time after its last attempt: longer if it was never accepted, and for ever while it
// is to be delivered.
func TestPurgeOfCallbacks(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	begun := kit.Clock.Now()
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Work(t)
	kit.Inbox.Answer(func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	})
	dead := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles).Payment
	kit.Advance(t, 10*kerneltest.Day)
	list, err := kit.Operator().Callbacks(t.Context(), dead.ID)
	require.NoError(t, err)
	require.Equal(t, store.CallbackDead, list[0].State)
	last := list[0].Attempts[len(list[0].Attempts)-1].At
	kit.Inbox.Answer(nil)

	for _, c := range []struct {
		at   time.Time
		left int
	}{
		{begun.Add(90*kerneltest.Day - time.Second), 2}, {begun.Add(90 * kerneltest.Day), 1}, // the delivered one
		{last.Add(180*kerneltest.Day - time.Second), 1}, {last.Add(180 * kerneltest.Day), 0}, // the dead one
	} {
		kerneltest.LapAt(t, kit, c.at)
		require.Len(t, kerneltest.KeysUnder(t, kit.Store, "cb"), c.left, c.at)
	}
	list, err = kit.Operator().Callbacks(t.Context(), dead.ID)
	require.NoError(t, err)
	require.Empty(t, list)
}

// A callback is delivered even if the one before it is deleted.
func TestCallbackAfterOneThatIsGone(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
	kit.Work(t)
	kerneltest.LapAt(t, kit, kit.Clock.Now().Add(91*kerneltest.Day))
	require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "cb"))
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "1.00"))
	require.NoError(t, err)
	kit.Work(t)
	list, err := kit.Operator().Callbacks(t.Context(), p.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, store.CallbackDelivered, list[0].State)
}
