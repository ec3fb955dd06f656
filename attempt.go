package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// attempt stores the intent of the next attempt: at the first of the MIDs left whose limits allow it.
func (gw *Gateway) attempt(ctx context.Context, c *charge) error {
	for {
		if err := gw.draft(ctx, c); err != nil {
			return err
		}
		err := gw.createIntent(ctx, c.Transaction.ID, func(tx store.Tx) error { return gw.begin(tx, c) })
		if !isLimit(err) || len(c.candidates) == 0 {
			return err
		}
	}
}

// draft makes payment and intent of an attempt at the first MID left. Ids, times and secrets are made
// here, before the transaction, which may run more than once.
func (gw *Gateway) draft(ctx context.Context, c *charge) (err error) {
	chosen := c.candidates[0]
	c.candidates = c.candidates[1:]
	c.MID, c.connector = c.profile.MID(chosen.ID), gw.cfg.Connectors[chosen.Connector]
	if c.Parameters, err = gw.completed(c, chosen); err != nil {
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
	p.MerchantID, p.MIDID = c.profile.merchant.ID, c.MID.ID
	p.Hold, p.Descriptor, p.Card, p.PayeeCard = op == store.OpAuth, gw.descriptor(c), cardFacts(c.card), cardFacts(c.payeeCard)
	p.CreatedAt, p.UpdatedAt, p.Callbacks, p.COF = now, now, 0, c.cof()
	if c.Transaction, err = gw.newIntent(p, op, p.Amount, c.MID); err != nil {
		return err
	}
	c.Transaction.Open = p.Order.Amount == ""
	c.hashLinks()
	c.Transaction.KeptUntil, c.Transaction.OnFile = keptUntil(now, c.session.ends()), c.recurring
	c.Transaction.Browser, c.Transaction.Authentication = c.browser, c.authentication()
	c.Transaction.Facts.ThreeDS = c.mpi.Facts()
	if p.COF != nil {
		c.Transaction.Credential = c.credentials.At(c.MID)
	}
	return gw.sealAttempt(ctx, c)
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
	if err := gw.issueToken(ctx, c); err != nil {
		return err
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
		return c.session.secret
	}
	return links.PageSecret(c.Secret)
}

// back is the page the payer comes back to; empty for one that his return link opens.
func (c *charge) back() string {
	if c.session != nil {
		return c.session.page
	}
	return ""
}

// alone makes the page of a charge without a session; nil for one with.
func (gw *Gateway) alone(c *charge) func() (*standIn, error) {
	if c.session != nil {
		return nil
	}
	return func() (*standIn, error) { return gw.newStandIn(&c.Payment, c.channel, c.Secret) }
}

// newIntent is a transaction as step one stores it.
func (gw *Gateway) newIntent(p *store.Payment, op store.Operation, amount store.Amount, mid *store.MID) (store.Transaction, error) {
	id, err := gw.newID()
	now := gw.now()
	deadline := now.Add(gw.timeout(mid.Connector))
	return store.Transaction{
		ID: id, PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, DeadlineAt: deadline, Due: deadline.Add(graceAfterDeadline + time.Second),
	}, err
}

func (gw *Gateway) timeout(name string) time.Duration {
	if connector, ok := gw.cfg.Connectors[name]; ok {
		if own := capabilities(connector).Timeout; own > 0 {
			return own
		}
	}
	return gw.cfg.CallTimeout
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

// begin is step one of a charge: the duplicate key, the payment, its intent and the recovery entry in
// one transaction.
func (gw *Gateway) begin(tx store.Tx, c *charge) error {
	if c.session != nil {
		if err := c.session.take(tx, c); err != nil {
			return err
		}
	}
	if err := errors.Join(c.due.take(tx, c), joinLater(tx, c)); err != nil {
		return err
	}
	if c.recurring {
		if err := goesOn(tx, &c.Payment); err != nil {
			return err
		}
	}
	if err := c.wallet.take(tx); err != nil {
		return err
	}
	mark, err := c.signed.mark(tx)
	if err != nil {
		return err
	}
	if c.window {
		if err := takeWindow(tx, records.Owner{MerchantID: c.Payment.MerchantID, Test: c.Payment.Test}, c.Payment.Order.Number, c.Payment.CreatedAt, gw.now()); err != nil {
			return err
		}
		if c.Payment.Protocol.S2S() {
			if err := firstOfOrder(tx, &c.Payment); err != nil {
				return err
			}
		}
	}
	if err := c.signed.use(tx, mark, c.Payment.CreatedAt, gw.now()); err != nil {
		return err
	}
	return gw.insert(tx, c)
}

// insert writes the records of an attempt: the payment, its intent, its place in the order, the token it
// issues and what it takes of the MID's limits.
func (gw *Gateway) insert(tx store.Tx, c *charge) (err error) {
	p, t := c.Payment, c.Transaction
	row, ok := state.Next(state.Key{Kind: p.Kind, From: store.New, Op: t.Operation, Event: state.Start})
	if !ok {
		return errors.New("the state table starts no " + string(t.Operation))
	}
	if t.Counted, err = takeLimits(tx, boundsOf(c.profile, &p, c.MID), &t); err != nil {
		return err
	}
	p.Status, p.Version, p.Running, p.Transactions = row.To, 1, t.ID, []string{t.ID}
	if err := tx.Put(records.KeyOfOrder(records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.Order.Number, p.ID), []byte{}); err != nil {
		return err
	}
	if err := errors.Join(insertToken(c.token, tx), insertChain(c.chain, tx)); err != nil {
		return err
	}
	if c.written.payment, err = records.Payments.InsertKept(tx, p, p.ID); err != nil {
		return err
	}
	c.Payment, c.Transaction = p, t
	c.written.intent, err = insertIntent(tx, &t)
	return err
}

// written is what step one wrote, for step three to read again.
type written struct {
	payment store.Kept[store.Payment]
	intent  store.Kept[store.Transaction]
}

func insertIntent(tx store.Tx, t *store.Transaction) (store.Kept[store.Transaction], error) {
	if err := records.MoveDue(tx, t, time.Time{}); err != nil {
		return store.Kept[store.Transaction]{}, err
	}
	return records.Transactions.InsertKept(tx, *t, t.ID)
}

// missingField is a browser attribute that the connector cannot do without and the payer's browser did
// not give (decision al): the payment is declined with cause INVALID_REQUEST before anything is sent.
func missingField(connector methods.Connector, browser map[string]string) string {
	for _, name := range capabilities(connector).BrowserFields {
		if browser[name] == "" {
			return name
		}
	}
	return ""
}
