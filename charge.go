package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Charge makes a payment and performs its first operation. The duplicate window holds for it: a
// second charge or session of the same merchant and order number within 15 seconds is ErrDuplicate
// (SPEC1, Limits), and on S2S an order number is good for one payment (decision u). A nil error means
// that the outcome in the result is stored, whatever it is; a decline is an outcome, not an error.
func (gw *Gateway) Charge(ctx context.Context, r ChargeRequest) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	if r.Protocol == "" {
		r.Protocol = store.Checkout
	}
	faults := gw.form.checkCharge(&r)
	if r.Proof != nil && len(faults) > 0 { // the hash comes after the fields
		return nil, ErrInvalid.Fields(faults...)
	}
	profile, test, err := gw.authenticate(ctx, r.MerchantKey, r.Proof)
	if err != nil {
		return nil, err
	}
	if profile.off(r.Protocol) {
		return nil, ErrNoMID
	}
	if r.Proof != nil && gw.beginsWithPayment(ctx, r.Order.Number) {
		return nil, ErrInvalid.Fields(Fault{"order.number", textInvalid})
	}
	c := r.charge(profile, test)
	if err := gw.useToken(ctx, c, r.CardToken); err != nil {
		return nil, err
	}
	if faults = append(faults, gw.cardFaults(r.Method, c.card, r.Kind)...); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	if r.Wallet != "" {
		return nil, ErrWallet
	}
	return gw.charge(ctx, c)
}

// charge is the request in the terms of the kernel.
func (r *ChargeRequest) charge(p *profile, test bool) *charge {
	c := &charge{
		profile: p, channel: r.ChannelID, card: r.Card, payeeCard: r.PayeeCard, mpi: r.MPI,
		sent: r.Parameters, browser: r.Browser, calc: r.Calc, window: true,
		payment: store.Payment{
			Protocol: r.Protocol, Action: r.Action, Kind: r.Kind, Hold: r.Hold, Test: test, Order: r.Order,
			Method: r.Method, Payer: r.Payer, Payee: r.Payee, Identifier: r.Identifier, MOTOType: r.MOTOType,
			CryptoNetwork: r.CryptoNetwork, CustomData: r.CustomData, ReqToken: r.ReqToken,
			RecurringInit: r.RecurringInit, ScheduleID: r.ScheduleID, ReturnURL: r.ReturnURL,
			ReturnTarget: r.ReturnTarget, Language: r.Language, VATCalc: r.VATCalc,
			NotificationURL: notificationURL(&p.merchant, test, r.CallbackURL),
		},
	}
	if r.Hold {
		c.mpi = nil // SPEC2: ignored with auth=Y
	}
	return c
}

// charge is a first operation on its way through the three steps. The payment begins as what was asked
// for; prepare chooses where it can go, and draft makes the records of one attempt.
type charge struct {
	profile    *profile
	payment    store.Payment
	card       *methods.Card
	payeeCard  *methods.Card
	mpi        *methods.MPI
	sent       json.RawMessage // the method's parameters as they came
	parameters json.RawMessage // the same as the MID of this attempt gets them
	channel    string
	browser    map[string]string
	calc       bool          // tell the commission only
	recurring  bool          // a later payment of a chain: the payer is not there
	pinned     string        // the MID it has to go to
	window     bool          // the duplicate window guards it
	session    *sessionClaim // the session it is an attempt of, or
	page       *standIn      // the page of a payment without one

	candidates []route.Candidate

	// Of the attempt under way.
	connector methods.Connector
	mid       *store.MID
	secret    []byte
	intent    store.Transaction
	token     *tokenRecord
	chain     *chainRecord
	written   written
}

func (gw *Gateway) charge(ctx context.Context, c *charge) (*Result, error) {
	if err := gw.prepare(c); err != nil {
		return nil, err
	}
	if err := gw.attempt(ctx, c); err != nil {
		return nil, err
	}
	return gw.fly(ctx, c)
}

// fly performs an attempt whose intent is stored.
func (gw *Gateway) fly(ctx context.Context, c *charge) (*Result, error) {
	op := gw.operation(&c.payment, &c.intent, c.mid)
	op.Card, op.PayeeCard, op.MPI, op.Parameters = c.card, c.payeeCard, c.mpi, c.parameters
	token := returnToken(c.intent.ID, c.secret)
	op.ReturnURL = gw.cfg.PublicURL + "/return/" + token
	op.NotificationURL = gw.cfg.PublicURL + "/notify/" + token
	f := flight{profile: c.profile, t: &c.intent, link: c.link(), page: c.page, written: c.written}
	f.next = func(ctx context.Context) (*charge, error) { return gw.afterDecline(ctx, c) }
	return gw.perform(ctx, f, func(ctx context.Context) methods.Answer {
		if missing := missingField(c.connector, c.browser); missing != "" {
			return methods.Declined(op, "INVALID_REQUEST")
		}
		return c.connector.Perform(ctx, op)
	})
}

// prepare finds the MIDs that can take the charge and holds its parameters against the method's sets,
// with nothing stored yet.
func (gw *Gateway) prepare(c *charge) error {
	p := &c.payment
	if p.Method == "" {
		p.Method = "card"
	}
	currency, _ := gw.currencies.Lookup(p.Order.Currency)
	switch amount, err := methods.ParseAmount(amountFormat(p), currency, p.Order.Amount); {
	case p.Order.Amount == "" && currency.Crypto && p.Kind == store.Purchase: // the payer says how much
	case err != nil:
		return ErrInvalid.Fields(Fault{amountPath(p.Protocol), err.Error()})
	default:
		p.Amount = amount
	}
	var refusal route.Refusal
	if c.candidates, refusal = gw.route(p.Protocol, c.routing(), c.profile); refusal != route.None {
		return routeError(p.Protocol, refusal)
	}
	return gw.fitting(c)
}

// routing is what the charge asks of the router.
func (c *charge) routing() route.Request {
	p := &c.payment
	return route.Request{
		Kind: p.Kind, Hold: p.Hold, Test: p.Test, Method: p.Method, Currency: p.Order.Currency, ChannelID: c.channel, MIDID: c.pinned,
		MOTO: isMOTO(p.MOTOType), Zero: p.Amount.IsZero() && p.Order.Amount != "",
	}
}

func amountPath(p store.Protocol) string {
	if isS2S(p) {
		return "order_amount"
	}
	return "order.amount"
}

// attempt stores the intent of the next attempt: at the first of the MIDs left whose limits allow it.
func (gw *Gateway) attempt(ctx context.Context, c *charge) error {
	for {
		if err := gw.draft(ctx, c); err != nil {
			return err
		}
		err := gw.createIntent(ctx, c.intent.ID, func(tx store.Tx) error { return gw.begin(tx, c) })
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
	c.mid, c.connector = c.profile.mid(chosen.ID), gw.cfg.Connectors[chosen.Connector]
	if c.parameters, err = gw.completed(c, chosen); err != nil {
		return err
	}
	c.secret = make([]byte, secretSize)
	if _, err := io.ReadFull(gw.cfg.Random, c.secret); err != nil {
		return fmt.Errorf("no random bytes for a return link: %w", err)
	}
	op := chosen.Operation
	if c.calc {
		op = store.OpCalc
	}
	p, now := &c.payment, gw.now()
	p.ID, p.MerchantID, p.MIDID = gw.cfg.NewID(), c.profile.merchant.ID, c.mid.ID
	p.Hold, p.Descriptor, p.Card, p.PayeeCard = op == store.OpAuth, c.mid.Descriptor, cardFacts(c.card), cardFacts(c.payeeCard)
	p.CreatedAt, p.UpdatedAt, p.Callbacks = now, now, 0
	c.intent = gw.newIntent(p, op, p.Amount, c.mid)
	c.intent.Open = p.Order.Amount == ""
	c.intent.ReturnHash, c.intent.Browser, c.intent.Authentication = hashSecret(c.secret), c.browser, c.authentication()
	c.intent.Facts.ThreeDS = c.mpi.Facts()
	return gw.sealAttempt(ctx, c)
}

// authentication says who authenticates the payer: nobody where he is not there (decision t).
func (c *charge) authentication() string {
	switch {
	case c.recurring, isMOTO(c.payment.MOTOType):
		return string(methods.AuthOff)
	case c.mpi != nil:
		return string(methods.AuthExternal)
	}
	return string(methods.AuthPlatform)
}

// sealAttempt seals what only the connector and the payer's return may read.
func (gw *Gateway) sealAttempt(ctx context.Context, c *charge) (err error) {
	merchant, id := c.payment.MerchantID, c.intent.ID
	if c.intent.SealedCard, err = gw.sealCard(ctx, merchant, id, c.card, c.payeeCard); err != nil {
		return err
	}
	if c.intent.SealedParameters, err = gw.sealParameters(ctx, merchant, id, c.parameters); err != nil {
		return err
	}
	if c.intent.SealedSent, err = gw.sealSent(ctx, c); err != nil {
		return err
	}
	if c.intent.SealedMPI, err = gw.sealMPI(ctx, merchant, id, c.mpi); err != nil {
		return err
	}
	if err := gw.issueToken(ctx, c); err != nil {
		return err
	}
	if err := gw.beginChain(ctx, c); err != nil {
		return err
	}
	if c.session == nil && c.page == nil {
		if c.page, err = gw.newStandIn(&c.payment, c.channel); err != nil {
			return err
		}
	}
	return gw.sealForReturn(&c.intent, c.secret, c.card, c.back())
}

// sealSent keeps the parameters as they came, for another MID of a cascade, which completes them in its own
// way.
func (gw *Gateway) sealSent(ctx context.Context, c *charge) (*store.Sealed, error) {
	if len(c.candidates) == 0 || !c.profile.mapping(c.payment.Protocol).Cascade {
		return nil, nil
	}
	return gw.sealParameters(ctx, c.payment.MerchantID, c.intent.ID+"/sent", c.sent)
}

// link is the secret of the page the payer sees on the way.
func (c *charge) link() []byte {
	if c.session != nil {
		return c.session.secret
	}
	return c.page.secret
}

// back is the page the payer comes back to.
func (c *charge) back() string {
	if c.session != nil {
		return c.session.page
	}
	return c.page.url
}

// newIntent is a transaction as step one stores it.
func (gw *Gateway) newIntent(p *store.Payment, op store.Operation, amount store.Amount, mid *store.MID) store.Transaction {
	now := gw.now()
	deadline := now.Add(gw.timeout(mid))
	return store.Transaction{
		ID: gw.cfg.NewID(), PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, DeadlineAt: deadline, Due: deadline.Add(graceAfterDeadline + time.Second),
	}
}

func (gw *Gateway) timeout(mid *store.MID) time.Duration {
	if connector, ok := gw.cfg.Connectors[mid.Connector]; ok {
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
	if c.window {
		if err := takeWindow(tx, c.payment.MerchantID, c.payment.Order.Number, c.payment.CreatedAt); err != nil {
			return err
		}
		if isS2S(c.payment.Protocol) {
			if err := firstOfOrder(tx, &c.payment); err != nil {
				return err
			}
		}
	}
	return gw.insert(tx, c)
}

// insert writes the records of an attempt: the payment, its intent, its place in the order, the token it
// issues and what it takes of the MID's limits.
func (gw *Gateway) insert(tx store.Tx, c *charge) (err error) {
	p, t := c.payment, c.intent
	row, ok := state.Next(state.Key{Kind: p.Kind, From: store.New, Op: t.Operation, Event: state.Start})
	if !ok {
		return errors.New("the state table starts no " + string(t.Operation))
	}
	if t.Counted, err = takeLimits(tx, c.mid, &t); err != nil {
		return err
	}
	p.Status, p.Version, p.Running, p.Transactions = row.To, 1, t.ID, []string{t.ID}
	if err := tx.Put(keyOfOrder(whose{p.MerchantID, p.Test}, p.Order.Number, p.ID), []byte{}); err != nil {
		return err
	}
	if err := errors.Join(c.token.insert(tx), c.chain.insert(tx)); err != nil {
		return err
	}
	if c.written.payment, err = payments.InsertKept(tx, p, p.ID); err != nil {
		return err
	}
	c.payment, c.intent = p, t
	c.written.intent, err = insertIntent(tx, &t)
	return err
}

// written is what step one wrote, for step three to read again.
type written struct {
	payment store.Kept[store.Payment]
	intent  store.Kept[store.Transaction]
}

func insertIntent(tx store.Tx, t *store.Transaction) (store.Kept[store.Transaction], error) {
	if err := moveDue(tx, t, time.Time{}); err != nil {
		return store.Kept[store.Transaction]{}, err
	}
	return transactions.InsertKept(tx, *t, t.ID)
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
