package schedule_test

import (
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// The walker is the model: it knows how to go to the next day and nothing else, and shares no code with the
// package or with the time package.

// walked is a day of a walk.
type walked struct {
	date    schedule.Date
	weekday int  // 1 Monday to 7 Sunday
	last    bool // of its month
}

// walk returns all days of some years, the first day of which is a given day of the week.
func walk(from, years, weekday int) (days []walked) {
	for year := from; year < from+years; year++ {
		for month, length := range []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31} {
			if month == 1 && leaps(year) {
				length++
			}
			for day := 1; day <= length; day++ {
				d := schedule.Date{Year: year, Month: time.Month(month + 1), Day: day}
				days = append(days, walked{d, weekday, day == length})
				weekday = weekday%7 + 1
			}
		}
	}
	return days
}

// leaps is the rule of 1582: a leap year every four years, but of the years that end a century only every fourth.
func leaps(year int) bool {
	if century, ends := year/100, year%100 == 0; ends {
		return century%4 == 0
	}
	return year%4 == 0
}

// is reports that a wished day of the month falls on this day.
func (w walked) is(day int) bool { return w.date.Day == day || w.last && w.date.Day < day }

// dues walks the days that begin with the initiating payment and returns the dates on which payments are due. An
// occurrence is looked for once the one before is found, but by the count of days or months since occurrence 0.
func dues(days []walked, s *store.Schedule, start schedule.Date) (due []schedule.Date) {
	first, wished := firstDue(days, s, start)
	if s.DayOfMonth > 0 {
		wished = s.DayOfMonth
	}
	due = append(due, days[first].date)
	months, next := 0, s.IntervalLength
	for passed, day := range days[first:] {
		if passed > 0 && day.date.Day == 1 {
			months++
		}
		if s.IntervalUnit == store.Day && passed == next || s.IntervalUnit == store.Month && months == next &&
			day.is(wished) {
			due = append(due, day.date)
			next += s.IntervalLength
		}
	}
	return due
}

// firstDue returns the position of occurrence 0, and the wished day of the month for the following ones.
func firstDue(days []walked, s *store.Schedule, start schedule.Date) (place, wished int) {
	begun, months, passed := days[0].date.Day, 0, 0
	find := func(due func(walked) bool) int {
		return 1 + slices.IndexFunc(days[1:], func(day walked) bool {
			passed++
			if day.date.Day == 1 {
				months++
			}
			return due(day)
		})
	}
	onDay := func(place int) (int, int) { return place, days[place].date.Day }
	interval := func(n int, unit store.IntervalUnit, wished int) (int, int) {
		if unit == store.Day {
			return onDay(find(func(walked) bool { return passed == n }))
		}
		return find(func(day walked) bool { return months == n && day.is(wished) }), wished
	}
	switch first := s.First; {
	case !start.IsZero():
		return onDay(slices.IndexFunc(days, func(day walked) bool { return day.date == start }))
	case first.Delay == store.DelayByInterval:
		return interval(first.IntervalLength, first.IntervalUnit, begun)
	case first.Delay == store.DelayDayOfWeek:
		return onDay(find(func(day walked) bool { return day.weekday == first.DayOfWeek }))
	case first.Delay == store.DelayDayOfMonth:
		return find(func(day walked) bool { return day.is(first.DayOfMonth) }), first.DayOfMonth
	case s.DayOfMonth > 0:
		return interval(s.IntervalLength, s.IntervalUnit, s.DayOfMonth)
	default:
		return interval(s.IntervalLength, s.IntervalUnit, begun)
	}
}
