package recurring

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Begin stores the chain that a charge begins, if any.
func Begin(r *records.Chain, tx store.Tx) error {
	if err := joinSchedule(r, tx, r.ScheduleID); err != nil {
		return err
	}
	return records.Chains.Insert(tx, *r, r.MerchantID, r.Token)
}

// Find finds a chain with its first payment, which must have been approved and taken.
func (a *Agreements) Find(ctx context.Context, w records.Owner, initID,
	token string) (first *records.Payment, chain records.Chain, err error) {
	return a.find(ctx, w, initID, token, store.Kept[records.Chain]{})
}

// First finds the first payment of a chain whose next payment is due, as Find does.
func (a *Agreements) First(ctx context.Context, d *Due) (*records.Payment, error) {
	first, _, err := a.find(ctx, d.Owner(), d.PaymentID, d.Token, d.kept)
	return first, err
}

func (a *Agreements) find(ctx context.Context, w records.Owner, initID, token string,
	kept store.Kept[records.Chain]) (first *records.Payment, chain records.Chain, err error) {
	err = a.Store.View(ctx, func(r store.Reader) error {
		if chain, err = records.Chains.GetKept(r, kept, w.MerchantID, token); err != nil {
			return err
		}
		p, err := records.OwnPayment(r, w, chain.PaymentID)
		first = &p
		return err
	})
	switch {
	case records.Absent(err), err == refusal.ErrNoPayment:
		return nil, chain, refusal.ErrNoChain
	case err != nil:
		return nil, chain, err
	case first.ID != initID || !first.Taken():
		return nil, chain, refusal.ErrNoChain
	}
	return first, chain, nil
}

// Drop ends the chain whose first payment is declined or given back: it makes no more payments, its card is
// deleted, and it leaves its schedule.
func Drop(tx store.Tx, p *records.Payment, t *records.Transaction) error {
	if !endsAgreement(p, t) {
		return nil
	}
	chain, err := records.Chains.Get(tx, p.MerchantID, p.RecurringToken)
	p.RecurringToken, p.RecurringInitID = "", ""
	switch {
	case records.Absent(err):
		return nil
	case err != nil:
		return err
	}
	if err := errors.Join(unjoinSchedule(&chain, tx), leaveSchedule(&chain, tx)); err != nil {
		return err
	}
	return records.Chains.Delete(tx, chain.MerchantID, chain.Token)
}

// endsAgreement reports whether the chain of a first payment ends: by a decline, a reversal, a void, or a dispute
// of all that was not refunded. A refund does not end it (decision ar).
func endsAgreement(p *records.Payment, t *records.Transaction) bool {
	switch t.Operation {
	case store.OpVoid, store.OpReversal:
		return t.Outcome == store.Success
	case store.OpChargeback:
		return t.Outcome == store.Success && t.Amount.Add(p.Refunded).Add(p.Reserved).Cmp(p.Captured) >= 0
	default:
		return t.ID == p.ChargeID() && t.Outcome == store.Fail
	}
}

// RefuseEnded refuses a later payment of a chain that has ended in the meantime.
func RefuseEnded(r store.Reader, p *records.Payment) error {
	if _, err := records.Chains.Get(r, p.MerchantID, p.RecurringToken); !records.Absent(err) {
		return err
	}
	return refusal.ErrNoChain
}

// KeepReference stores the reference that a MID returned for the stored card of a chain. The first one stays.
func KeepReference(tx store.Tx, p *records.Payment, mid, credential string) error {
	if p.RecurringToken == "" {
		return nil
	}
	chain, err := records.Chains.Get(tx, p.MerchantID, p.RecurringToken)
	if records.Absent(err) || err == nil && chain.Credentials[mid] != "" {
		return nil
	} else if err != nil {
		return err
	}
	chain.Credentials = chain.Credentials.With(mid, credential)
	return records.Chains.Put(tx, chain, chain.MerchantID, chain.Token)
}
