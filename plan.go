package gateway

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
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

// planSchedule plans the payments of a chain, when the payment that puts it on its schedule is taken: the first of
// the chain, or a later one that names a schedule.
func planSchedule(s *engine.Settlement) error {
	p := s.Payment
	chain, err := records.Chains.Get(s.Tx, p.MerchantID, p.RecurringToken)
	if records.Absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	switch moves := chain.Joining != nil && chain.Joining.PaymentID == p.ID; {
	case moves && takes(s):
		if err := moveChain(&chain, s.Tx, p.Order.Amount); err != nil {
			return err
		}
	case moves && givesUp(s): // the chain stays where it is
		return errors.Join(unjoinSchedule(&chain, s.Tx), records.Chains.Put(s.Tx, chain, chain.MerchantID, chain.Token))
	case moves && declinedSoftly(s):
		return yieldSchedule(&chain, s.Tx)
	case moves, !records.BeginsChain(p), !takes(s), chain.ScheduleID == "":
		return nil
	}
	return planDates(s, &chain)
}

// takes reports the transaction from which a chain counts: the one that took the money, or held nothing (decision ar).
func takes(s *engine.Settlement) bool {
	took := s.Transaction.ID == s.Payment.ChargeID() || s.Transaction.Operation == store.OpCapture
	return took && s.Transaction.Outcome == store.Success && s.Payment.Taken()
}

// declinedSoftly reports a charge that may be tried again.
func declinedSoftly(s *engine.Settlement) bool {
	return s.Transaction.ID == s.Payment.ChargeID() && s.Transaction.Outcome == store.Fail && s.Transaction.Soft
}

// givesUp reports that the money of a payment will never be taken: it was declined for good, or what was held is
// released.
func givesUp(s *engine.Settlement) bool {
	if s.Transaction.Operation == store.OpReversal {
		return s.Transaction.Outcome == store.Success
	}
	return s.Transaction.ID == s.Payment.ChargeID() && s.Transaction.Outcome == store.Fail && !s.Transaction.Soft
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

// planDates counts the dates of a chain from the transaction that took the money.
func planDates(s *engine.Settlement, chain *records.Chain) error {
	p := s.Payment
	set, err := records.Schedules.Get(s.Tx, p.MerchantID, chain.ScheduleID)
	if err != nil {
		return err
	}
	chain.Plan = &records.Plan{Zone: s.Merchant.MID(p.MIDID).TimeZone}
	chain.Plan.Begun = schedule.DateOf(s.Transaction.CreatedAt, chain.Plan.Location())
	chain.Plan.Begin(&set, startDate(chain), s.Now)
	p.FirstRecurring = chain.Plan.Next(&set).String()
	return errors.Join(requeueChain(chain, s.Tx, chain.Plan.Starts(&set)), records.Chains.Put(s.Tx, *chain, chain.MerchantID, chain.Token))
}
