package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// errDate does not repeat the text, because it came from outside.
var errDate = errors.New("schedule: a date must be a real day written YYYY-MM-DD")

// Date is a civil date of the Gregorian calendar, without zone. The zero Date means no date; only IsZero, Compare
// and the text methods accept it.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads a date written exactly YYYY-MM-DD, as in schedule_start_date, with a year of 1 to 9999. A day
// that its month does not have is an error, as is any other text.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return Date{}, errDate
	}
	return DateOf(t, time.UTC), nil
}

// DateOf returns the civil date of an instant in a zone, which must not be nil.
func DateOf(t time.Time, zone *time.Location) Date {
	year, month, day := t.In(zone).Date()
	return Date{year, month, day}
}

// String returns the date as YYYY-MM-DD. Years beyond 9999 take more digits, and ParseDate does not read those.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Compare returns a negative number when d is before o, 0 when they are one day, and a positive number when d is
// after o. The zero Date is before all others.
func (d Date) Compare(o Date) int {
	return cmp.Or(cmp.Compare(d.Year, o.Year), cmp.Compare(d.Month, o.Month), cmp.Compare(d.Day, o.Day))
}

// AddDays returns the date n days later, or earlier when n is negative.
func (d Date) AddDays(n int) Date {
	return DateOf(time.Date(d.Year, d.Month, d.Day+n, 0, 0, 0, 0, time.UTC), time.UTC)
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.midnight().Weekday() }

// MarshalText returns String, and an empty text for the zero Date. It returns an error for a date that ParseDate
// would not read back.
func (d Date) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, nil
	}
	text := d.String()
	if _, err := ParseDate(text); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// UnmarshalText reads as ParseDate does, and an empty text as the zero Date. After an error d is as it was.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	read, err := ParseDate(string(text))
	if err == nil {
		*d = read
	}
	return err
}

// inMonth returns the wished day in the month that is n months after that of d, limited to the month's last day.
func (d Date) inMonth(n, day int) Date {
	last := time.Date(d.Year, d.Month+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC)
	return Date{last.Year(), last.Month(), min(day, last.Day())}
}

// midnight returns when the date begins in UTC.
func (d Date) midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }
