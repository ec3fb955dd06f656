package gateway

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/store"
)

// afterDecline makes the attempt that follows a declined one, which gives its limits back first; nil when there is
// none.
func (cs *charges) afterDecline(ctx context.Context, c *charge,
	declined *store.Transaction) (*engine.Operation, error) {
	if !c.profile.Mapping(c.Payment.Protocol).Cascade || len(c.candidates) == 0 ||
		len(c.Payment.Tried) >= records.MaxCascade-1 {
		return nil, nil
	}
	then := *c
	then.window, then.token, then.chain, then.stale = false, nil, nil, ""
	if c.token != nil {
		then.stale = c.token.ID
	}
	if then.Payment.ReqToken {
		then.Payment.CardToken = ""
	}
	if then.Payment.Cascade == "" {
		then.Payment.Cascade = c.Payment.ID
	}
	then.Payment.Tried = append(slices.Clone(c.Payment.Tried), c.MID.ID)
	for len(then.candidates) > 0 {
		if err := cs.draft(ctx, &then); err != nil {
			return nil, err
		}
		err := cs.store.View(ctx, func(r store.Reader) error {
			return engine.CheckLimits(r, &then.Operation, declined, c.MID)
		})
		switch {
		case err == nil:
			return &then.Operation, nil
		case !engine.IsFull(err):
			return nil, err
		}
	}
	return nil, nil
}

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

// attempt makes the next attempt: at the first of the MIDs left whose limits allow it.
func (cs *charges) attempt(ctx context.Context, c *charge) (*engine.Result, error) {
	for {
		if err := cs.draft(ctx, c); err != nil {
			return nil, err
		}
		r, err := cs.engine.Charge(ctx, &c.Operation)
		if !engine.IsFull(err) || len(c.candidates) == 0 {
			return r, err
		}
	}
}

// draft makes payment and intent of an attempt at the first MID left. Ids, times and secrets are made
// here, before the transaction, which may run more than once.
func (cs *charges) draft(ctx context.Context, c *charge) (err error) {
	chosen := c.candidates[0]
	c.candidates = c.candidates[1:]
	c.MID, c.connector = c.profile.MID(chosen.ID), cs.router.connectors[chosen.Connector]
	if c.Parameters, err = cs.router.completed(c, chosen); err != nil {
		return err
	}
	if err = cs.drawLinks(c); err != nil {
		return err
	}
	op := chosen.Operation
	if c.calc {
		op = store.OpCalc
	}
	p, now := &c.Payment, cs.now()
	if p.ID, err = cs.ids.newID(); err != nil {
		return err
	}
	p.MerchantID, p.MIDID = c.profile.Record().ID, c.MID.ID
	p.Hold, p.Descriptor, p.Card, p.PayeeCard = op == store.OpAuth, cs.router.descriptor(c), cardFacts(c.card),
		cardFacts(c.payeeCard)
	p.CreatedAt, p.UpdatedAt, p.Callbacks, p.COF = now, now, 0, c.cof()
	if c.Transaction, err = cs.engine.Intent(p, op, p.Amount, c.MID); err != nil {
		return err
	}
	c.Transaction.AmountOpen = p.Order.Amount == ""
	c.hashLinks()
	c.Transaction.LinkEndsAt, c.Transaction.OnFile = engine.KeptUntil(now, c.session.Ends()), c.recurring
	c.Transaction.Browser, c.Transaction.Authentication = c.browser, c.authentication()
	c.Transaction.Facts.ThreeDS = c.mpi.Facts()
	if p.COF != nil {
		c.Transaction.Credential = c.credentials.At(c.MID)
	}
	if err := cs.sealAttempt(ctx, c); err != nil {
		return err
	}
	cs.complete(c)
	return nil
}

// complete gives the operation of a draft what the engine needs beside the records.
func (cs *charges) complete(c *charge) {
	c.Merchant = c.profile
	c.Card, c.PayeeCard, c.MPI, c.Wallet = c.connectorCard(), c.payeeCard, c.mpi, c.hand
	c.Link, c.Alone = c.link(), cs.statusPage(c)
	if c.session != nil && c.session.Hosted {
		c.Hosted = c.session.Page
	}
	c.Claims, c.Inserts = rowsOf(chargeClaims, c, cs.now), rowsOf(chargeInserts, c, cs.now)
	c.Next = func(ctx context.Context, of *engine.Operation) (*engine.Operation, error) {
		return cs.afterDecline(ctx, c, &of.Transaction)
	}
	c.Supersedes = nil
	if stale := c.stale; stale != "" {
		c.Supersedes = func(tx store.Tx, before *store.Payment) error { return token.Forget(tx, before, stale) }
	}
}

// sealAttempt seals what only the connector and the payer's return may read.
func (cs *charges) sealAttempt(ctx context.Context, c *charge) (err error) {
	merchant, id := c.Payment.MerchantID, c.Transaction.ID
	if c.Transaction.SealedCard, err = cs.seals.Card(ctx, merchant, id, c.connectorCard(), c.payeeCard); err != nil {
		return err
	}
	if c.Transaction.SealedParameters, err = cs.seals.Parameters(ctx, merchant, id, c.Parameters); err != nil {
		return err
	}
	if c.Transaction.SealedSent, err = cs.sealSent(ctx, c); err != nil {
		return err
	}
	if c.Transaction.SealedMPI, err = cs.seals.MPI(ctx, merchant, id, c.mpi); err != nil {
		return err
	}
	if c.Transaction.SealedWallet, err = cs.seals.Wallet(ctx, merchant, id, c.hand); err != nil {
		return err
	}
	if p := &c.Payment; p.ReqToken && p.CardToken == "" && c.card != nil {
		if c.token, err = cs.cards.Issue(ctx, p, c.card); err != nil {
			return err
		}
	}
	if err := cs.beginChain(ctx, c); err != nil {
		return err
	}
	return cs.sealForReturn(c)
}

// sealSent keeps the parameters as they came, for another MID of a cascade, which completes them in its own
// way.
func (cs *charges) sealSent(ctx context.Context, c *charge) (*store.Sealed, error) {
	if len(c.candidates) == 0 || !c.profile.Mapping(c.Payment.Protocol).Cascade {
		return nil, nil
	}
	return cs.seals.Parameters(ctx, c.Payment.MerchantID, c.Transaction.ID+"/sent", c.sent)
}

// statusPage makes the page of a charge without a session; nil for one with.
func (cs *charges) statusPage(c *charge) func() (*engine.StatusPage, error) {
	if c.session != nil {
		return nil
	}
	return func() (*engine.StatusPage, error) { return cs.newStatusPage(&c.Payment, c.channel, c.Secret) }
}
