package charge

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/store"
)

// afterDecline makes the attempt that follows a declined one, whose limits are given back first; nil when there is
// none.
func (cs *Flow) afterDecline(ctx context.Context, c *Draft,
	declined *records.Transaction) (*engine.Operation, error) {
	if !c.Profile.Mapping(c.Payment.Protocol).Cascade || len(c.candidates) == 0 ||
		len(c.Payment.Tried) >= records.MaxCascade-1 {
		return nil, nil
	}
	then := *c
	then.Window, then.token, then.chain, then.stale = false, nil, nil, ""
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
		err := cs.Store.View(ctx, func(r store.Reader) error {
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

// beginChain makes the chain of a charge that requests one. Its token is reported once the payment is taken.
func (cs *Flow) beginChain(ctx context.Context, c *Draft) (err error) {
	p := &c.Payment
	if !p.RecurringInit || c.Recurring {
		return nil
	}
	if p.RecurringToken, err = cs.NewID(); err != nil {
		return err
	}
	p.RecurringInitID = p.ID
	c.chain = &records.Chain{
		Token: p.RecurringToken, PaymentID: p.ID, MerchantID: p.MerchantID, Test: p.Test,
		ScheduleID: p.ScheduleID, StartDate: p.ScheduleStartDate, Amount: p.ScheduleAmount, CreatedAt: p.CreatedAt,
	}
	c.chain.SealedCard, err = cs.Seals.Card(ctx, p.MerchantID, c.chain.Token, c.PayCard, nil)
	return err
}

// attempt makes the next attempt, at the first remaining MID whose limits allow it.
func (cs *Flow) attempt(ctx context.Context, c *Draft) (*engine.Result, error) {
	for {
		if err := cs.draft(ctx, c); err != nil {
			return nil, err
		}
		r, err := cs.Engine.Charge(ctx, &c.Operation, &c.room)
		if !engine.IsFull(err) || len(c.candidates) == 0 {
			return r, err
		}
	}
}

// draft makes payment and intent of an attempt at the first remaining MID. Ids, times and secrets are made here,
// before the transaction, which may run more than once.
func (cs *Flow) draft(ctx context.Context, c *Draft) (err error) {
	chosen := c.candidates[0]
	c.candidates = c.candidates[1:]
	c.MID, c.connector = c.Profile.MID(chosen.ID), cs.Router.Connectors[chosen.Connector]
	parameters := cs.Router.completed(c, chosen)
	if c.Parameters, err = fields.Parameters(parameters); err != nil {
		return err
	}
	if err = cs.drawLinks(c); err != nil {
		return err
	}
	op := chosen.Operation
	if c.Calc {
		op = store.OpCalc
	}
	p, now := &c.Payment, cs.Now()
	if p.ID, err = cs.NewID(); err != nil {
		return err
	}
	p.MerchantID, p.MIDID = c.Profile.Record().ID, c.MID.ID
	p.Hold, p.Descriptor = op == store.OpAuth, cs.Router.descriptor(c, parameters)
	p.Card, p.PayeeCard = cardFacts(c.PayCard), cardFacts(c.ToCard)
	p.CreatedAt, p.Callbacks, p.COF = now, 0, c.cof()
	if c.Transaction, err = cs.Engine.Intent(p, op, p.Amount, c.MID); err != nil {
		return err
	}
	p.UpdatedAt = c.Transaction.CreatedAt
	c.Transaction.AmountOpen = p.Order.Amount == ""
	if err := c.hashLinks(); err != nil {
		return err
	}
	c.Transaction.LinkEndsAt, c.Transaction.OnFile = engine.KeptUntil(now, c.Session.Ends()), c.Recurring
	c.Transaction.Browser, c.Transaction.Authentication = c.Browser, c.authentication()
	c.Transaction.Facts.ThreeDS = c.ExternalMPI.Facts()
	if p.COF != nil {
		c.Transaction.Credential = c.Credentials.At(c.MID)
	}
	if err := cs.sealAttempt(ctx, c); err != nil {
		return err
	}
	cs.complete(c)
	return nil
}

// complete adds to the operation of a draft what the engine needs beside the records.
func (cs *Flow) complete(c *Draft) {
	c.Merchant = c.Profile
	c.Card, c.PayeeCard, c.MPI, c.Wallet = c.connectorCard(), c.ToCard, c.ExternalMPI, c.walletForConnector
	c.Link, c.Alone = c.linkSecret, cs.statusPage(c)
	if c.Session != nil && c.Session.Hosted {
		c.Hosted = c.Session.Page
	}
	c.Claim, c.Insert = taking(chargeClaims, c, cs.Now), taking(chargeInserts, c, cs.Now)
	c.Next = func(ctx context.Context, of *engine.Operation) (*engine.Operation, error) {
		return cs.afterDecline(ctx, c, &of.Transaction)
	}
	c.Supersedes = nil
	if stale := c.stale; stale != "" {
		c.Supersedes = func(tx store.Tx, before *records.Payment) error { return token.Forget(tx, before, stale) }
	}
}

// Again makes links and sealed values for a transaction that charges a payment once more, and returns what the engine
// needs beside its records.
func (cs *Flow) Again(ctx context.Context, c *Draft) (give *engine.Give, way engine.Way, err error) {
	if err := cs.drawLinks(c); err != nil {
		return nil, way, err
	}
	if err := c.hashLinks(); err != nil {
		return nil, way, err
	}
	if err := cs.sealAttempt(ctx, c); err != nil {
		return nil, way, err
	}
	give = &engine.Give{Card: c.PayCard, Parameters: c.Parameters, Secret: c.Secret, Notice: c.Notice}
	return give, engine.Way{Link: c.linkSecret, Alone: cs.statusPage(c)}, nil
}

// sealAttempt seals what only the connector and the payer's return may read.
func (cs *Flow) sealAttempt(ctx context.Context, c *Draft) (err error) {
	merchant, id := c.Payment.MerchantID, c.Transaction.ID
	if c.Transaction.SealedCard, err = cs.Seals.Card(ctx, merchant, id, c.connectorCard(), c.ToCard); err != nil {
		return err
	}
	if c.Transaction.SealedParameters, err = cs.Seals.Parameters(ctx, merchant, id, c.Parameters); err != nil {
		return err
	}
	if c.Transaction.SealedSent, err = cs.sealSent(ctx, c); err != nil {
		return err
	}
	if c.Transaction.SealedMPI, err = cs.Seals.MPI(ctx, merchant, id, c.ExternalMPI); err != nil {
		return err
	}
	if c.Transaction.SealedWallet, err = cs.Seals.Wallet(ctx, merchant, id, c.walletForConnector); err != nil {
		return err
	}
	if p := &c.Payment; p.ReqToken && p.CardToken == "" && c.PayCard != nil {
		if c.token, err = cs.Cards.Issue(ctx, p, c.PayCard); err != nil {
			return err
		}
	}
	if err := cs.beginChain(ctx, c); err != nil {
		return err
	}
	return cs.sealForReturn(c)
}

// sealSent seals the parameters as received, for another MID of a cascade, which completes them in its own way.
func (cs *Flow) sealSent(ctx context.Context, c *Draft) (*store.Sealed, error) {
	if len(c.candidates) == 0 || !c.Profile.Mapping(c.Payment.Protocol).Cascade {
		return nil, nil
	}
	return cs.Seals.Parameters(ctx, c.Payment.MerchantID, c.Transaction.ID+"/sent", c.Sent)
}

// statusPage returns a function that makes the page of a charge without a session; nil for one with a session.
func (cs *Flow) statusPage(c *Draft) func() (*engine.StatusPage, error) {
	if c.Session != nil {
		return nil
	}
	return func() (*engine.StatusPage, error) { return cs.newStatusPage(&c.Payment, c.Channel, c.Secret) }
}
