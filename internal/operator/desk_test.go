package operator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

func refuses(v callback.Verdict) func(callback.Delivery) callback.Receipt {
	return func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: v, Status: 500} }
}

// A dead callback is on the list until it is sent again, or deleted with its payment or by age.
func TestDeadCallbacks(t *testing.T) {
	t.Parallel()
	dead := func(t *testing.T, kit *gatewaytest.Kit, after string, limit int) (ids []string) {
		t.Helper()
		list, err := kit.Operator().DeadCallbacks(t.Context(), after, limit)
		require.NoError(t, err)
		for _, c := range list {
			require.Equal(t, store.CallbackDead, c.State)
			ids = append(ids, c.ID)
		}
		return ids
	}
	for _, c := range []struct {
		name string
		end  func(t *testing.T, kit *gatewaytest.Kit, id string)
		left int
	}{
		{"nothing happens", func(*testing.T, *gatewaytest.Kit, string) {}, 1},
		{"it is sent again, and accepted", func(t *testing.T, kit *gatewaytest.Kit, id string) {
			kit.Inbox.Answer(nil)
			require.NoError(t, kit.Operator().Resend(t.Context(), id))
			require.Empty(t, dead(t, kit, "", 10), "it is due")
			kit.Work(t)
		}, 0},
		{"it is sent again, and dies again", func(t *testing.T, kit *gatewaytest.Kit, id string) {
			require.NoError(t, kit.Operator().Resend(t.Context(), id))
			kit.Work(t)
		}, 1},
		{"it ages", func(t *testing.T, kit *gatewaytest.Kit, _ string) {
			kit.Advance(t, 10*24*time.Hour)
			require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "cd"))
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				cfg.Retry, cfg.Retention.Dead, cfg.Retention.Callbacks = callback.Schedule{}, 5*24*time.Hour, 5*24*time.Hour
			})
			kit.Inbox.Answer(refuses(callback.Refused))
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			require.Empty(t, dead(t, kit, "", 10))
			kit.Work(t)
			ids := dead(t, kit, "", 10)
			require.Len(t, ids, 1)
			c.end(t, kit, ids[0])
			require.Len(t, dead(t, kit, "", 10), c.left)
		})
	}

	t.Run("in pages", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t, func(cfg *gateway.Config) { cfg.Retry = callback.Schedule{} })
		kit.Inbox.Answer(refuses(callback.Refused))
		for _, order := range []string{"ORD-1", "ORD-2", "ORD-3"} {
			kerneltest.Charged(t, kit, order, gatewaytest.Settles)
		}
		kit.Work(t)
		all := dead(t, kit, "", 10)
		require.Len(t, all, 3)
		require.Equal(t, all[:2], dead(t, kit, "", 2))
		require.Equal(t, all[2:], dead(t, kit, all[1], 2))
	})
}

// Endpoints are listed while they are blocked.
func TestBlockedEndpoints(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	blocked := func() (names []string) {
		list, err := kit.Operator().BlockedEndpoints(t.Context(), 10)
		require.NoError(t, err)
		for _, e := range list {
			names = append(names, e.URL)
		}
		return names
	}
	kit.Inbox.Answer(refuses(callback.TimedOut))
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"} {
		require.Empty(t, blocked())
		kerneltest.Charged(t, kit, order, gatewaytest.Settles)
		kit.Work(t)
	}
	require.Equal(t, []string{gatewaytest.CallbackURL}, blocked())
	require.NoError(t, kit.Operator().Unblock(t.Context(), gatewaytest.CallbackURL))
	require.Empty(t, blocked())
}

// What is configured is listed, and no password or secret of it.
func TestConfigured(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SaveOtherMerchant(t, kit)
	require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID,
		Protocol: store.S2SCard, CascadingStatus: true}))
	op := kit.Operator()
	list, err := op.Merchants(t.Context(), "", 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	rest, err := op.Merchants(t.Context(), list[0].ID, 10)
	require.NoError(t, err)
	require.Equal(t, list[1:], rest)
	for _, m := range list {
		require.True(t, m.Password.IsZero(), m.ID)
	}

	c, err := op.Configuration(t.Context(), gatewaytest.MerchantID)
	require.NoError(t, err)
	require.Equal(t, gatewaytest.MerchantKey, c.Merchant.Key)
	require.True(t, c.Merchant.Password.IsZero())
	require.Len(t, c.MIDs, 2)
	require.Len(t, c.Mappings, 1)
	require.True(t, c.Mappings[0].CascadingStatus)
	_, err = op.Configuration(t.Context(), "nobody")
	require.ErrorIs(t, err, store.ErrNotFound)
}

// Schedules and agreements of one merchant are listed, without the tokens that charge a card.
func TestSchedulesAndAgreements(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	kit.Advance(t, 8*24*time.Hour)
	schedules, err := kit.Operator().Schedules(t.Context(), gatewaytest.MerchantID, "", 10)
	require.NoError(t, err)
	require.Len(t, schedules, 1)
	require.Equal(t, set.ID, schedules[0].ID)
	list, err := kit.Operator().Agreements(t.Context(), gatewaytest.MerchantID, 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{first.ID, set.ID, 1}, []any{list[0].PaymentID, list[0].ScheduleID, list[0].Paid})
	require.False(t, list[0].Due.IsZero())
	others, err := kit.Operator().Agreements(t.Context(), "nobody", 10)
	require.NoError(t, err)
	require.Empty(t, others)
}

// Health tells what waits and for how long, and whether anybody does it.
func TestHealth(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	h, err := kit.Operator().Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, gateway.Health{Due: map[gateway.Work]time.Time{}}, h)
	at := kit.Clock.Now()
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Clock.Set(at.Add(time.Hour))
	h, err = kit.Operator().Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[gateway.Work]time.Time{gateway.WorkCallback: at}, h.Due)
}

// What cannot be repaired leaves the list, and stays undone.
func TestForget(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	key := kerneltest.KeysUnder(t, kit.Store, "cb")[0]
	kerneltest.DamageRecord(t, kit, []byte(key), func([]byte) []byte { return []byte("{") })
	kit.Work(t)
	list := kerneltest.AsideOf(t, kit, gateway.WorkCallback)
	require.Len(t, list, 1)
	require.NoError(t, kit.Operator().Forget(t.Context(), list[0].Work, list[0].ID))
	require.Empty(t, kerneltest.AsideOf(t, kit, gateway.WorkCallback))
	require.ErrorIs(t, kit.Operator().Forget(t.Context(), list[0].Work, list[0].ID), gateway.ErrNoAside)
	kit.Advance(t, 24*time.Hour)
	require.Empty(t, kit.Inbox.All())
}
