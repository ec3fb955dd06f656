package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

func every(n int, unit store.IntervalUnit, dayOfMonth int, first store.FirstPayment) *store.Schedule {
	return &store.Schedule{IntervalLength: n, IntervalUnit: unit, DayOfMonth: dayOfMonth, First: first}
}

func by(n int, unit store.IntervalUnit) store.FirstPayment {
	return store.FirstPayment{Delay: store.DelayByInterval, IntervalLength: n, IntervalUnit: unit}
}

func weekday(day int) store.FirstPayment {
	return store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: day}
}

func monthday(day int) store.FirstPayment {
	return store.FirstPayment{Delay: store.DelayDayOfMonth, DayOfMonth: day}
}

func TestOccurrences(t *testing.T) {
	t.Parallel()
	none := store.FirstPayment{}
	for _, c := range []struct {
		name         string
		s            *store.Schedule
		begun, start string
		want         string // occurrences 0, 1, ...
		day          int    // of the anchor
	}{
		{"none", every(1, store.Month, 0, store.FirstPayment{Delay: store.NoDelay}), "2027-01-15", "", "2027-02-15 2027-03-15", 15},
		{"nothing is none", every(1, store.Month, 0, none), "2027-01-15", "", "2027-02-15 2027-03-15", 15},
		{"31 stays 31", every(1, store.Month, 0, none), "2027-01-31", "", "2027-02-28 2027-03-31 2027-04-30 2027-05-31", 31},
		{"30", every(1, store.Month, 0, none), "2027-01-30", "", "2027-02-28 2027-03-30 2027-04-30", 30},
		{"31 in a leap year", every(1, store.Month, 0, none), "2028-01-31", "", "2028-02-29 2028-03-31", 31},
		{"leap day monthly", every(1, store.Month, 0, none), "2028-02-29", "", "2028-03-29 2028-04-29", 29},
		{"leap day yearly", every(12, store.Month, 0, none), "2028-02-29", "", "2029-02-28 2030-02-28 2031-02-28 2032-02-29", 29},
		{"leap day over a century", every(48, store.Month, 0, none), "2092-02-29", "", "2096-02-29 2100-02-28 2104-02-29", 29},
		{"last of February stays 28", every(1, store.Month, 0, none), "2027-02-28", "", "2027-03-28 2027-04-28", 28},
		{"over the year", every(3, store.Month, 0, none), "2026-11-30", "", "2027-02-28 2027-05-30", 30},
		{"day of month", every(1, store.Month, 5, none), "2027-01-31", "", "2027-02-05 2027-03-05", 5},
		{"day of month, cut", every(1, store.Month, 31, none), "2027-01-10", "", "2027-02-28 2027-03-31", 31},
		{"days", every(1, store.Day, 0, none), "2028-02-27", "", "2028-02-28 2028-02-29 2028-03-01", 28},
		{"weeks", every(7, store.Day, 0, none), "2026-12-28", "", "2027-01-04 2027-01-11", 4},

		{"months of delay", every(1, store.Month, 0, by(2, store.Month)), "2026-12-31", "", "2027-02-28 2027-03-31", 31},
		{"months of delay, day of month", every(1, store.Month, 10, by(1, store.Month)), "2027-01-31", "", "2027-02-28 2027-03-10 2027-04-10", 31},
		{"days of delay", every(1, store.Month, 0, by(16, store.Day)), "2027-01-15", "", "2027-01-31 2027-02-28 2027-03-31", 31},
		{"days of delay, day of month", every(2, store.Month, 1, by(16, store.Day)), "2027-01-15", "", "2027-01-31 2027-03-01 2027-05-01", 31},
		{"months of delay, then days", every(30, store.Day, 0, by(1, store.Month)), "2027-01-31", "", "2027-02-28 2027-03-30 2027-04-29", 31},
		{"days of delay, then days", every(10, store.Day, 0, by(3, store.Day)), "2027-02-25", "", "2027-02-28 2027-03-10", 28},

		{"Monday from a Friday", every(7, store.Day, 0, weekday(1)), "2027-01-01", "", "2027-01-04 2027-01-11", 4},
		{"Friday from a Friday", every(7, store.Day, 0, weekday(5)), "2027-01-01", "", "2027-01-08 2027-01-15", 8},
		{"Sunday is 7", every(1, store.Month, 0, weekday(7)), "2027-01-30", "", "2027-01-31 2027-02-28 2027-03-31", 31},
		{"Saturday from a Sunday", every(1, store.Month, 2, weekday(6)), "2027-01-31", "", "2027-02-06 2027-03-02", 6},

		{"31 from 31 January", every(1, store.Month, 0, monthday(31)), "2027-01-31", "", "2027-02-28 2027-03-31", 31},
		{"31 from 28 February", every(1, store.Month, 0, monthday(31)), "2027-02-28", "", "2027-03-31 2027-04-30", 31},
		{"29 from 28 February in a leap year", every(1, store.Month, 0, monthday(29)), "2028-02-28", "", "2028-02-29 2028-03-29", 29},
		{"later this month", every(1, store.Month, 0, monthday(20)), "2027-01-19", "", "2027-01-20 2027-02-20", 20},
		{"today is not it", every(1, store.Month, 0, monthday(20)), "2027-12-20", "", "2028-01-20 2028-02-20", 20},
		{"first at 31, later ones at 1", every(1, store.Month, 1, monthday(31)), "2027-01-10", "", "2027-01-31 2027-02-01 2027-03-01", 31},
		{"first at 1, later ones at 31", every(1, store.Month, 31, monthday(1)), "2027-01-10", "", "2027-02-01 2027-03-31 2027-04-30", 1},
		{"day of a month, then days", every(90, store.Day, 0, monthday(31)), "2027-02-01", "", "2027-02-28 2027-05-29", 31},

		{"start date", every(1, store.Month, 0, none), "2027-01-01", "2027-01-31", "2027-01-31 2027-02-28 2027-03-31", 31},
		{"start date before a delay", every(1, store.Month, 0, monthday(5)), "2027-01-01", "2027-01-20", "2027-01-20 2027-02-20", 20},
		{"start date, day of month", every(1, store.Month, 3, none), "2027-01-01", "2027-01-20", "2027-01-20 2027-02-03 2027-03-03", 20},
		{"start date, days", every(2, store.Day, 0, weekday(1)), "2027-01-01", "2027-02-27", "2027-02-27 2027-03-01", 27},
		{"start date at once", every(1, store.Month, 0, none), "2027-01-01", "2027-01-01", "2027-01-01 2027-02-01", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var start schedule.Date
			if c.start != "" {
				start = date(t, c.start)
			}
			anchor := schedule.First(c.s, date(t, c.begun), start)
			var got []string
			for n := range strings.Fields(c.want) {
				got = append(got, anchor.At(c.s, n).String())
			}
			require.Equal(t, c.want, strings.Join(got, " "))
			require.Equal(t, c.day, anchor.Day)
		})
	}
}

// A chain continues from an occurrence that was due when its schedule is changed.
func TestAnchorAnew(t *testing.T) {
	t.Parallel()
	s := every(1, store.Month, 0, store.FirstPayment{})
	anchor := schedule.First(s, date(t, "2027-01-31"), schedule.Date{})
	anew := schedule.Anchor{Date: anchor.At(s, 2), Day: anchor.Day} // 30 April
	s.IntervalLength = 3
	require.Equal(t, "2027-07-31", anew.At(s, 1).String())
}

func ExampleFirst() {
	s := &store.Schedule{IntervalLength: 1, IntervalUnit: store.Month}
	anchor := schedule.First(s, schedule.Date{Year: 2027, Month: 1, Day: 31}, schedule.Date{})
	fmt.Println(anchor.At(s, 0), anchor.At(s, 1), anchor.At(s, 2))
	// Output: 2027-02-28 2027-03-31 2027-04-30
}
