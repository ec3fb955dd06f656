package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// recharge prepares a follow-up that charges again, with what the connector gets for it.
func (u *followUp) recharge(ctx context.Context, p *records.Payment) (err error) {
	gw, mid := u.gw, u.profile.MID(p.MIDID)
	if u.Draft, err = gw.engine.Intent(p, "", p.Amount, mid); err != nil {
		return err
	}
	c := &charge.Draft{Operation: engine.Operation{Payment: *p, MID: mid}, Profile: u.profile, Once: u.once}
	if u.Ask == state.Retry {
		if err := u.mayRetry(p); err != nil {
			return err
		}
		u.Claim = func(tx store.Tx, p *records.Payment) error {
			if err := recurring.RefuseEnded(tx, p); err != nil {
				return err
			}
			return recurring.TryAgain(tx, p)
		}
		if err = gw.charges.UseChain(ctx, c); err != nil {
			return err
		}
		u.Draft.Credential = c.Credentials.At(mid)
		u.Draft.Authentication = string(methods.AuthOff)
	}
	first := p.Transactions[0]
	if c.Parameters, err = gw.seals.OpenParameters(ctx, first.MerchantID, first.ID, first.SealedParameters); err != nil {
		return err
	}
	u.Draft.Browser = first.Browser
	if u.Ask == state.Complete { // what the payer saw holds until the acquirer reports otherwise
		u.Draft.Facts.Commission, u.Draft.Facts.TotalAmount = first.Facts.Commission, first.Facts.TotalAmount
	}
	c.Transaction = u.Draft
	u.Give, u.Way, err = gw.charges.Again(ctx, c)
	u.Draft = c.Transaction
	return err
}

// mayRetry refuses a payment that is not a later one of a chain, or whose newest try was not declined softly.
func (u *followUp) mayRetry(p *records.Payment) error {
	if p.RecurringInitID == "" || p.RecurringInitID == p.ID || p.Status != store.Declined {
		return refusal.ErrRetry
	}
	return engine.IsSoft(p)
}
