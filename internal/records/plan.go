package records

import (
	"time"

	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// Plan says when the payments of a chain on a schedule fall: what its dates are counted from, and which of
// them comes next. Dates are civil ones, of the zone of the MID that took the first payment; a payment is
// due when its date begins there.
type Plan struct {
	Zone   string          `json:"zone,omitempty"`
	Begun  schedule.Date   `json:"begun"` // of the transaction that put the chain on the schedule
	Anchor schedule.Anchor `json:"anchor"`
	Slot   int             `json:"slot,omitempty"` // of the next payment, counted from the anchor
	Paid   int             `json:"paid,omitempty"` // scheduled payments begun
	Last   schedule.Date   `json:"last,omitzero"`  // the date that the newest of them was for
	Made   int             `json:"made,omitempty"` // Schedule.Plan when it was made
	Due    time.Time       `json:"due,omitzero"`   // its place in the queue; zero for none
}

// Next is the date of the next payment.
func (p *Plan) Next(s *store.Schedule) schedule.Date { return p.Anchor.At(s, p.Slot) }

// Starts is when the next payment is due.
func (p *Plan) Starts(s *store.Schedule) time.Time { return p.Next(s).Start(p.Location()) }

// Stands reports whether nothing happened to a plan since it was o.
func (p *Plan) Stands(o *Plan) bool {
	return p.Paid == o.Paid && p.Slot == o.Slot && p.Made == o.Made && p.Due.Equal(o.Due)
}

func (p *Plan) Location() *time.Location {
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		return zone
	}
	return time.UTC // SaveMID took the zone; a machine that has lost it goes by another
}

// Begin counts the dates of a chain from the payment that puts it on its schedule. Dates that passed before that
// payment was made are left out.
func (p *Plan) Begin(s *store.Schedule, start schedule.Date, now time.Time) {
	p.Anchor, p.Slot = schedule.First(s, p.Begun, start), 0
	p.skip(s, p.Begun, now)
}

// Renew counts the dates anew, by the schedule as it stands, from the newest payment or as at the beginning. What
// passed before the schedule was changed or ran again is not charged: the next date is the first after that
// (decision bp). The count of payments stays whole (s2s_card.md, RUN_SCHEDULE re-plans the cycle).
func (p *Plan) Renew(s *store.Schedule, start schedule.Date, now time.Time) {
	if p.Paid == 0 {
		p.Anchor, p.Slot = schedule.First(s, p.Begun, start), 0
	} else {
		p.Anchor, p.Slot = schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 1
	}
	p.skip(s, schedule.DateOf(s.PlanFrom, p.Location()).AddDays(1), now)
}

// skip leaves out the dates before from. Of those that passed since then only the newest is left to pay for, so
// that a payer is not charged for several at once.
func (p *Plan) skip(s *store.Schedule, from schedule.Date, now time.Time) {
	for p.Next(s).Compare(from) < 0 {
		p.Slot++
	}
	today := schedule.DateOf(now, p.Location())
	for p.Anchor.At(s, p.Slot+1).Compare(today) <= 0 {
		p.Slot++
	}
	p.Made = s.Plan
}
