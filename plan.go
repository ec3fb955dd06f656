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
	Begun  schedule.Date   `json:"begun"` // of the transaction that put the chain on the schedule
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

// begin counts the dates of a chain from the payment that puts it on its schedule. Dates that passed before that
// payment was made are left out.
func (p *plan) begin(s *store.Schedule, start schedule.Date, now time.Time) {
	p.Anchor, p.Slot = schedule.First(s, p.Begun, start), 0
	p.skip(s, p.Begun, now)
}

// renew counts the dates anew, by the schedule as it stands, from the newest payment or as at the beginning. What
// passed before the schedule was changed or ran again is not charged: the next date is the first after that
// (decision bp). The count of payments stays whole (s2s_card.md, RUN_SCHEDULE re-plans the cycle).
func (p *plan) renew(s *store.Schedule, start schedule.Date, now time.Time) {
	if p.Paid == 0 {
		p.Anchor, p.Slot = schedule.First(s, p.Begun, start), 0
	} else {
		p.Anchor, p.Slot = schedule.Anchor{Date: p.Last, Day: p.Anchor.Day}, 1
	}
	p.skip(s, schedule.DateOf(s.PlanFrom, p.location()).AddDays(1), now)
}

// skip leaves out the dates before from. Of those that passed since then only the newest is left to pay for, so
// that a payer is not charged for several at once.
func (p *plan) skip(s *store.Schedule, from schedule.Date, now time.Time) {
	for p.next(s).Compare(from) < 0 {
		p.Slot++
	}
	today := schedule.DateOf(now, p.location())
	for p.Anchor.At(s, p.Slot+1).Compare(today) <= 0 {
		p.Slot++
	}
	p.Made = s.Plan
}

// dueQueue holds the chains whose next payment has a date, and the schedules whose chains have to be
// planned anew.
var dueQueue = store.FairQueue{Name: "qs"} // by merchant

// requeue moves a chain in the queue.
func (r *chainRecord) requeue(tx store.Tx, due time.Time) error {
	was, entry := r.Plan.Due, dueChain+r.MerchantID+"/"+r.Token
	r.Plan.Due = due
	_, err := unlist(tx, WorkSchedule, entry)
	return errors.Join(err, moveEntry(tx, dueQueue, r.MerchantID, entry, was, due))
}

// enrol plans the payments of a chain, when the payment that puts it on its schedule is taken: the first of
// the chain, or a later one that names a schedule.
func (s *step) enrol() error {
	p := s.p
	if p.ScheduleID == "" || p.Occurrence > 0 || p.RecurringToken == "" || !s.t.Outcome.Final() {
		return nil
	}
	chain, err := chains.Get(s.tx, p.MerchantID, p.RecurringToken)
	if absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	switch moves := chain.Joining != nil && chain.Joining.PaymentID == p.ID; {
	case moves && s.takes():
		if err := chain.move(s.tx, p.Order.Amount); err != nil {
			return err
		}
	case moves && s.givesUp(): // the chain stays where it is
		return errors.Join(chain.unjoin(s.tx), chains.Put(s.tx, chain, chain.MerchantID, chain.Token))
	case moves && s.declinedSoftly():
		return chain.yields(s.tx)
	case moves, !begins(p), !s.takes(), chain.ScheduleID == "":
		return nil
	}
	return s.plan(&chain)
}

// takes reports the transaction from which a chain counts: the one that took the money, or held nothing (decision ar).
func (s *step) takes() bool {
	took := s.t.ID == s.p.ChargeID() || s.t.Operation == store.OpCapture
	return took && s.t.Outcome == store.Success && s.p.Taken()
}

// declinedSoftly reports a charge that may be tried again.
func (s *step) declinedSoftly() bool {
	return s.t.ID == s.p.ChargeID() && s.t.Outcome == store.Fail && s.t.Soft
}

// givesUp reports that the money of a payment will never be taken: it was declined for good, or what was held is
// released.
func (s *step) givesUp() bool {
	if s.t.Operation == store.OpReversal {
		return s.t.Outcome == store.Success
	}
	return s.t.ID == s.p.ChargeID() && s.t.Outcome == store.Fail && !s.t.Soft
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

// plan counts the dates of a chain from the transaction that took the money.
func (s *step) plan(chain *chainRecord) error {
	p := s.p
	set, err := schedules.Get(s.tx, p.MerchantID, chain.ScheduleID)
	if err != nil {
		return err
	}
	chain.Plan = &plan{Zone: s.profile.mid(p.MIDID).TimeZone}
	chain.Plan.Begun = schedule.DateOf(s.t.CreatedAt, chain.Plan.location())
	chain.Plan.begin(&set, chain.start(), s.now)
	p.FirstRecurring = chain.Plan.next(&set).String()
	return errors.Join(chain.requeue(s.tx, chain.Plan.starts(&set)), chains.Put(s.tx, *chain, chain.MerchantID, chain.Token))
}
