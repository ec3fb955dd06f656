package gateway

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// plan says when the payments of a chain on a schedule fall: what its dates are counted from, and which of
// them comes next. Dates are civil ones, of the zone of the MID that took the first payment; a payment is
// due when its date begins there.
type plan struct {
	Zone   string          `json:"zone,omitempty"`
	Begun  schedule.Date   `json:"begun"` // of the payment that put the chain on the schedule
	Anchor schedule.Anchor `json:"anchor"`
	Slot   int             `json:"slot,omitempty"` // of the next payment, counted from the anchor
	Paid   int             `json:"paid,omitempty"` // scheduled payments begun
	Last   schedule.Date   `json:"last,omitzero"`  // the date that the newest of them was for
	Made   int             `json:"made,omitempty"` // Schedule.Plan when it was made
	Due    time.Time       `json:"due,omitzero"`   // its place in the queue; zero for none
}

// next is the date of the next payment.
func (p *plan) next(s *store.Schedule) schedule.Date { return p.Anchor.At(s, p.Slot) }

// starts is when the next payment is due.
func (p *plan) starts(s *store.Schedule) time.Time { return p.next(s).Start(p.location()) }

// stands reports whether nothing happened to a plan since it was o.
func (p *plan) stands(o *plan) bool {
	return p.Paid == o.Paid && p.Slot == o.Slot && p.Made == o.Made && p.Due.Equal(o.Due)
}

func (p *plan) location() *time.Location {
	if zone, err := time.LoadLocation(p.Zone); err == nil {
		return zone
	}
	return time.UTC // SaveMID took the zone; a machine that has lost it goes by another
}

// renew counts the dates anew, by the schedule as it stands: from the newest payment, or as at the
// beginning. Of dates that were missed meanwhile only the newest is left to pay for, so that a payer is not
// charged for several at once; the count of payments stays whole (s2s_card.md, RUN_SCHEDULE re-plans the
// cycle).
func (p *plan) renew(s *store.Schedule, start schedule.Date, now time.Time) {
	if p.Paid == 0 {
		p.Anchor, p.Slot = schedule.First(s, p.Begun, start), 0
	} else {
		p.Anchor, p.Slot = schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 1
	}
	today := schedule.DateOf(now, p.location())
	for p.Anchor.At(s, p.Slot+1).Compare(today) <= 0 {
		p.Slot++
	}
	p.Made = s.Plan
}

// dueQueue holds the chains whose next payment has a date, and the schedules whose chains have to be
// planned anew.
var dueQueue = store.Queue{Name: "qs"}

// requeue moves a chain in the queue.
func (r *chainRecord) requeue(tx store.Tx, due time.Time) error {
	was := r.Plan.Due
	r.Plan.Due = due
	return dueQueue.Move(tx, r.Token, dueChain+r.MerchantID+"/"+r.Token, was, due)
}

// enrol plans the payments of a chain, when the payment that puts it on its schedule is taken: the first of
// the chain, or a later one that names a schedule.
func (s *step) enrol() error {
	p := s.p
	if p.ScheduleID == "" || p.Occurrence > 0 || p.RecurringToken == "" || s.t.ID != p.ChargeID() || !s.t.Outcome.Final() {
		return nil
	}
	chain, err := chains.Get(s.tx, p.MerchantID, p.RecurringToken)
	if absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	switch moves := chain.Joining != nil && chain.Joining.PaymentID == p.ID; {
	case moves && taken(p):
		err = chain.move(s.tx, p.Order.Amount)
	case moves && !s.t.Soft: // declined for good: it stays where it is
		return errors.Join(chain.unjoin(s.tx), chains.Put(s.tx, chain, chain.MerchantID, chain.Token))
	case !begins(p), !taken(p), chain.ScheduleID == "":
		return nil
	}
	if err != nil {
		return err
	}
	return s.plan(&chain)
}

// move puts a chain on the schedule it was to join. Scheduled payments are for the amount of the payment that
// moved it.
func (r *chainRecord) move(tx store.Tx, amount string) error {
	next := *r.Joining
	if err := r.leave(tx); err != nil {
		return err
	}
	r.ScheduleID, r.Joining, r.StartDate, r.Amount = next.ScheduleID, nil, "", amount
	return nil
}

// plan counts the dates of a chain from the payment that was taken.
func (s *step) plan(chain *chainRecord) error {
	p := s.p
	set, err := schedules.Get(s.tx, p.MerchantID, chain.ScheduleID)
	if err != nil {
		return err
	}
	chain.Plan = &plan{Zone: s.profile.mid(p.MIDID).TimeZone}
	chain.Plan.Begun = schedule.DateOf(p.CreatedAt, chain.Plan.location())
	chain.Plan.renew(&set, chain.start(), s.now)
	p.FirstRecurring = chain.Plan.next(&set).String()
	return errors.Join(chain.requeue(s.tx, chain.Plan.starts(&set)), chains.Put(s.tx, *chain, chain.MerchantID, chain.Token))
}
