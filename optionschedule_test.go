package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// scheduleOption is a field of a schedule: when a chain of the tenth of March, a Wednesday, is charged without it
// and with it, until the end of May.
type scheduleOption struct {
	name          string
	base, set     func(*store.Schedule)
	without, with []string
}

func scheduleOptions() []scheduleOption {
	monthly := func(s *store.Schedule) { s.IntervalLength, s.IntervalUnit = 1, store.Month }
	delayed := func(s *store.Schedule) {
		s.First = store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: 1, IntervalUnit: store.Day}
	}
	weekday := func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 4} }
	monthday := func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfMonth, DayOfMonth: 15} }
	every20 := []string{"2027-03-30", "2027-04-19"}
	return []scheduleOption{
		{"Schedule.IntervalLength", nil, func(s *store.Schedule) { s.IntervalLength = 5 }, every20, []string{"2027-03-15", "2027-03-20"}},
		{"Schedule.IntervalUnit", func(s *store.Schedule) { s.IntervalLength = 1 }, func(s *store.Schedule) { s.IntervalUnit = store.Month },
			[]string{"2027-03-11", "2027-03-12"}, []string{"2027-04-10", "2027-05-10"}},
		{"Schedule.DayOfMonth", monthly, func(s *store.Schedule) { s.DayOfMonth = 20 }, []string{"2027-04-10", "2027-05-10"}, []string{"2027-04-20", "2027-05-20"}},
		{"Schedule.PaymentsCount", nil, func(s *store.Schedule) { s.PaymentsCount = 1 }, every20, every20[:1]},
		{"Schedule.Paused", nil, func(s *store.Schedule) { s.Paused = true }, every20, nil},
		{"FirstPayment.Delay", nil, delayed, every20, []string{"2027-03-11", "2027-03-31"}},
		{"FirstPayment.IntervalLength", delayed, func(s *store.Schedule) { s.First.IntervalLength = 3 }, []string{"2027-03-11", "2027-03-31"}, []string{"2027-03-13", "2027-04-02"}},
		{"FirstPayment.IntervalUnit", delayed, func(s *store.Schedule) { s.First.IntervalUnit = store.Month }, []string{"2027-03-11", "2027-03-31"}, []string{"2027-04-10", "2027-04-30"}},
		{"FirstPayment.DayOfWeek", weekday, func(s *store.Schedule) { s.First.DayOfWeek = 5 }, []string{"2027-03-11", "2027-03-31"}, []string{"2027-03-12", "2027-04-01"}},
		{"FirstPayment.DayOfMonth", monthday, func(s *store.Schedule) { s.First.DayOfMonth = 16 }, []string{"2027-03-15", "2027-04-04"}, []string{"2027-03-16", "2027-04-05"}},
	}
}

func TestScheduleOptions(t *testing.T) {
	t.Parallel()
	for _, o := range scheduleOptions() {
		for _, on := range []bool{false, true} {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				s, want := kerneltest.EveryDays(20, 2), o.without
				if o.base != nil {
					o.base(&s)
				}
				if on {
					o.set(&s)
					want = o.with
				}
				set, _ := kerneltest.Subscribed(t, kit, s)
				if s.Paused { // a new schedule always runs
					require.NoError(t, kit.Shop().PauseSchedule(t.Context(), set.ID))
				}
				kerneltest.AdvanceTo(t, kit, "2027-06-01")
				var dates []string
				for _, paid := range kerneltest.PaidOn(t, kit) {
					dates = append(dates, paid[:len("2027-03-30")])
				}
				require.Equal(t, want, dates)
			})
		}
	}
}
