package records

import (
	"time"

	"github.com/tollgatepay/gateway/internal/schedule"
)

// Plan is the dates of a chain on a schedule: what they are counted from, and which comes next. Dates are in the
// time zone of the MID that took the first payment; a payment is due when its date begins there.
type Plan struct {
	Zone   string          `json:"zone,omitempty"`
	Begun  schedule.Date   `json:"begun"` // of the transaction that put the chain on the schedule
	Anchor schedule.Anchor `json:"anchor"`
	Slot   int             `json:"slot,omitempty"` // of the next payment, counted from the anchor
	Paid   int             `json:"paid,omitempty"` // scheduled payments begun
	Last   schedule.Date   `json:"last,omitzero"`  // the date of the newest of them
	Made   int             `json:"made,omitempty"` // Schedule.Plan when it was made
	Due    time.Time       `json:"due,omitzero"`   // its due time in the queue; zero for none
}

// Next returns the date of the next payment.
func (p *Plan) Next(s *Schedule) schedule.Date { return p.Anchor.At(&s.Schedule, p.Slot) }

// Starts returns when the next payment is due.
func (p *Plan) Starts(s *Schedule) time.Time { return p.Next(s).Start(p.Location()) }

// Unchanged reports whether a plan is unchanged since it was o.
func (p *Plan) Unchanged(o *Plan) bool {
	return p.Paid == o.Paid && p.Slot == o.Slot && p.Made == o.Made && p.Due.Equal(o.Due)
}

// Location returns the time zone of the dates.
func (p *Plan) Location() *time.Location {
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		return zone
	}
	return time.UTC // SaveMID checked the zone, but a machine may lack it
}

// Begin counts the dates of a chain from the payment that puts it on its schedule. Dates before that payment are
// left out.
func (p *Plan) Begin(s *Schedule, start schedule.Date, now time.Time) {
	p.Anchor, p.Slot = schedule.First(&s.Schedule, p.Begun, start), 0
	p.skip(s, p.Begun, now)
}

// Renew counts the dates again, by the current schedule, from the newest payment or from the beginning. Dates
// before the schedule was changed or resumed are not charged: the next date is the first after that (decision bp).
// The number of payments does not change (s2s_card.md, RUN_SCHEDULE re-plans the cycle).
func (p *Plan) Renew(s *Schedule, start schedule.Date, now time.Time) {
	if p.Paid == 0 {
		p.Anchor, p.Slot = schedule.First(&s.Schedule, p.Begun, start), 0
	} else {
		p.Anchor, p.Slot = schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 1
	}
	p.skip(s, schedule.DateOf(s.PlanFrom, p.Location()).AddDays(1), now)
}

// skip leaves out the dates before from. Of the dates that passed since then only the newest is charged, so that a
// payer is not charged for several at once.
func (p *Plan) skip(s *Schedule, from schedule.Date, now time.Time) {
	for p.Next(s).Compare(from) < 0 {
		p.Slot++
	}
	today := schedule.DateOf(now, p.Location())
	for p.Anchor.At(&s.Schedule, p.Slot+1).Compare(today) <= 0 {
		p.Slot++
	}
	p.Made = s.Plan
}
