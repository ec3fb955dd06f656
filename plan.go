package gateway

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/store"
)

// requeueChain moves a chain in the queue.
func requeueChain(r *records.Chain, tx store.Tx, at time.Time) error {
	was, entry := r.Plan.Due, records.DueChain+r.MerchantID+"/"+r.Token
	r.Plan.Due = at
	_, err := due.Unlist(tx, store.WorkSchedule, entry)
	return errors.Join(err, records.MoveEntry(tx, records.DueQueue, r.MerchantID, entry, was, at))
}

// enrol plans the payments of a chain, when the payment that puts it on its schedule is taken: the first of
// the chain, or a later one that names a schedule.
func (s *step) enrol() error {
	p := s.p
	if p.ScheduleID == "" || p.Occurrence > 0 || p.RecurringToken == "" || !s.t.Outcome.Final() {
		return nil
	}
	chain, err := records.Chains.Get(s.tx, p.MerchantID, p.RecurringToken)
	if records.Absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	switch moves := chain.Joining != nil && chain.Joining.PaymentID == p.ID; {
	case moves && s.takes():
		if err := moveChain(&chain, s.tx, p.Order.Amount); err != nil {
			return err
		}
	case moves && s.givesUp(): // the chain stays where it is
		return errors.Join(unjoinSchedule(&chain, s.tx), records.Chains.Put(s.tx, chain, chain.MerchantID, chain.Token))
	case moves && s.declinedSoftly():
		return yieldSchedule(&chain, s.tx)
	case moves, !records.BeginsChain(p), !s.takes(), chain.ScheduleID == "":
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

// moveChain puts a chain on the schedule it was to join. Scheduled payments are for the amount of the payment that
// moved it.
func moveChain(r *records.Chain, tx store.Tx, amount string) error {
	next := *r.Joining
	if err := leaveSchedule(r, tx); err != nil {
		return err
	}
	r.ScheduleID, r.Joining, r.StartDate, r.Amount = next.ScheduleID, nil, "", amount
	return nil
}

// plan counts the dates of a chain from the transaction that took the money.
func (s *step) plan(chain *records.Chain) error {
	p := s.p
	set, err := records.Schedules.Get(s.tx, p.MerchantID, chain.ScheduleID)
	if err != nil {
		return err
	}
	chain.Plan = &records.Plan{Zone: s.profile.mid(p.MIDID).TimeZone}
	chain.Plan.Begun = schedule.DateOf(s.t.CreatedAt, chain.Plan.Location())
	chain.Plan.Begin(&set, startDate(chain), s.now)
	p.FirstRecurring = chain.Plan.Next(&set).String()
	return errors.Join(requeueChain(chain, s.tx, chain.Plan.Starts(&set)), records.Chains.Put(s.tx, *chain, chain.MerchantID, chain.Token))
}
