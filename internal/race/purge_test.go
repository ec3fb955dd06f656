package race_test

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
)

// Two instances share a lap: each old entry is deleted, no other is, and the lap ends.
func TestPurgeOnTwoInstances(t *testing.T) {
	t.Parallel()
	for round := range trials(t) {
		kit := kerneltest.Audited(t)
		d := &duel{T: t, one: kit, two: kit.Twin(t), round: round}
		stay := kerneltest.FillAged(t, kit, 150)
		kerneltest.LapDue(t, kit)
		d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		d.one.Work(t)
		require.Equal(t, stay, kerneltest.AgedKeys(t, kit.Store))
		_, next, err := kit.Tick(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, kit.Clock.Now().Add(kerneltest.Day), next)
	}
}

// One instance charges by a token while another, whose clock is ahead, deletes it: the charge is refused by name,
// or made completely.
func TestTokenUseWhilePurged(t *testing.T) {
	t.Parallel()
	for round := range 2 * trials(t) {
		kit := kerneltest.Audited(t, func(c *gateway.Config) {
			c.Retention.Callbacks = 10_000 * kerneltest.Day
		}) // their payments are audited
		token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
		kit.Work(t)
		ahead := kit.Twin(t, func(c *gateway.Config) { c.Now = func() time.Time { return kerneltest.Date("2038-03-04") } })
		kerneltest.LapDue(t, kit)
		d := &duel{T: t, one: kit, two: ahead, round: round}
		var err error
		d.atOnce(func() {
			_, err = kit.Shop().Charge(context.Background(),
				kerneltest.ChargeOf("ORD-2", methods.Card{}, kerneltest.ByToken(token)))
		}, tick(d, ahead))
		if err != nil {
			require.ErrorIs(t, err, gateway.ErrCardToken)
			require.Len(t, kit.Charges(t), 1)
			require.Len(t, kerneltest.KeysUnder(t, kit.Store, "p"), 1)
		} else {
			kit.Clock.Set(kerneltest.Date("2038-03-05"))
			kit.Work(t)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-2").Status)
		}
		require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "ct"))
		kit.Clock.Set(kerneltest.Date("2038-03-06"))
		kit.Work(t)
		kerneltest.Quiet(t, kit)
	}
}
