package schedule_test

import (
	"time"

	"github.com/tollgatepay/gateway/internal/schedule"
)

// search finds when dates are first reached in a zone: it reads the clock there, hour by hour, and goes back to
// look at the minutes and seconds of an hour in which the date or the offset changes.
type search struct {
	in *time.Location
	at clock // where the last date was reached
}

// clock is what a wall clock shows.
type clock struct {
	at     time.Time
	date   schedule.Date
	offset int
}

func newSearch(from schedule.Date, in *time.Location) *search {
	before := time.Date(from.Year, from.Month, from.Day-3, 0, 0, 0, 0, time.UTC)
	return &search{in, read(before, in)}
}

func read(at time.Time, in *time.Location) clock {
	local := at.In(in)
	year, month, day := local.Date()
	_, offset := local.Zone()
	return clock{at, schedule.Date{Year: year, Month: month, Day: day}, offset}
}

// next returns the first instant at which the clock shows the date or a later one, and whether it is the date
// itself. Dates have to be asked for in order.
func (s *search) next(d schedule.Date) (time.Time, bool) {
	if s.at.date.Compare(d) < 0 { // else d was skipped: the day before ended where the day after begins
		s.at, _ = s.look(s.at, s.at.at.Add(120*time.Hour), d, time.Hour, 15*time.Minute, time.Minute, 15*time.Second,
			time.Second)
	}
	return s.at.at, s.at.date == d
}

// look goes by the first of the steps until the end, and by the others where something changes.
func (s *search) look(from clock, end time.Time, d schedule.Date, steps ...time.Duration) (clock, bool) {
	for from.at.Before(end) {
		to := read(from.at.Add(steps[0]), s.in)
		if reached := to.date.Compare(d) >= 0; reached && len(steps) == 1 {
			return to, true
		} else if (reached || to.offset != from.offset) && len(steps) > 1 {
			if found, ok := s.look(from, to.at, d, steps[1:]...); ok {
				return found, true
			}
		}
		from = to
	}
	return from, false
}
