package schedule

import (
	"cmp"

	"github.com/tollgatepay/gateway/store"
)

// Anchor is what later dates are counted from: a month and the wished day in it, which is kept even if a short
// month cuts it (31 stays 31). It is made once, when the chain begins, and stored with it.
type Anchor struct {
	Date Date `json:"date"` // occurrence 0, the first scheduled payment
	Day  int  `json:"day"`  // 1..31: the wished day of the month, for schedules without DayOfMonth
}

// First returns the anchor of occurrence 0. begun is the civil date of the initiating payment; start is
// schedule_start_date or the zero Date.
//
// If start is given, occurrence 0 is at start, whatever delayed_first_payment says. Otherwise it is after begun:
//
//   - none, or nothing: one interval of the schedule after it. Months end on DayOfMonth, or the day of begun.
//   - delay_by_interval: that many days or months after it. Months end on the day of begun, even if the schedule
//     has a DayOfMonth, which applies from occurrence 1.
//   - day_of_week, day_of_month: the next such day, never begun itself. A month that is too short has its last day.
//
// Months keep the day they were counted to as the wished day. If the first payment was found by days, a day of
// the week or a start date, the wished day is that date's day.
func First(s *store.Schedule, begun, start Date) Anchor {
	if !start.IsZero() {
		return on(start)
	}
	switch first := s.First; first.Delay {
	case store.DelayByInterval:
		return after(begun, first.IntervalLength, first.IntervalUnit, begun.Day)
	case store.DelayDayOfWeek:
		return on(nextWeekday(begun, first.DayOfWeek))
	case store.DelayDayOfMonth:
		return nextDay(begun, first.DayOfMonth)
	default:
		return after(begun, s.IntervalLength, s.IntervalUnit, cmp.Or(s.DayOfMonth, begun.Day))
	}
}

// At is the date of occurrence n (n >= 0): the anchor plus n intervals of the schedule.
//
// Occurrence 0 is the anchor's date. With months, occurrence n is in the n-th interval after its month, on the
// DayOfMonth of the schedule or else the wished day of the anchor, cut to the last day of the month; so the
// occurrences 0 and 1 can be nearer together than an interval, or farther apart, but n never shares a month with
// n+1. With days it is plain days after occurrence 0, however that was found. Dates strictly grow with n.
//
// That is so for one schedule as it stands. If its interval is changed while a chain is on it, the dates are
// counted anew from occurrence 0 and may fall behind those that were due; to go on from an occurrence k that was
// due, take Anchor{Date: a.At(s, k), Day: a.Day}, made before the change.
//
// Dates can be beyond the year 9999 when n is large enough; these have no JSON text.
func (a Anchor) At(s *store.Schedule, n int) Date {
	switch {
	case n == 0:
		return a.Date
	case s.IntervalUnit == store.Month:
		return a.Date.inMonth(n*s.IntervalLength, cmp.Or(s.DayOfMonth, a.Day))
	default:
		return a.Date.AddDays(n * s.IntervalLength)
	}
}

// on is an anchor whose wished day is its own day.
func on(d Date) Anchor { return Anchor{d, d.Day} }

// after is n units after a date; months end on the wished day.
func after(d Date, n int, unit store.IntervalUnit, day int) Anchor {
	if unit == store.Month {
		return Anchor{d.inMonth(n, day), day}
	}
	return on(d.AddDays(n))
}

// nextWeekday is the next day of the week after a date, 1 being Monday and 7 Sunday.
func nextWeekday(d Date, day int) Date {
	ahead := (day - int(d.Weekday()) + 7) % 7
	return d.AddDays(cmp.Or(ahead, 7))
}

// nextDay is the next wished day of a month after a date.
func nextDay(d Date, day int) Anchor {
	here := Anchor{d.inMonth(0, day), day}
	if here.Date.Compare(d) > 0 {
		return here
	}
	return Anchor{d.inMonth(1, day), day}
}
