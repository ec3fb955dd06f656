package gateway

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A chain begins with a payment that asks for it and is taken; later payments name that payment and the
// chain's token, and are charged to its card where it was charged, with the payer absent (lifecycle.md,
// "Recurring").

// insertChain stores the chain that a charge begins, if any.
func insertChain(r *records.Chain, tx store.Tx) error {
	if err := joinSchedule(r, tx, r.ScheduleID); err != nil {
		return err
	}
	return records.Chains.Insert(tx, *r, r.MerchantID, r.Token)
}

// beginChain makes the chain of a charge that asks for one. The token is told once the payment is taken.
func (gw *Gateway) beginChain(ctx context.Context, c *charge) (err error) {
	p := &c.Payment
	if !p.RecurringInit || c.recurring {
		return nil
	}
	if p.RecurringToken, err = gw.newID(); err != nil {
		return err
	}
	p.RecurringInitID = p.ID
	c.chain = &records.Chain{
		Token: p.RecurringToken, PaymentID: p.ID, MerchantID: p.MerchantID, Test: p.Test,
		ScheduleID: p.ScheduleID, StartDate: p.ScheduleStartDate, Amount: p.ScheduleAmount, CreatedAt: p.CreatedAt,
	}
	c.chain.SealedCard, err = gw.seals.Card(ctx, p.MerchantID, c.chain.Token, c.card, nil)
	return err
}

// Chain is the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, refusal.ErrNoChain
	}
	first, _, err := c.gw.chain(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}, initID, token)
	return first, err
}

// chain finds a chain with its first payment, which has to be taken.
func (gw *Gateway) chain(ctx context.Context, w records.Owner, initID, token string) (first *store.Payment, chain records.Chain, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		if chain, err = records.Chains.Get(r, w.MerchantID, token); err != nil {
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

// dropAgreement drops the chain whose first payment is declined or given back: it is good for nothing, its card is not
// kept, and its schedule is free of it.
func dropAgreement(tx store.Tx, p *store.Payment, t *store.Transaction) error {
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

// endsAgreement reports what ends the chain of a first payment: a decline, a reversal, a void, and a dispute of all
// that was not refunded. A refund does not (decision ar).
func endsAgreement(p *store.Payment, t *store.Transaction) bool {
	switch t.Operation {
	case store.OpVoid, store.OpReversal:
		return t.Outcome == store.Success
	case store.OpChargeback:
		return t.Outcome == store.Success && t.Amount.Add(p.Refunded).Add(p.Reserved).Cmp(p.Captured) >= 0
	}
	return t.ID == p.ChargeID() && t.Outcome == store.Fail
}

// goesOn refuses a later payment of a chain that has ended since it was looked at.
func goesOn(r store.Reader, p *store.Payment) error {
	if _, err := records.Chains.Get(r, p.MerchantID, p.RecurringToken); !records.Absent(err) {
		return err
	}
	return refusal.ErrNoChain
}

// useChain gives a charge the card of the chain its payment belongs to.
func (gw *Gateway) useChain(ctx context.Context, c *charge) error {
	p := &c.Payment
	_, chain, err := gw.chain(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.RecurringInitID, p.RecurringToken)
	if err != nil {
		return err
	}
	c.credentials = chain.Credentials
	c.card, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
}
