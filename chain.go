package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A chain begins with a payment that asks for it and is taken; later payments name that payment and the
// chain's token, and are charged to its card where it was charged, with the payer absent (lifecycle.md,
// "Recurring").

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
	first, _, err := c.gw.agreements.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}, initID, token)
	return first, err
}

// useChain gives a charge the card of the chain its payment belongs to.
func (gw *Gateway) useChain(ctx context.Context, c *charge) error {
	p := &c.Payment
	_, chain, err := gw.agreements.Find(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.RecurringInitID, p.RecurringToken)
	if err != nil {
		return err
	}
	c.credentials = chain.Credentials
	c.card, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
}
