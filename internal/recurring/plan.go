package recurring

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

// PlanSchedule plans the payments of a chain when the payment that puts it on its schedule is taken: the first of
// the chain, or a later one that names a schedule.
func PlanSchedule(tx store.Tx, p *records.Payment, t *records.Transaction, zone string, now time.Time) error {
	chain, err := records.Chains.Get(tx, p.MerchantID, p.RecurringToken)
	if records.Absent(err) {
		return nil
	} else if err != nil {
		return err
	}
	switch moves := chain.Joining != nil && chain.Joining.PaymentID == p.ID; {
	case moves && countsFrom(p, t):
		if err := moveChain(&chain, tx, p.Order.Amount); err != nil {
			return err
		}
	case moves && neverTaken(p, t): // the chain stays where it is
		return errors.Join(unjoinSchedule(&chain, tx), records.Chains.Put(tx, chain, chain.MerchantID, chain.Token))
	case moves && declinedSoftly(p, t):
		return yieldSchedule(&chain, tx)
	case moves, !records.BeginsChain(p), !countsFrom(p, t), chain.ScheduleID == "":
		return nil
	}
	return planDates(tx, p, t, &chain, zone, now)
}

// countsFrom reports whether a chain's dates count from this transaction: the one that took the money, or the one of
// zero (decision ar).
func countsFrom(p *records.Payment, t *records.Transaction) bool {
	took := t.ID == p.ChargeID() || t.Operation == store.OpCapture
	return took && t.Outcome == store.Success && p.Taken()
}

// declinedSoftly reports whether a charge may be retried.
func declinedSoftly(p *records.Payment, t *records.Transaction) bool {
	return t.ID == p.ChargeID() && t.Outcome == store.Fail && t.Soft
}

// neverTaken reports whether the money of a payment will never be taken: it was declined for good, or its hold is
// released.
func neverTaken(p *records.Payment, t *records.Transaction) bool {
	if t.Operation == store.OpReversal {
		return t.Outcome == store.Success
	}
	return t.ID == p.ChargeID() && t.Outcome == store.Fail && !t.Soft
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
func planDates(tx store.Tx, p *records.Payment, t *records.Transaction, chain *records.Chain, zone string,
	now time.Time) error {
	set, err := records.Schedules.Get(tx, p.MerchantID, chain.ScheduleID)
	if err != nil {
		return err
	}
	chain.Plan = &records.Plan{Zone: zone}
	chain.Plan.Begun = schedule.DateOf(t.CreatedAt, chain.Plan.Location())
	chain.Plan.Begin(&set, startDate(chain), now)
	p.FirstRecurring = chain.Plan.Next(&set).String()
	return errors.Join(requeueChain(chain, tx, chain.Plan.Starts(&set)),
		records.Chains.Put(tx, *chain, chain.MerchantID, chain.Token))
}
