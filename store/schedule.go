package store

import (
	"errors"
	"time"
)

// Schedule says when the later payments of a chain are due (s2s_card.md, "Schedules").
type Schedule struct {
	ID         string `json:"id"`
	MerchantID string `json:"merchant"`
	Test       bool   `json:"test,omitempty"`
	Name       string `json:"name"` // up to 100 characters

	IntervalLength int          `json:"interval_length"` // 1 or more
	IntervalUnit   IntervalUnit `json:"interval_unit"`
	DayOfMonth     int          `json:"day_of_month,omitempty"` // 1..31 with months; 0: the day of the first payment
	PaymentsCount  int          `json:"payments_count"`
	First          FirstPayment `json:"delayed_first_payment,omitzero"`

	Paused bool `json:"paused,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// ScheduleRecord is a schedule as it is stored, for the gateway alone. Plan grows whenever the chains of the schedule
// have to be planned again; PlanAt is when that is due. PlanFrom is the date of the change: no date up to it is charged
// (decision bp).
type ScheduleRecord struct {
	Schedule
	Plan     int       `json:"plan,omitempty"`
	PlanAt   time.Time `json:"plan_at,omitzero"`
	PlanFrom time.Time `json:"plan_from,omitzero"`
}

// IntervalUnit is the unit of intervals.
type IntervalUnit string

// The units.
const (
	Day   IntervalUnit = "day"
	Month IntervalUnit = "month"
)

// FirstPayment delays the first scheduled payment (SPEC2, Schedules).
type FirstPayment struct {
	Delay          Delay        `json:"delay,omitempty"` // empty: no delay
	IntervalLength int          `json:"interval_length,omitempty"`
	IntervalUnit   IntervalUnit `json:"interval_unit,omitempty"`
	DayOfWeek      int          `json:"day_of_week,omitempty"`  // 1 (Monday) to 7
	DayOfMonth     int          `json:"day_of_month,omitempty"` // 1..31
}

// Delay is the kind of a delay, in the words of SPEC2 (decision i).
type Delay string

// The kinds of delay.
const (
	NoDelay         Delay = "none"
	DelayByInterval Delay = "delay_by_interval"
	DelayDayOfWeek  Delay = "day_of_week"
	DelayDayOfMonth Delay = "day_of_month"
)

// SameDates reports whether both schedules give the same dates.
func (s *Schedule) SameDates(o *Schedule) bool {
	return s.IntervalLength == o.IntervalLength && s.IntervalUnit == o.IntervalUnit &&
		s.DayOfMonth == o.DayOfMonth && s.First == o.First
}

// Check guards the rules that every stored schedule must satisfy.
func (s *Schedule) Check() error {
	if s.ID == "" || s.MerchantID == "" || s.IntervalLength < 1 || s.IntervalUnit != Day && s.IntervalUnit != Month {
		return errors.New("schedule: id, merchant and an interval are required")
	}
	return nil
}
