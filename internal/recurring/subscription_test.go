package recurring_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

func TestSubscriptionOfNextAction(t *testing.T) {
	t.Parallel()
	date := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		at, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return at
	}
	count := func(n int) func(*store.Schedule) { return func(s *store.Schedule) { s.PaymentsCount = n } }
	free := func(s *store.Schedule) { s.DayOfMonth = 0 }
	first := func(f store.FirstPayment) func(*store.Schedule) {
		return func(s *store.Schedule) { s.First, s.DayOfMonth = f, 0 }
	}
	for _, c := range []struct { // now is 2027-03-10 12:00 UTC
		name        string
		schedule    []func(*store.Schedule)
		request     func(*gateway.SessionRequest)
		amount      string
		first, last string
		day         int
		held        bool
		key         string
	}{
		{"on the day of the first payment", []func(*store.Schedule){free}, nil, "10.00", "2027-04-10", "2028-03-10", 0, false, ""},
		{"of a test session", []func(*store.Schedule){free}, nil, "10.00", "2027-04-10", "2028-03-10", 0, false, gatewaytest.TestKey},
		{"on the last of the month", nil, nil, "10.00", "2027-04-30", "2028-03-31", 31, false, ""},
		{"once", []func(*store.Schedule){count(1)}, nil, "10.00", "2027-04-30", "2027-04-30", 0, false, ""},
		{"of another amount", []func(*store.Schedule){free, count(2)}, func(r *gateway.SessionRequest) { r.Extra.PaymentScheduleAmount = "5.00" },
			"5.00", "2027-04-10", "2027-05-10", 0, false, ""},
		{"from a date", []func(*store.Schedule){free, count(2)}, func(r *gateway.SessionRequest) { r.Extra.ScheduleStartDate = "2027-03-20" },
			"10.00", "2027-03-20", "2027-04-20", 0, false, ""},
		{"after a delay", []func(*store.Schedule){first(store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 3, IntervalUnit: store.Day}), count(3)},
			nil, "10.00", "2027-03-13", "2027-05-13", 0, false, ""},
		{"from a weekday", []func(*store.Schedule){first(store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 1}), count(3)},
			nil, "10.00", "2027-03-15", "2027-05-15", 0, false, ""},
		{"of a hold", []func(*store.Schedule){free}, func(r *gateway.SessionRequest) { r.Hold = true }, "10.00", "", "", 0, true, ""},
		{"of a hold, from a date", []func(*store.Schedule){free, count(2)},
			func(r *gateway.SessionRequest) {
				r.Hold, r.Extra.ScheduleStartDate = true, "2027-03-20"
			}, "10.00", "2027-03-20", "2027-04-20", 0, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t).As(c.key)
			s := kerneltest.Monthly(c.schedule...)
			set, err := kit.Shop().CreateSchedule(t.Context(), s)
			require.NoError(t, err)
			r := gatewaytest.Request("ORD-1", "10.00")
			r.Extra.RecurringInit, r.Extra.ScheduleID = true, set.ID
			if c.request != nil {
				c.request(&r)
			}
			next, link := kerneltest.FormOf(t, kit, r)
			require.Equal(t, &gateway.Subscription{
				Amount: c.amount, Every: 1, Unit: store.Month, Count: set.PaymentsCount, First: date(c.first), Last: date(c.last),
				DayOfMonth: c.day, Held: c.held,
			}, next.Subscription)
			if !c.held && !r.Hold { // the chain uses the terms that the payer was shown
				_, err = kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles, IP: "203.0.113.7"})
				require.NoError(t, err)
				require.Equal(t, c.first, kit.Payment(t, "ORD-1").FirstRecurring)
				kerneltest.AdvanceTo(t, kit, "2028-06-01")
				paid := kerneltest.PaidOn(t, kit)
				require.Len(t, paid, set.PaymentsCount)
				require.Equal(t, c.first, paid[0][:len(time.DateOnly)])
				require.Equal(t, c.last+" "+c.amount, paid[len(paid)-1])
			}
		})
	}
}

func TestNoSubscriptionOfNextAction(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	next, _ := kerneltest.FormOf(t, kit, gatewaytest.Request("ORD-1", "10.00"))
	require.Nil(t, next.Subscription, "nothing is agreed to")

	r := gatewaytest.Request("ORD-2", "10.00")
	r.Extra.RecurringInit = true
	next, _ = kerneltest.FormOf(t, kit, r)
	require.Equal(t, &gateway.Subscription{}, next.Subscription, "the merchant charges as it was agreed")

	set := kerneltest.Scheduled(t, kit)
	r = gatewaytest.Request("ORD-3", "10.00")
	r.Extra.RecurringInit, r.Extra.ScheduleID = true, set.ID
	_, link := kerneltest.FormOf(t, kit, r)
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID))
	next, err := kit.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, &gateway.Subscription{}, next.Subscription, "a schedule that is gone has no dates")
}
