package recurring_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func naming(set *store.Schedule) func(*gateway.RecurRequest) {
	return func(r *gateway.RecurRequest) { r.ScheduleID = set.ID }
}

// A later payment moves its chain only once it is taken. What happens to chain or schedule in between counts.
func TestJoiningASchedule(t *testing.T) {
	t.Parallel()
	key := gatewaytest.MerchantKey
	for _, c := range []struct {
		name     string
		answer   vcard.Outcome
		meantime func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, first store.Payment, r *gateway.Result)
		paid     int // scheduled payments in the end
	}{
		{"nothing happens", vcard.UnknownAfter(), nil, 2},
		{"PAUSE and RUN", vcard.UnknownAfter(), func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment, _ *gateway.Result) {
			require.NoError(t, kit.Merchant(key).PauseSchedule(t.Context(), set.ID))
			kit.Advance(t, 48*time.Hour)
			require.NoError(t, kit.Merchant(key).RunSchedule(t.Context(), set.ID))
		}, 2},
		{"DELETE is refused", vcard.UnknownAfter(), func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment, _ *gateway.Result) {
			require.ErrorIs(t, kit.Merchant(key).DeleteSchedule(t.Context(), set.ID), gateway.ErrSchedule)
		}, 2},
		{"DESCHEDULE", vcard.UnknownAfter(), func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, first store.Payment, _ *gateway.Result) {
			require.NoError(t, kit.Merchant(key).Deschedule(t.Context(), first.RecurringToken, set.ID))
			require.NoError(t, kit.Merchant(key).DeleteSchedule(t.Context(), set.ID))
		}, 0},
		{"declined for good", vcard.Decline("No"), func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, _ store.Payment, _ *gateway.Result) {
			require.NoError(t, kit.Merchant(key).DeleteSchedule(t.Context(), set.ID))
		}, 0},
		{"a retry is taken", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, _ *store.Schedule, _ store.Payment, r *gateway.Result) {
			_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(r.Payment))
			require.NoError(t, err)
		}, 2},
		{"DESCHEDULE before the retry", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, set *store.Schedule, first store.Payment, r *gateway.Result) {
			require.NoError(t, kit.Merchant(key).Deschedule(t.Context(), first.RecurringToken, set.ID))
			_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(r.Payment))
			require.NoError(t, err)
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			set, err := kit.Merchant(key).CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
			require.NoError(t, err)
			kit.Vcard.Next(c.answer)
			r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", naming(set)))
			if c.meantime != nil {
				c.meantime(t, kit, set, first, r)
			}
			kit.Advance(t, 100*24*time.Hour)
			made := 0
			for _, p := range kerneltest.ReadBooks(t, kit).Payments {
				if p.Occurrence > 0 {
					made++
				}
			}
			require.Equal(t, c.paid, made)
		})
	}
}

// A chain that left its schedule does not return to it when an older payment is taken later.
func TestOlderPaymentDoesNotRejoin(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	kit.Vcard.Next(vcard.SoftDecline("Later"))
	r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", naming(set)))
	require.NoError(t, kit.Shop().Deschedule(t.Context(), first.RecurringToken, set.ID))
	_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(r.Payment))
	require.NoError(t, err)
	before := len(kit.Charges(t))
	kit.Advance(t, 100*24*time.Hour)
	require.Len(t, kit.Charges(t), before)
}

// Dates that are too far away for time.Duration are never today.
func TestFarSchedules(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set := kerneltest.Scheduled(t, kit)
	for _, date := range []string{"2927-03-31", "2262-04-12", "2037-03-10"} {
		_, err := kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(set),
				func(r *gateway.ChargeRequest) { r.ScheduleStartDate = date }))
		require.Equal(t, "schedule_start_date", gateway.AsError(err).Faults()[0].Path, date)
	}
	_, first := kerneltest.Subscribed(t, kit,
		store.Schedule{Name: "Far", IntervalLength: 1000, IntervalUnit: store.Month, PaymentsCount: 10,
			First: store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 1000,
				IntervalUnit: store.Month}}, func(r *gateway.ChargeRequest) {
			r.Order.Number = "SUB-2"
		})
	require.Equal(t, "2110-07-10", first.FirstRecurring)
	_, _ = kerneltest.Subscribed(t, kit,
		store.Schedule{Name: "Farther", IntervalLength: 1000, IntervalUnit: store.Day, PaymentsCount: 10,
			First: store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 1000, IntervalUnit: store.Month}})
	kit.Advance(t, 24*time.Hour)
	require.Len(t, kit.Charges(t), 2)
}

// The start date may be today in the earliest time zone, because the MID's zone is known only later.
func TestStartOfASchedule(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t) // 2027-03-10 12:00 UTC
	kit.Clock.Set(kit.Clock.Now().Add(-time.Hour))
	set := kerneltest.Scheduled(t, kit)
	for date, ok := range map[string]bool{
		"2027-03-08": false, "2027-03-09": true, "2027-03-10": true, "2037-03-08": true,
	} {
		_, err := kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf("ORD-"+date, gatewaytest.Settles, kerneltest.OnSchedule(set),
				func(r *gateway.ChargeRequest) { r.ScheduleStartDate = date }))
		require.Equal(t, ok, err == nil, "%s: %v", date, err)
	}
}

// A chain whose first payment was given back leaves its schedule, and its token is in no log.
func TestScheduleOfAReleasedHold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	kit := kerneltest.Audited(t, func(c *gateway.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3), kerneltest.Held)
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(first, ""))
	require.NoError(t, err)
	kit.Advance(t, 30*24*time.Hour)
	require.Len(t, kit.Charges(t), 2)
	require.NotContains(t, log.String(), first.RecurringToken)
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID))
}

// The card of a chain is deleted long after it expired, unless a schedule charges it.
func TestPurgeOfChains(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain)
	kit.Work(t)
	gone := kerneltest.Date("2038-02-01").Add(540 * kerneltest.Day)
	kerneltest.LapAt(t, kit, gone.Add(-time.Second))
	require.Len(t, kerneltest.ChainTokens(t, kit), 1)
	kerneltest.LapAt(t, kit, gone)
	require.Empty(t, kerneltest.ChainTokens(t, kit))
}
