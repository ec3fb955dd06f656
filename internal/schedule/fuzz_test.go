package schedule_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

var dateForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// sound is ParseDate the slow way: the form, and then a day that exists in its year.
func sound(text string) bool {
	if !dateForm.MatchString(text) || text[:4] == "0000" {
		return false
	}
	year, _ := strconv.Atoi(text[:4])
	for _, day := range walk(year, 1, 1) {
		if day.date.String() == text {
			return true
		}
	}
	return false
}

func FuzzParseDate(f *testing.F) {
	for _, seed := range []string{
		"2027-01-31", "2028-02-29", "2100-02-29", "0000-01-01", "9999-12-31", "2027-1-01", "", "2027-13-01",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := schedule.ParseDate(text)
		require.Equal(t, sound(text), err == nil)
		if err != nil {
			require.True(t, d.IsZero())
			return
		}
		require.Equal(t, text, d.String())
		var again schedule.Date
		require.NoError(t, again.UnmarshalText([]byte(text)))
		require.Equal(t, d, again)
	})
}

// FuzzOccurrences checks schedules within the bounds of the kernel: no payment is before the chain began, dates
// strictly grow, and each is on the wished day or on the last one of its month.
func FuzzOccurrences(f *testing.F) {
	f.Add(uint16(1), true, uint8(31), uint8(3), uint16(1), false, uint8(31), uint32(31), uint32(0), uint16(7))
	f.Add(uint16(30), false, uint8(0), uint8(2), uint16(1), true, uint8(1), uint32(59), uint32(9), uint16(0))
	f.Fuzz(func(t *testing.T, length uint16, months bool, day, delay uint8, by uint16, byMonths bool, on uint8,
		begun, start uint32, n uint16) {
		units := map[bool]store.IntervalUnit{true: store.Month, false: store.Day}
		s := every(1+int(length)%1000, units[months], 0, store.FirstPayment{
			Delay: []store.Delay{"", store.NoDelay, store.DelayByInterval, store.DelayDayOfWeek,
				store.DelayDayOfMonth}[delay%5],
			IntervalLength: 1 + int(by)%1000, IntervalUnit: units[byMonths], DayOfWeek: 1 + int(on)%7,
			DayOfMonth: 1 + int(on)%31,
		})
		if months {
			s.DayOfMonth = int(day) % 32
		}
		from := date(t, "2000-01-01").AddDays(int(begun % 100_000))
		var given schedule.Date
		if start%3 == 0 {
			given = from.AddDays(int(start % 1000))
		}
		checkOccurrences(t, s, from, given, int(n)%10_000)
	})
}

func checkOccurrences(t *testing.T, s *store.Schedule, begun, start schedule.Date, n int) {
	t.Helper()
	anchor := schedule.First(s, begun, start)
	first, got := anchor.At(s, 0), anchor.At(s, n)
	if start.IsZero() {
		require.Positive(t, first.Compare(begun))
	} else {
		require.Equal(t, start, first)
	}
	require.Positive(t, anchor.At(s, n+1).Compare(got))
	require.GreaterOrEqual(t, got.Compare(first), 0)
	if n == 0 || s.IntervalUnit == store.Day {
		return
	}
	wished := anchor.Day
	if s.DayOfMonth > 0 {
		wished = s.DayOfMonth
	}
	require.LessOrEqual(t, got.Day, wished)
	require.True(t, got.Day == wished || got.AddDays(1).Day == 1)
}
