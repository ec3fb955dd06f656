package recurring

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Requeue puts a chain or a schedule back into the queue.
func (a *Agreements) Requeue(tx store.Tx, entry string) error {
	kind, merchant, id, ok := records.SplitDue(entry)
	switch {
	case !ok:
		return refusal.ErrNoAside
	case kind == records.DueSchedule:
		return leaseSchedule(tx, merchant, id, a.Now())
	}
	chain, err := records.Chains.Get(tx, merchant, id)
	if err != nil || chain.Plan == nil {
		return err
	}
	return errors.Join(requeueChain(&chain, tx, a.Now()), records.Chains.Put(tx, chain, merchant, id))
}

const (
	// dueLease is how long a claimed chain is left alone: longer than the payments of one claim take.
	dueLease = 10 * time.Minute
	// dueAgain is how long to wait before retrying a payment that could not begin, because its merchant is switched
	// off or no MID accepts it now.
	dueAgain = time.Hour
)

// Claim takes chains whose date has come, and schedules whose chains have to be planned again. Merchants take
// turns.
func (a *Agreements) Claim(ctx context.Context, limit int) ([]func(context.Context), error) {
	return a.Queues.Claim(ctx, a.crew, limit, a.claimEntry)
}

// ClaimMore is Claim for the items alone (due.Queues).
func (a *Agreements) ClaimMore(ctx context.Context, limit int, _ time.Time) ([]func(context.Context), error) {
	return a.Queues.ClaimMore(ctx, a.crew, limit, a.claimEntry)
}

// claimEntry claims what one entry of the queue names.
func (a *Agreements) claimEntry(tx store.Tx, entry string) (func(context.Context), error) {
	kind, merchant, id, ok := records.SplitDue(entry)
	if !ok {
		return nil, store.ErrNotFound
	}
	if kind == records.DueSchedule {
		lease := a.Now().Add(dueLease)
		if err := leaseSchedule(tx, merchant, id, lease); err != nil {
			return nil, err
		}
		return a.due("the chains of a schedule could not be planned anew", id, entry, lease, func(ctx context.Context) error {
			return a.replan(ctx, merchant, id)
		}), nil
	}
	chain, err := a.claimChain(tx, merchant, id)
	if chain == nil || err != nil {
		return nil, err
	}
	return a.due("a scheduled payment could not begin", chain.PaymentID, entry, chain.Plan.Due,
		func(ctx context.Context) error {
			return a.payDue(ctx, chain)
		}), nil
}

// due returns a claimed entry as work to do before its lease ends. An entry whose records cannot be read is set
// aside.
func (a *Agreements) due(text, id, entry string, lease time.Time,
	do func(context.Context) error) func(context.Context) {
	return a.Queues.Logged(text, id, func(ctx context.Context) error {
		err := do(ctx)
		if due.IsLost(err) {
			return a.Queues.SetAside(ctx, store.Aside{Work: store.WorkSchedule, ID: entry, At: a.Now()}, err,
				func(tx store.Tx) (bool, error) {
					return leaveDue(tx, entry, lease)
				})
		}
		return err
	})
}

// leaveDue takes a claimed entry out of the queue, unless it has changed in the meantime.
func leaveDue(tx store.Tx, entry string, lease time.Time) (bool, error) {
	kind, merchant, id, _ := records.SplitDue(entry)
	if kind == records.DueSchedule {
		s, err := records.Schedules.Get(tx, merchant, id)
		if err != nil || !s.PlanAt.Equal(lease) {
			return false, err
		}
		return true, records.MoveEntry(tx, records.DueQueue, s.MerchantID, entry, lease, time.Time{})
	}
	chain, err := records.Chains.Get(tx, merchant, id)
	if err != nil || chain.Plan == nil || !chain.Plan.Due.Equal(lease) {
		return false, err
	}
	return true, records.MoveEntry(tx, records.DueQueue, chain.MerchantID, entry, lease, time.Time{})
}

// claimChain takes a chain whose payment is due; nil when there is nothing to pay. A chain on a paused schedule
// leaves the queue until the schedule runs again; one with an outdated plan is planned again.
func (a *Agreements) claimChain(tx store.Tx, merchant, token string) (*Due, error) {
	chain, err := records.Chains.Get(tx, merchant, token)
	if err != nil {
		return nil, err
	}
	now := a.Now()
	if chain.Plan == nil || chain.Plan.Due.After(now) { // it was paid by another entry
		return nil, nil
	}
	set, err := records.Schedules.Get(tx, merchant, chain.ScheduleID)
	if err != nil {
		return nil, err
	}
	pay := false
	switch {
	case set.Paused:
		err = requeueChain(&chain, tx, time.Time{})
	case chain.Plan.Made != set.Plan:
		chain.Plan.Renew(&set, startDate(&chain), now)
		err = requeueChain(&chain, tx, chain.Plan.Starts(&set))
	case chain.Plan.Paid >= set.PaymentsCount:
		err = leaveSchedule(&chain, tx)
	case chain.Plan.Starts(&set).After(now): // never before its date, whatever the queue says
		err = requeueChain(&chain, tx, chain.Plan.Starts(&set))
	default:
		pay = true
		err = requeueChain(&chain, tx, now.Add(dueLease))
	}
	if err != nil {
		return nil, err
	}
	kept, err := records.Chains.PutKept(tx, &chain, merchant, token)
	if err != nil || !pay {
		return nil, err
	}
	return &Due{chain, kept}, nil
}

// startDate returns schedule_start_date, which was validated with its request; the zero date if there is none.
func startDate(r *records.Chain) schedule.Date {
	date, _ := schedule.ParseDate(r.StartDate)
	return date
}

// payDue begins the payment of a claimed chain. If it cannot begin now it is retried later; a chain whose first
// payment was given back leaves its schedule.
func (a *Agreements) payDue(ctx context.Context, chain *Due) error {
	err := a.Pay(ctx, chain)
	switch {
	case err == nil, errors.Is(err, records.ErrTaken):
		return nil
	case due.IsLost(err):
		return err
	}
	a.Queues.Watch.Tell(ctx, observe.ScheduleFailed{Reason: refusal.AsError(err).Error(), Scheduled: observe.Scheduled{
		Subject:    observe.Subject{MerchantID: chain.MerchantID, PaymentID: chain.PaymentID, Test: chain.Test},
		ScheduleID: chain.ScheduleID, At: a.Now(),
	}})
	later := a.update(ctx, func(tx store.Tx) error {
		now, failed := records.Chains.Get(tx, chain.MerchantID, chain.Token)
		switch {
		case records.Absent(failed): // it has ended in the meantime, which is no fault
			err = nil
			return nil
		case failed != nil, now.Plan == nil, !now.Plan.Due.Equal(chain.Plan.Due):
			return failed // it was paid in the meantime
		case errors.Is(err, refusal.ErrNoChain):
			failed = leaveSchedule(&now, tx)
		default:
			failed = requeueChain(&now, tx, a.Now().Add(dueAgain))
		}
		return errors.Join(failed, records.Chains.Put(tx, now, now.MerchantID, now.Token))
	})
	return errors.Join(err, later)
}

// Take makes a charge the next scheduled payment of the chain: in step one it takes the date, if it is still unpaid,
// and moves the chain to its next one. It returns ErrTaken if the date is no longer to be paid.
func (claim *Due) Take(tx store.Tx, p *records.Payment) error {
	chain, err := records.Chains.GetKept(tx, claim.kept, claim.MerchantID, claim.Token)
	switch {
	case records.Absent(err):
		return records.ErrTaken // it has ended
	case err != nil:
		return err
	}
	if chain.Plan == nil || !chain.Plan.Unchanged(claim.Plan) {
		return records.ErrTaken
	}
	set, err := records.Schedules.Get(tx, claim.MerchantID, chain.ScheduleID)
	switch {
	case err != nil:
		return err
	case set.Paused, set.Plan != chain.Plan.Made, chain.Plan.Paid >= set.PaymentsCount,
		chain.Plan.Starts(&set).After(p.CreatedAt):
		return records.ErrTaken // claimed again by another worker
	}
	plan := new(*chain.Plan) // the claim keeps its own
	chain.Plan = plan
	plan.Last = plan.Next(&set)
	plan.Slot++
	plan.Paid++
	p.Occurrence = plan.Paid
	if plan.Paid == set.PaymentsCount {
		err = leaveSchedule(&chain, tx)
	} else {
		err = requeueChain(&chain, tx, plan.Starts(&set))
	}
	return errors.Join(err, records.Chains.Put(tx, chain, claim.MerchantID, claim.Token))
}
