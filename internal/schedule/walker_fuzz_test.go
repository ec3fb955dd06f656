package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// FuzzWalker compares the occurrences of any schedule with a walk from day to day over up to 100 years: every kind
// of first payment, every length of interval and day of the month, from any day of 2000 to 2020.
func FuzzWalker(f *testing.F) {
	for delay := range uint8(5) {
		f.Add(uint16(0), true, uint8(31), delay, uint16(0), false, uint8(30), uint16(30), uint16(0))
		f.Add(uint16(29), false, uint8(0), delay, uint16(2), true, uint8(6), uint16(59), uint16(0))
		f.Add(uint16(11), true, uint8(0), delay, uint16(1), true, uint8(28), uint16(1520), uint16(3))
	}
	days := walk(2000, 122, 6)
	f.Fuzz(func(t *testing.T, length uint16, months bool, day, delay uint8, by uint16, byMonths bool, on uint8,
		begun, start uint16) {
		units := map[bool]store.IntervalUnit{true: store.Month, false: store.Day}
		s := every(1+int(length)%400, units[months], 0, store.FirstPayment{
			Delay: []store.Delay{"", store.NoDelay, store.DelayByInterval, store.DelayDayOfWeek,
				store.DelayDayOfMonth}[delay%5],
			IntervalLength: 1 + int(by)%200, IntervalUnit: units[byMonths], DayOfWeek: 1 + int(on)%7, DayOfMonth: 1 + int(on)%31,
		})
		if months {
			s.DayOfMonth = int(day) % 32
		}
		from := int(begun) % (20 * 365)
		walked := days[from : from+36_525]
		var given schedule.Date
		if start%2 == 1 {
			given = walked[1+int(start)%500].date
		}
		anchor := schedule.First(s, walked[0].date, given)
		for n, want := range dues(walked, s, given) {
			if got := anchor.At(s, n); got != want {
				require.Failf(t, "other date", "%+v begun %s start %s: occurrence %d is %s, want %s", s, walked[0].date, given, n,
					got, want)
			}
		}
	})
}
