package work_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// otherwise are the ways to settle work that was set aside and repaired, without Resume.
var otherwise = []struct {
	name   string
	work   gateway.Work
	settle func(t *testing.T, kit *gatewaytest.Kit, a gateway.Aside, first records.Payment)
}{
	{"a decision", gateway.WorkRecovery, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside, p records.Payment) {
		review := kerneltest.ReviewOf(t, kit, p.Transactions[0].ID, "received by the acquirer")
		_, err := kit.Operator().ResolveDoubt(t.Context(), review, true)
		require.NoError(t, err)
	}},
	{"a decision against it", gateway.WorkRecovery, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside,
		p records.Payment) {
		review := kerneltest.ReviewOf(t, kit, p.Transactions[0].ID, "not seen")
		_, err := kit.Operator().ResolveDoubt(t.Context(), review, false)
		require.NoError(t, err)
	}},
	{"a callback sent again", gateway.WorkCallback, func(t *testing.T, kit *gatewaytest.Kit, a gateway.Aside,
		_ records.Payment) {
		require.NoError(t, kit.Operator().Resend(t.Context(), a.ID))
	}},
	{"DESCHEDULE", gateway.WorkSchedule, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside, first records.Payment) {
		require.NoError(t, kit.Shop().Deschedule(t.Context(), first.RecurringToken, first.ScheduleID))
	}},
	{"a chain that ends", gateway.WorkSchedule, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside,
		first records.Payment) {
		_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: first.ID})
		require.NoError(t, err)
	}},
	{"a schedule that runs again", gateway.WorkSchedule, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside,
		first records.Payment) {
		require.NoError(t, kit.Shop().PauseSchedule(t.Context(), first.ScheduleID))
		require.NoError(t, kit.Shop().RunSchedule(t.Context(), first.ScheduleID))
		kit.Work(t)
	}},
	{"a lap of the purge", gateway.WorkPurge, func(t *testing.T, kit *gatewaytest.Kit, _ gateway.Aside,
		_ records.Payment) {
		for range 3 {
			kerneltest.LapDue(t, kit)
			kit.Work(t)
		}
	}},
}

// A notification gives a transaction that was set aside its outcome, and removes it from the list.
func TestNotifiedLeavesTheList(t *testing.T) {
	t.Parallel()
	kit, s := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kit.Vcard.On("VICTIM", vcard.UnknownAfter())
	r := kerneltest.Charged(t, kit, "VICTIM", gatewaytest.Settles)
	mend := kerneltest.DamageTable(t, kit, "md", nil, func(value []byte) []byte { return value[:len(value)/2] })
	kit.Twin(t).Advance(t, time.Hour)
	mend()
	require.Len(t, kerneltest.AsideOf(t, kit, gateway.WorkRecovery), 1)
	kerneltest.NotifyOf(t, kit, s, r.Transaction.ID)
	require.Equal(t, store.Settled, kit.Payment(t, "VICTIM").Status)
	require.Empty(t, kerneltest.AsideOf(t, kit, gateway.WorkRecovery))
}

// Work that was set aside leaves the list when it is settled otherwise, at the same moment. Other work stays on the
// list.
func TestSetAsideLeavesTheList(t *testing.T) {
	t.Parallel()
	for _, c := range otherwise {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			var s kerneltest.DueWork
			for _, one := range kerneltest.DueWorks {
				if one.Work == c.work {
					s = one
				}
			}
			known := kerneltest.KeysUnder(t, kit.Store, s.Table)
			s.Leave(t, kit, gatewaytest.MerchantKey, "VICTIM")
			mend := kerneltest.DamageTable(t, kit, s.Table, known, func(value []byte) []byte { return value[:len(value)/2] })
			spend(t, kit, &s)
			list := kerneltest.AsideOf(t, kit, c.work)
			require.NotEmpty(t, list)
			mend()
			kit.Work(t)
			require.Equal(t, list, kerneltest.AsideOf(t, kit, c.work), "repairing it settles nothing")
			var first records.Payment
			for _, p := range kerneltest.ReadBooks(t, kit).Payments {
				if strings.HasPrefix(p.Order.Number, "VICTIM") {
					first = p
				}
			}
			c.settle(t, kit, list[0], first)
			require.Empty(t, kerneltest.AsideOf(t, kit, c.work))
			kit.Work(t)
			require.Empty(t, kerneltest.AsideOf(t, kit, c.work))
		})
	}
}
