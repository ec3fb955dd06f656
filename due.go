package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/schedule"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Scheduled payments run from Tick. A chain whose date has come is claimed for a while; its payment takes the
// date in the very transaction that stores the payment's intent, so that each is charged once at most, and
// moves money in the same three steps as any other.

const (
	// dueLease is how long a claimed chain is left alone: longer than the payments of one claim take.
	dueLease = 10 * time.Minute
	// dueAgain is when a payment is tried again that could not begin: its merchant is switched off, or no
	// MID takes it now.
	dueAgain = time.Hour
)

// claimDue takes chains whose date has come, and schedules whose chains have to be planned anew. Merchants take turns.
func (gw *Gateway) claimDue(ctx context.Context, limit int) ([]func(context.Context), error) {
	return gw.queues.Claim(ctx, gw.dates, limit, gw.claimEntry)
}

// claimEntry claims what one entry of the queue names.
func (gw *Gateway) claimEntry(tx store.Tx, entry string) (func(context.Context), error) {
	kind, merchant, id, ok := records.SplitDue(entry)
	if !ok {
		return nil, store.ErrNotFound
	}
	if kind == records.DueSchedule {
		lease := gw.now().Add(dueLease)
		if err := leaseSchedule(tx, merchant, id, lease); err != nil {
			return nil, err
		}
		return gw.due("the chains of a schedule could not be planned anew", id, entry, lease, func(ctx context.Context) error {
			return gw.replan(ctx, merchant, id)
		}), nil
	}
	chain, err := gw.claimChain(tx, merchant, id)
	if chain == nil || err != nil {
		return nil, err
	}
	return gw.due("a scheduled payment could not begin", chain.PaymentID, entry, chain.Plan.Due, func(ctx context.Context) error {
		return gw.payDue(ctx, chain)
	}), nil
}

// due is a claimed entry as something to do before its lease ends. One whose records cannot be read is set aside.
func (gw *Gateway) due(text, id, entry string, lease time.Time, do func(context.Context) error) func(context.Context) {
	return gw.queues.Logged(text, id, func(ctx context.Context) error {
		err := do(ctx)
		if due.IsLost(err) {
			return gw.queues.SetAside(ctx, store.Aside{Work: store.WorkSchedule, ID: entry, At: gw.now()}, err, func(tx store.Tx) (bool, error) {
				return leaveDue(tx, entry, lease)
			})
		}
		return err
	})
}

// leaveDue takes a claimed entry out of the queue, unless it went on meanwhile.
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

// claimChain takes a chain whose payment is due; nil when there is nothing to pay. One that is paused leaves
// the queue until its schedule runs again; one that was planned by what holds no longer is planned anew.
func (gw *Gateway) claimChain(tx store.Tx, merchant, token string) (*records.Chain, error) {
	chain, err := records.Chains.Get(tx, merchant, token)
	if err != nil {
		return nil, err
	}
	now := gw.now()
	if chain.Plan == nil || chain.Plan.Due.After(now) { // it went on without this entry
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
	if err = errors.Join(err, records.Chains.Put(tx, chain, merchant, token)); err != nil || !pay {
		return nil, err
	}
	return &chain, nil
}

// startDate is schedule_start_date, which was checked when it came in; none is the zero date.
func startDate(r *records.Chain) schedule.Date {
	date, _ := schedule.ParseDate(r.StartDate)
	return date
}

// payDue begins the payment of a claimed chain. What cannot begin now is tried again later; a chain whose first
// payment was given back leaves its schedule.
func (gw *Gateway) payDue(ctx context.Context, chain *records.Chain) error {
	err := gw.paySlot(ctx, chain)
	switch {
	case err == nil, errors.Is(err, records.ErrTaken):
		return nil
	case due.IsLost(err):
		return err
	}
	later := gw.update(ctx, func(tx store.Tx) error {
		now, failed := records.Chains.Get(tx, chain.MerchantID, chain.Token)
		switch {
		case records.Absent(failed): // it has ended meanwhile: that is no fault
			err = nil
			return nil
		case failed != nil, now.Plan == nil, !now.Plan.Due.Equal(chain.Plan.Due):
			return failed // it went on without us
		case errors.Is(err, refusal.ErrNoChain):
			failed = leaveSchedule(&now, tx)
		default:
			failed = requeueChain(&now, tx, gw.now().Add(dueAgain))
		}
		return errors.Join(failed, records.Chains.Put(tx, now, now.MerchantID, now.Token))
	})
	return errors.Join(err, later)
}

// paySlot charges the card of a chain for its next date.
func (gw *Gateway) paySlot(ctx context.Context, chain *records.Chain) error {
	profile, err := gw.merchants.ByID(ctx, chain.MerchantID)
	if err != nil {
		return err
	}
	first, _, err := gw.chain(ctx, chain.Owner(), chain.PaymentID, chain.Token)
	if err != nil {
		return err
	}
	if err := profile.Readable(first); err != nil {
		return err
	}
	if profile.Off(first.Protocol) {
		return refusal.ErrNoMID
	}
	c := dueCharge(profile, first, chain)
	if c.card, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard); err != nil {
		return err
	}
	_, err = gw.charge(ctx, c)
	return err
}

// dueCharge is the scheduled payment of a chain: what its first one was, for the amount of the schedule.
func dueCharge(profile *merchant.Profile, first *store.Payment, chain *records.Chain) *charge {
	p := store.Payment{
		Protocol: first.Protocol, Action: recurringActions[first.Kind], Kind: first.Kind, Test: first.Test, Order: first.Order,
		Method: first.Method, Payer: first.Payer, Payee: first.Payee, Identifier: first.Identifier, CustomData: first.CustomData,
		Language: first.Language, ScheduleID: chain.ScheduleID, RecurringInitID: first.ID, RecurringToken: chain.Token,
		OfWallet: first.Wallet != nil, VATCalc: first.VATCalc,
		NotificationURL: first.NotificationURL, OwnURL: first.OwnURL,
	}
	if now := notificationURL(profile.Record(), first.Test, ""); now != "" && !first.OwnURL { // it may have moved
		p.NotificationURL = now
	}
	if chain.Amount != "" {
		p.Order.Amount = chain.Amount
	}
	if !first.Protocol.S2S() {
		p.Action = ""
	}
	return &charge{
		Operation: engine.Operation{Payment: p}, profile: profile, recurring: true, pinned: first.MIDID, credentials: chain.Credentials,
		due: &dueClaim{merchant: chain.MerchantID, token: chain.Token, plan: *chain.Plan},
	}
}

// recurringActions are what S2S callbacks call scheduled payments (s2s_card.md, RECURRING_SALE).
var recurringActions = map[store.Kind]string{store.Purchase: "RECURRING_SALE", store.Debit: "RECURRING_DEBIT"}

// dueClaim makes a charge the next scheduled payment of a chain: within step one it takes the date, if that
// is still to be paid.
type dueClaim struct {
	merchant, token string
	plan            records.Plan // as it was claimed
}

func (claim *dueClaim) take(tx store.Tx, p *store.Payment) error {
	chain, err := records.Chains.Get(tx, claim.merchant, claim.token)
	switch {
	case records.Absent(err):
		return records.ErrTaken // it has ended
	case err != nil:
		return err
	}
	if chain.Plan == nil || !chain.Plan.Stands(&claim.plan) {
		return records.ErrTaken
	}
	set, err := records.Schedules.Get(tx, claim.merchant, chain.ScheduleID)
	switch {
	case err != nil:
		return err
	case set.Paused, set.Plan != chain.Plan.Made, chain.Plan.Paid >= set.PaymentsCount,
		chain.Plan.Starts(&set).After(p.CreatedAt):
		return records.ErrTaken // claimed again, it is seen to
	}
	plan := chain.Plan
	plan.Last = plan.Next(&set)
	plan.Slot++
	plan.Paid++
	p.Occurrence = plan.Paid
	if plan.Paid == set.PaymentsCount {
		err = leaveSchedule(&chain, tx)
	} else {
		err = requeueChain(&chain, tx, plan.Starts(&set))
	}
	return errors.Join(err, records.Chains.Put(tx, chain, claim.merchant, claim.token))
}
