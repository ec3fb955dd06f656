package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// TestCentury compares every date of 100 years with the walker: all kinds of delay, lengths of interval, days of
// the month and days on which a chain can begin that differ. 2000 is a leap year and 2100 is none.
func TestCentury(t *testing.T) {
	t.Parallel()
	const saturday = 6
	days := walk(2000, 102, saturday)
	for _, unit := range []store.IntervalUnit{store.Day, store.Month} {
		for _, length := range []int{1, 2, 3, 6, 7, 12, 30, 90} {
			t.Run(fmt.Sprint(length, " ", unit), func(t *testing.T) {
				t.Parallel()
				for _, s := range variants(length, unit) {
					for at, day := range days[:366] {
						if anchored(day) {
							century(t, days[at:at+36_525], s)
						}
					}
				}
			})
		}
	}
}

// variants returns every schedule of an interval.
func variants(length int, unit store.IntervalUnit) (all []*store.Schedule) {
	firsts := []store.FirstPayment{{}, {Delay: store.NoDelay}, by(30, store.Day), by(1, store.Month), by(13, store.Month),
		weekday(1), weekday(7), monthday(1), monthday(29), monthday(31)}
	daysOfMonth := []int{0, 1, 30, 31}
	if unit == store.Day {
		daysOfMonth = daysOfMonth[:1]
	}
	for _, first := range firsts {
		for _, day := range daysOfMonth {
			all = append(all, every(length, unit, day, first))
		}
	}
	return all
}

// anchored picks the days on which chains begin.
func anchored(day walked) bool {
	switch day.date.Day {
	case 1, 15, 28, 29, 30, 31:
		return slowdown == 1 && (day.date.Month <= 2 || day.date.Month == 11) || day.date.Month == 1 && day.last
	}
	return false
}

// century compares a schedule with the walker from the day on which a chain begins, with and without a start.
func century(t *testing.T, days []walked, s *store.Schedule) {
	t.Helper()
	begun := days[0].date
	starts := []schedule.Date{{}}
	if s.First.Delay == store.DelayDayOfWeek {
		starts = append(starts, days[45].date)
	}
	for _, start := range starts {
		anchor := schedule.First(s, begun, start)
		for n, want := range dues(days, s, start) {
			if got := anchor.At(s, n); got != want {
				require.Failf(t, "other date", "%+v begun %s start %s: occurrence %d is %s, want %s", s, begun, start, n, got, want)
			}
		}
	}
}

func TestWalker(t *testing.T) {
	t.Parallel()
	days := walk(2000, 102, 6)
	require.Equal(t, schedule.Date{Year: 2101, Month: 12, Day: 31}, days[len(days)-1].date)
	require.Len(t, days, 102*365+25) // leap days of 2000 to 2096
	for i, day := range days {
		require.Equal(t, day.date, days[0].date.AddDays(i))
		require.Equal(t, day.weekday%7, int(day.date.Weekday()))
	}
}
