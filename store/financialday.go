package store

import (
	"time"
)

// SameDay reports whether two moments fall on one financial day of a MID, which ends at DayEnd in its
// time zone. A zone that cannot be read makes no day the same.
func (m *MID) SameDay(a, b time.Time) bool {
	zone, end, err := m.financialDay()
	if err != nil {
		return false
	}
	return day(a, zone, end).Equal(day(b, zone, end))
}

// Day is the date of the financial day of a MID at a moment, at midnight UTC.
func (m *MID) Day(at time.Time) (time.Time, error) {
	zone, end, err := m.financialDay()
	if err != nil {
		return time.Time{}, err
	}
	return day(at, zone, end), nil
}

// day is the date of the financial day of a moment, at midnight UTC: civil time moved forward so that a
// day that ends at 18:00 ends at midnight. Dates are counted in UTC, since a zone may skip the very hour
// a day later.
func day(at time.Time, zone *time.Location, end time.Duration) time.Time {
	local := at.In(zone)
	date := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if end > 0 && sinceMidnight(local) >= end {
		date = date.AddDate(0, 0, 1)
	}
	return date
}

func sinceMidnight(at time.Time) time.Duration {
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute +
		time.Duration(at.Second())*time.Second + time.Duration(at.Nanosecond())
}

func (m *MID) financialDay() (*time.Location, time.Duration, error) {
	zone, err := time.LoadLocation(m.TimeZone)
	if err != nil || m.DayEnd == "" {
		return zone, 0, err
	}
	end, err := time.Parse("15:04", m.DayEnd)
	return zone, time.Duration(end.Hour())*time.Hour + time.Duration(end.Minute())*time.Minute, err
}
