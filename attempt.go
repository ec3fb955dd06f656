package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// attempt makes the next attempt: at the first of the MIDs left whose limits allow it.
func (gw *Gateway) attempt(ctx context.Context, c *charge) (*engine.Result, error) {
	for {
		if err := gw.draft(ctx, c); err != nil {
			return nil, err
		}
		r, err := gw.engine.Charge(ctx, &c.Operation)
		if !engine.IsFull(err) || len(c.candidates) == 0 {
			return r, err
		}
	}
}

// draft makes payment and intent of an attempt at the first MID left. Ids, times and secrets are made
// here, before the transaction, which may run more than once.
func (gw *Gateway) draft(ctx context.Context, c *charge) (err error) {
	chosen := c.candidates[0]
	c.candidates = c.candidates[1:]
	c.MID, c.connector = c.profile.MID(chosen.ID), gw.cfg.Connectors[chosen.Connector]
	if c.Parameters, err = gw.router.completed(c, chosen); err != nil {
		return err
	}
	if err = gw.drawLinks(c); err != nil {
		return err
	}
	op := chosen.Operation
	if c.calc {
		op = store.OpCalc
	}
	p, now := &c.Payment, gw.now()
	if p.ID, err = gw.newID(); err != nil {
		return err
	}
	p.MerchantID, p.MIDID = c.profile.Record().ID, c.MID.ID
	p.Hold, p.Descriptor, p.Card, p.PayeeCard = op == store.OpAuth, gw.router.descriptor(c), cardFacts(c.card), cardFacts(c.payeeCard)
	p.CreatedAt, p.UpdatedAt, p.Callbacks, p.COF = now, now, 0, c.cof()
	if c.Transaction, err = gw.engine.Intent(p, op, p.Amount, c.MID); err != nil {
		return err
	}
	c.Transaction.Open = p.Order.Amount == ""
	c.hashLinks()
	c.Transaction.KeptUntil, c.Transaction.OnFile = engine.KeptUntil(now, c.session.Ends()), c.recurring
	c.Transaction.Browser, c.Transaction.Authentication = c.browser, c.authentication()
	c.Transaction.Facts.ThreeDS = c.mpi.Facts()
	if p.COF != nil {
		c.Transaction.Credential = c.credentials.At(c.MID)
	}
	if err := gw.sealAttempt(ctx, c); err != nil {
		return err
	}
	gw.complete(c)
	return nil
}

// complete gives the operation of a draft what the engine needs beside the records.
func (gw *Gateway) complete(c *charge) {
	c.Merchant = c.profile
	c.Card, c.PayeeCard, c.MPI, c.Wallet = c.hands(), c.payeeCard, c.mpi, c.hand
	c.Link, c.Alone = c.link(), gw.alone(c)
	if c.session != nil && c.session.Hosted {
		c.Hosted = c.session.Page
	}
	c.Claims, c.Inserts = gw.rowsOf(chargeClaims, c), gw.rowsOf(chargeInserts, c)
	c.Next = func(ctx context.Context, of *engine.Operation) (*engine.Operation, error) {
		return gw.afterDecline(ctx, c, &of.Transaction)
	}
	c.Supersedes = nil
	if stale := c.stale; stale != "" {
		c.Supersedes = func(tx store.Tx, before *store.Payment) error { return token.Forget(tx, before, stale) }
	}
}

// authentication says who authenticates the payer: nobody where he is not there (decision t).
func (c *charge) authentication() string {
	switch {
	case c.recurring, store.IsMOTO(c.Payment.MOTOType):
		return string(methods.AuthOff)
	case c.mpi != nil, authenticates(c.hand):
		return string(methods.AuthExternal)
	case c.Payment.PayerPresent == payerAway:
		return string(methods.AuthOff)
	}
	return string(methods.AuthPlatform)
}

// sealAttempt seals what only the connector and the payer's return may read.
func (gw *Gateway) sealAttempt(ctx context.Context, c *charge) (err error) {
	merchant, id := c.Payment.MerchantID, c.Transaction.ID
	if c.Transaction.SealedCard, err = gw.seals.Card(ctx, merchant, id, c.hands(), c.payeeCard); err != nil {
		return err
	}
	if c.Transaction.SealedParameters, err = gw.seals.Parameters(ctx, merchant, id, c.Parameters); err != nil {
		return err
	}
	if c.Transaction.SealedSent, err = gw.sealSent(ctx, c); err != nil {
		return err
	}
	if c.Transaction.SealedMPI, err = gw.seals.MPI(ctx, merchant, id, c.mpi); err != nil {
		return err
	}
	if c.Transaction.SealedWallet, err = gw.seals.Wallet(ctx, merchant, id, c.hand); err != nil {
		return err
	}
	if p := &c.Payment; p.ReqToken && p.CardToken == "" && c.card != nil {
		if c.token, err = gw.cards.Issue(ctx, p, c.card); err != nil {
			return err
		}
	}
	if err := gw.beginChain(ctx, c); err != nil {
		return err
	}
	return gw.sealForReturn(c)
}

// sealSent keeps the parameters as they came, for another MID of a cascade, which completes them in its own
// way.
func (gw *Gateway) sealSent(ctx context.Context, c *charge) (*store.Sealed, error) {
	if len(c.candidates) == 0 || !c.profile.Mapping(c.Payment.Protocol).Cascade {
		return nil, nil
	}
	return gw.seals.Parameters(ctx, c.Payment.MerchantID, c.Transaction.ID+"/sent", c.sent)
}

// link is the secret of the page the payer sees on the way.
func (c *charge) link() []byte {
	if c.session != nil {
		return c.session.Secret
	}
	return links.PageSecret(c.Secret)
}

// back is the page the payer comes back to; empty for one that his return link opens.
func (c *charge) back() string {
	if c.session != nil {
		return c.session.Page
	}
	return ""
}

// alone makes the page of a charge without a session; nil for one with.
func (gw *Gateway) alone(c *charge) func() (*engine.StatusPage, error) {
	if c.session != nil {
		return nil
	}
	return func() (*engine.StatusPage, error) { return gw.newStatusPage(&c.Payment, c.channel, c.Secret) }
}

func cardFacts(card *methods.Card) *store.CardFacts {
	if card == nil {
		return nil
	}
	return &store.CardFacts{Mask: card.PAN.Mask(), Expiry: card.Expiry, Brand: string(card.PAN.Brand())}
}

func notificationURL(m *store.Merchant, test bool, own string) string {
	switch {
	case own != "":
		return own
	case test && m.TestNotificationURL != "":
		return m.TestNotificationURL
	default:
		return m.NotificationURL
	}
}
