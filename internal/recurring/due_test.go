package recurring_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// A schedule charges on its dates and no others, for its number of payments, and then ends.
func TestScheduledPayments(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set, first := kerneltest.Subscribed(t, kit, kerneltest.Monthly(func(s *store.Schedule) { s.PaymentsCount = 4 }))
	require.Equal(t, "2027-04-30", first.FirstRecurring)
	kerneltest.AdvanceTo(t, kit, "2029-01-01")
	require.Equal(t, []string{"2027-04-30 10.00", "2027-05-31 10.00", "2027-06-30 10.00", "2027-07-31 10.00"},
		kerneltest.PaidOn(t, kit))

	payments, err := kit.Shop().Status(t.Context(),
		gateway.Lookup{OrderNumber: "SUB-1", Size: 10})
	require.NoError(t, err)
	require.Len(t, payments, 5)
	for i, r := range payments[:4] {
		p := r.Payment
		require.Equal(t, []any{4 - i, store.Settled, first.ID, set.ID},
			[]any{p.Occurrence, p.Status, p.RecurringInitID, p.ScheduleID})
		require.Equal(t, &store.COF{Initiator: "merchant", Source: "recurring", Sequence: "subsequent"}, p.COF)
	}
	var types []string
	for _, c := range kerneltest.FormsOf(t, kit, "SUB-1") {
		types = append(types, c.Get("type")+" "+c.Get("status")+" "+c.Get("schedule_id")[:4])
	}
	require.Equal(t, append([]string{"sale success " + set.ID[:4]}, repeat("recurring success "+set.ID[:4], 4)...), types)
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID),
		"the chain has ended: nothing is on the schedule")
}

func repeat(text string, n int) (list []string) {
	for range n {
		list = append(list, text)
	}
	return list
}

// first_recurring_date and the dates after it, for each kind of delay (SPEC2, Schedules; SPEC1, schedule_start_date
// and payment_schedule_amount).
func TestFirstScheduledPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		set    store.Schedule
		change func(*gateway.ChargeRequest)
		dates  []string
	}{
		{"none", kerneltest.EveryDays(7, 2), nil, []string{"2027-03-17 10.00", "2027-03-24 10.00"}},
		{"by an interval", func() store.Schedule {
			s := kerneltest.EveryDays(7, 2)
			s.First = store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 3, IntervalUnit: store.Day}
			return s
		}(), nil, []string{"2027-03-13 10.00", "2027-03-20 10.00"}},
		{"to a weekday", func() store.Schedule {
			s := kerneltest.EveryDays(7, 2)
			s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 1}
			return s
		}(), nil, []string{"2027-03-15 10.00", "2027-03-22 10.00"}},
		{"to a day of the month", func() store.Schedule {
			s := kerneltest.EveryDays(7, 2)
			s.First = store.FirstPayment{Delay: store.DelayDayOfMonth, DayOfMonth: 5}
			return s
		}(), nil, []string{"2027-04-05 10.00", "2027-04-12 10.00"}},
		{"a start date and an amount", kerneltest.Monthly(func(s *store.Schedule) { s.PaymentsCount, s.DayOfMonth = 2, 0 }),
			func(r *gateway.ChargeRequest) {
				r.ScheduleStartDate, r.PaymentScheduleAmount = "2027-03-31", "7.50"
			}, []string{"2027-03-31 7.50", "2027-04-30 7.50"}},
		{"today", kerneltest.EveryDays(7, 1), func(r *gateway.ChargeRequest) { r.ScheduleStartDate = "2027-03-10" },
			[]string{"2027-03-10 10.00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			change := c.change
			if change == nil {
				change = func(*gateway.ChargeRequest) {}
			}
			_, first := kerneltest.Subscribed(t, kit, c.set, change)
			require.Equal(t, c.dates[0][:10], first.FirstRecurring)
			kerneltest.AdvanceTo(t, kit, "2028-01-01")
			require.Equal(t, c.dates, kerneltest.PaidOn(t, kit))
		})
	}
}

// Dates in a pause are not charged when the schedule runs again (decision bp). The later dates do not change, and
// no payment is lost.
func TestPausedSchedule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, until string
		dates             []string
	}{
		{"between two dates", "2027-03-18", "2027-03-22", []string{"2027-03-17", "2027-03-24", "2027-03-31"}},
		{"over one date", "2027-03-12", "2027-03-20", []string{"2027-03-24", "2027-03-31", "2027-04-07"}},
		{"over three dates", "2027-03-12", "2027-04-02", []string{"2027-04-07", "2027-04-14", "2027-04-21"}},
		{"until a date", "2027-03-12", "2027-03-24", []string{"2027-03-31", "2027-04-07", "2027-04-14"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			set, _ := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
			kerneltest.AdvanceTo(t, kit, c.from)
			require.NoError(t, kit.Shop().PauseSchedule(t.Context(), set.ID))
			before := len(kerneltest.PaidOn(t, kit))
			kerneltest.AdvanceTo(t, kit, c.until)
			require.Len(t, kerneltest.PaidOn(t, kit), before, "nothing is charged while it is paused")
			require.NoError(t, kit.Shop().RunSchedule(t.Context(), set.ID))
			kerneltest.AdvanceTo(t, kit, "2028-01-01")
			var want []string
			for _, date := range c.dates {
				want = append(want, date+" 10.00")
			}
			require.Equal(t, want, kerneltest.PaidOn(t, kit))
		})
	}
}

// A changed schedule counts from the newest payment; a chain that left it is no longer charged.
func TestChangedSchedule(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 10))
	kerneltest.AdvanceTo(t, kit, "2027-03-18")
	_, err := kit.Shop().UpdateSchedule(t.Context(), set.ID, func(s *store.Schedule) error {
		s.IntervalLength, s.IntervalUnit = 1, store.Month
		return nil
	})
	require.NoError(t, err)
	kerneltest.AdvanceTo(t, kit, "2027-05-20")
	dates := []string{"2027-03-17 10.00", "2027-04-17 10.00", "2027-05-17 10.00"}
	require.Equal(t, dates, kerneltest.PaidOn(t, kit))
	_, err = kit.Shop().UpdateSchedule(t.Context(), set.ID,
		func(s *store.Schedule) error { s.Name = "Other"; return nil })
	require.NoError(t, err)
	require.NoError(t, kit.Shop().Deschedule(t.Context(), first.RecurringToken, set.ID))
	kerneltest.AdvanceTo(t, kit, "2029-01-01")
	require.Equal(t, dates, kerneltest.PaidOn(t, kit))
}

// A change charges no missed dates either: the next date is the first new one in the future (decision bp), counted
// from the moment of the change or the resume, however late the change is processed.
func TestChangeChargesNoArrears(t *testing.T) {
	t.Parallel()
	key := gatewaytest.MerchantKey
	shorten := func(t *testing.T, kit *gatewaytest.Kit, id string) {
		_, err := kit.Merchant(key).UpdateSchedule(t.Context(), id,
			func(s *store.Schedule) error { s.IntervalLength = 7; return nil })
		require.NoError(t, err)
	}
	paused := func(t *testing.T, kit *gatewaytest.Kit, id string) {
		require.NoError(t, kit.Merchant(key).PauseSchedule(t.Context(), id))
	}
	runs := func(t *testing.T, kit *gatewaytest.Kit, id string) {
		require.NoError(t, kit.Merchant(key).RunSchedule(t.Context(), id))
	}
	type step struct {
		at string // UTC
		do func(*testing.T, *gatewaytest.Kit, string)
	}
	for _, c := range []struct {
		name  string
		every int
		steps []step
		late  time.Duration // how long no worker runs after the last step
		next  string
	}{
		{"UPDATE before the first", 30, []step{{"2027-04-05 12:00", shorten}}, 0, "2027-04-07"},
		{"UPDATE on a date of the new ones", 30, []step{{"2027-04-07 00:00", shorten}}, 0, "2027-04-14"},
		{"UPDATE after one was paid", 30, []step{{"2027-05-05 12:00", shorten}}, 0, "2027-05-07"},
		{"RUN before midnight, processed after it", 7, []step{{"2027-03-15 12:00", paused}, {"2027-03-23 23:59", runs}}, time.Hour, "2027-03-24"},
		{"RUN, processed days later", 7, []step{{"2027-03-15 12:00", paused}, {"2027-03-23 23:59", runs}}, 9 * 24 * time.Hour, "2027-04-01"},
		{"UPDATE in a pause, and RUN", 30, []step{{"2027-03-15 12:00", paused}, {"2027-04-01 12:00", shorten}, {"2027-04-20 12:00", runs}}, 0, "2027-04-21"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			set, _ := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(c.every, 5))
			for _, s := range c.steps {
				at, err := time.Parse("2006-01-02 15:04", s.at)
				require.NoError(t, err)
				kit.Advance(t, at.Sub(kit.Clock.Now()))
				s.do(t, kit, set.ID)
			}
			paid := len(kerneltest.PaidOn(t, kit))
			kit.Clock.Set(kit.Clock.Now().Add(c.late))
			kit.Work(t)
			kit.Advance(t, 100*24*time.Hour)
			require.Equal(t, c.next+" 10.00", kerneltest.PaidOn(t, kit)[paid])
			kit.Advance(t, 200*24*time.Hour)
			require.Len(t, kerneltest.PaidOn(t, kit), 5, "none is lost")
		})
	}
}

// Dates that pass while no gateway runs are charged late.
func TestScheduleAfterAnOutage(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	kit.Clock.Set(kit.Clock.Now().AddDate(0, 1, 0))
	kit.Work(t)
	require.Equal(t, repeat("2027-04-10 10.00", 3), kerneltest.PaidOn(t, kit))
}

// A payment is due when its date begins in the MID's time zone, and never before.
func TestScheduleGoesByTheZoneOfTheMID(t *testing.T) {
	t.Parallel()
	for zone, due := range map[string]time.Time{
		"":                    time.Date(2027, 3, 17, 0, 0, 0, 0, time.UTC),
		"Pacific/Kiritimati":  time.Date(2027, 3, 17, 10, 0, 0, 0, time.UTC), // there the payment's date is the 11th
		"America/Los_Angeles": time.Date(2027, 3, 17, 7, 0, 0, 0, time.UTC),
		"Europe/Berlin":       time.Date(2027, 3, 16, 23, 0, 0, 0, time.UTC),
	} {
		kit := kerneltest.Audited(t)
		require.NoError(t, kit.SaveMID(t.Context(),
			store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", TimeZone: zone}))
		kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 1))
		kit.Advance(t, due.Add(-time.Nanosecond).Sub(kit.Clock.Now()))
		require.Empty(t, kerneltest.PaidOn(t, kit), zone)
		kit.Advance(t, time.Nanosecond)
		require.Len(t, kerneltest.PaidOn(t, kit), 1, zone)
	}
}

// A payment that cannot begin is retried until it can; a declined one is not retried: the next is charged on the
// next date.
func TestScheduledPaymentThatCannotBegin(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 2))
	mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Disabled: true}
	require.NoError(t, kit.SaveMID(t.Context(), mid))
	kerneltest.AdvanceTo(t, kit, "2027-03-19")
	require.Empty(t, kerneltest.PaidOn(t, kit))
	mid.Disabled = false
	require.NoError(t, kit.SaveMID(t.Context(), mid))
	kit.Vcard.Next(vcard.Decline("Insufficient funds"))
	kerneltest.AdvanceTo(t, kit, "2027-03-20")
	kerneltest.AdvanceTo(t, kit, "2028-01-01")
	require.Equal(t, []string{"2027-03-19 10.00", "2027-03-24 10.00"}, kerneltest.PaidOn(t, kit))
	require.Equal(t, "decline", kerneltest.FormsOf(t, kit, "SUB-1")[1].Get("order_status"))
}

// A payment that a limit refuses when its date is taken keeps the date: it is made once the limit allows it.
func TestScheduledPaymentThatIsRefused(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 2))
	mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Limits: store.Limits{Day: "5.00"}}
	require.NoError(t, kit.SaveMID(t.Context(), mid))
	kerneltest.AdvanceTo(t, kit, "2027-03-19")
	require.Empty(t, kerneltest.PaidOn(t, kit))
	mid.Limits.Day = ""
	require.NoError(t, kit.SaveMID(t.Context(), mid))
	kerneltest.AdvanceTo(t, kit, "2028-01-01")
	require.Equal(t, []string{"2027-03-19 10.00", "2027-03-24 10.00"}, kerneltest.PaidOn(t, kit))
}

// A later payment that names a schedule puts its chain on it.
func TestLaterPaymentJoinsASchedule(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
	require.NoError(t, err)
	r := kerneltest.Recurred(t, kit,
		kerneltest.LaterOf(first, "SUB-2", func(r *gateway.RecurRequest) { r.ScheduleID = set.ID }))
	require.Equal(t, "2027-03-17", r.Payment.FirstRecurring)
	kerneltest.AdvanceTo(t, kit, "2028-01-01")
	require.Equal(t, []string{"2027-03-10 5.00", "2027-03-17 5.00", "2027-03-24 5.00"}, kerneltest.PaidOn(t, kit))
}

// A schedule charges nothing before the first payment is taken, or when it is declined.
func TestScheduleOfAnUntakenPayment(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 2))
	require.NoError(t, err)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Declines, kerneltest.OnSchedule(set))
	kerneltest.Charged(t, kit, "ORD-2", gatewaytest.ThreeDSPasses, kerneltest.OnSchedule(set))
	kerneltest.AdvanceTo(t, kit, "2028-01-01")
	require.Len(t, kit.Charges(t), 2)
}

// Scheduled payments need an amount above zero.
func TestScheduleOfNothing(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ZeroAmount: true}))
	set := kerneltest.Scheduled(t, kit)
	for _, protocol := range store.Protocols()[:2] {
		r := kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(set),
			func(r *gateway.ChargeRequest) { r.Order.Amount, r.Protocol = "0.00", protocol })
		_, err := kit.Shop().Charge(t.Context(), r)
		require.ErrorIs(t, err, gateway.ErrInvalid)
		require.Equal(t, []gateway.Fault{{Path: "payment_schedule_amount", Text: "This value should not be blank."}},
			gateway.AsError(err).Faults())
	}
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(set),
		func(r *gateway.ChargeRequest) { r.Order.Amount, r.PaymentScheduleAmount = "0.00", "9.00" })
	kerneltest.AdvanceTo(t, kit, "2027-05-01")
	require.Equal(t, []string{"2027-04-30 9.00"}, kerneltest.PaidOn(t, kit))
}

// Two instances that tick at once charge each date once.
func TestScheduleOnTwoInstances(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	twin := kit.Twin(t)
	for n := range 20 {
		set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 3))
		require.NoError(t, err)
		kerneltest.Charged(t, kit, fmt.Sprint("SUB-", n), gatewaytest.Settles, kerneltest.OnSchedule(set))
	}
	kit.Clock.Set(kit.Clock.Now().AddDate(0, 0, 10))
	done := make(chan struct{})
	go func() { defer close(done); twin.Work(t) }()
	kit.Work(t)
	<-done
	kit.Work(t)
	require.Len(t, kit.Charges(t), 20+20*3)
}
