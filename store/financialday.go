package store

import (
	"time"
)

// SameDay reports whether two times fall on one financial day of a MID, which ends at DayEnd in its time zone. It
// is false when the zone cannot be read.
func (m *MID) SameDay(a, b time.Time) bool {
	zone, end, err := m.financialDay()
	if err != nil {
		return false
	}
	return day(a, zone, end).Equal(day(b, zone, end))
}

// Day returns the date, at midnight UTC, of the MID's financial day at a time.
func (m *MID) Day(at time.Time) (time.Time, error) {
	zone, end, err := m.financialDay()
	if err != nil {
		return time.Time{}, err
	}
	return day(at, zone, end), nil
}

// day returns the date of a financial day, at midnight UTC: civil time is moved forward so that a day that ends at
// 18:00 ends at midnight. Days are counted in UTC, because a zone may skip the hour at which a day would end.
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
