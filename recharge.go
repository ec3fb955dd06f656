package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Two follow-ups are charges again: the second step of a debit whose commission was told, and another try
// of a later payment of a chain. They need what a charge needs beside what a follow-up does.

// recharge makes what the connector gets beyond the operation.
func (u *followUp) recharge(ctx context.Context, p *store.Payment) (err error) {
	gw, mid := u.gw, u.Merchant.MID(p.MIDID)
	if u.draft, err = gw.newIntent(p, "", p.Amount, mid); err != nil {
		return err
	}
	c := &charge{profile: u.Merchant, Payment: *p, MID: mid}
	if err = gw.drawLinks(c); err != nil {
		return err
	}
	if u.ask == state.Retry {
		if err := u.mayRetry(ctx, p); err != nil {
			return err
		}
		if err = gw.useChain(ctx, c); err != nil {
			return err
		}
		u.draft.Credential = c.credentials.At(mid)
		u.draft.Authentication = string(methods.AuthOff)
	}
	first, err := gw.transaction(ctx, p.Transactions[0])
	if err != nil {
		return err
	}
	if c.Parameters, err = gw.seals.OpenParameters(ctx, first.MerchantID, first.ID, first.SealedParameters); err != nil {
		return err
	}
	u.draft.Browser = first.Browser
	if u.ask == state.Complete { // what the payer was told holds until the acquirer says otherwise
		u.draft.Facts.Commission, u.draft.Facts.TotalAmount = first.Facts.Commission, first.Facts.TotalAmount
	}
	c.Transaction = u.draft
	c.hashLinks()
	if err := gw.sealAttempt(ctx, c); err != nil {
		return err
	}
	u.draft, u.again = c.Transaction, c
	return nil
}

// mayRetry: a later payment of a chain whose newest try was declined softly.
func (u *followUp) mayRetry(ctx context.Context, p *store.Payment) error {
	if p.RecurringInitID == "" || p.RecurringInitID == p.ID || p.Status != store.Declined {
		return refusal.ErrRetry
	}
	return u.gw.cfg.Store.View(ctx, func(r store.Reader) error { return isSoft(r, p) })
}

// isSoft refuses the retry of a payment whose newest try was declined for good.
func isSoft(r store.Reader, p *store.Payment) error {
	last, err := records.Transactions.Get(r, p.ChargeID())
	if err == nil && !last.Soft {
		return refusal.ErrRetry
	}
	return err
}

// fly is the flight of the follow-up, with the operation of a charge completed.
func (u *followUp) fly(op *methods.Operation) flight {
	f := flight{merchant: u.Merchant, t: &u.intent, written: u.written}
	c := u.again
	if c == nil {
		return f
	}
	op.Card, op.Parameters = c.card, c.Parameters
	u.gw.giveLinks(op, c.Secret, c.Notice)
	f.link, f.alone = c.link(), u.gw.alone(c)
	return f
}
