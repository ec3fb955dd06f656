package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
)

// beginChain makes the chain of a charge that asks for one. The token is told once the payment is taken.
func (cs *charges) beginChain(ctx context.Context, c *charge) (err error) {
	p := &c.Payment
	if !p.RecurringInit || c.recurring {
		return nil
	}
	if p.RecurringToken, err = cs.ids.newID(); err != nil {
		return err
	}
	p.RecurringInitID = p.ID
	c.chain = &records.Chain{
		Token: p.RecurringToken, PaymentID: p.ID, MerchantID: p.MerchantID, Test: p.Test,
		ScheduleID: p.ScheduleID, StartDate: p.ScheduleStartDate, Amount: p.ScheduleAmount, CreatedAt: p.CreatedAt,
	}
	c.chain.SealedCard, err = cs.seals.Card(ctx, p.MerchantID, c.chain.Token, c.card, nil)
	return err
}

// useChain gives a charge the card of the chain its payment belongs to.
func (cs *charges) useChain(ctx context.Context, c *charge) error {
	p := &c.Payment
	_, chain, err := cs.agreements.Find(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.RecurringInitID, p.RecurringToken)
	if err != nil {
		return err
	}
	c.credentials = chain.Credentials
	c.card, _, err = cs.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
}
