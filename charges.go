package gateway

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
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
	p.Hold, p.Descriptor, p.Card, p.PayeeCard = op == store.OpAuth, cs.router.descriptor(c), cardFacts(c.card), cardFacts(c.payeeCard)
	p.CreatedAt, p.UpdatedAt, p.Callbacks, p.COF = now, now, 0, c.cof()
	if c.Transaction, err = cs.engine.Intent(p, op, p.Amount, c.MID); err != nil {
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
	if err := cs.sealAttempt(ctx, c); err != nil {
		return err
	}
	cs.complete(c)
	return nil
}

// complete gives the operation of a draft what the engine needs beside the records.
func (cs *charges) complete(c *charge) {
	c.Merchant = c.profile
	c.Card, c.PayeeCard, c.MPI, c.Wallet = c.hands(), c.payeeCard, c.mpi, c.hand
	c.Link, c.Alone = c.link(), cs.alone(c)
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
	if c.Transaction.SealedCard, err = cs.seals.Card(ctx, merchant, id, c.hands(), c.payeeCard); err != nil {
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

// alone makes the page of a charge without a session; nil for one with.
func (cs *charges) alone(c *charge) func() (*engine.StatusPage, error) {
	if c.session != nil {
		return nil
	}
	return func() (*engine.StatusPage, error) { return cs.newStatusPage(&c.Payment, c.channel, c.Secret) }
}

// anotherMID makes the attempt that follows a payer's return: what he came back with was declined softly.
// Card and code are those held for the return.
func (cs *charges) anotherMID(ctx context.Context, d engine.Declined) (*engine.Operation, error) {
	profile, p, t, op, trip := d.Merchant.(*merchant.Profile), d.Payment, d.Transaction, d.Given, d.Return
	later := p.RecurringInitID != "" && !records.BeginsChain(p) // it stays where its chain began
	if !profile.Mapping(p.Protocol).Cascade || trip.Link == nil || t.ID != p.ChargeID() || later || !t.ErasedAt.IsZero() {
		return nil, nil
	}
	s, err := cs.pageOf(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &charge{
		Operation: engine.Operation{Payment: *p, MID: profile.MID(p.MIDID)},
		profile:   profile, card: op.Card, payeeCard: op.PayeeCard, mpi: op.MPI, hand: op.Wallet,
		browser: t.Browser, channel: s.ChannelID,
		session: &session.Claim{ID: p.SessionID, Secret: trip.Link, Page: trip.Page, Until: s.ExpiresAt}, coded: t.Coded,
	}
	if c.sent, err = cs.seals.OpenParameters(ctx, t.MerchantID, t.ID+"/sent", t.SealedSent); err != nil {
		return nil, err
	}
	c.Payment.Next, c.Payment.Reason, c.Payment.Charge = "", "", ""
	if p.CardToken != "" && !p.ReqToken { // a token that is gone meanwhile has nothing registered
		saved, _ := cs.cards.Find(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.CardToken)
		c.credentials = saved.Credentials
	}
	candidates, why := cs.router.route(p.Protocol, c.routing(), profile)
	if why != route.None {
		return nil, nil
	}
	if c.hand != nil {
		if c.hand.Token != nil { // it is for one provider
			return nil, nil
		}
		candidates = cs.router.takeDecrypted(candidates)
	}
	if trip.CodeGone(t) {
		candidates = cs.router.withoutCode(candidates)
	}
	c.candidates = slices.DeleteFunc(candidates, func(one route.Candidate) bool {
		return one.ID == p.MIDID || slices.Contains(p.Tried, one.ID)
	})
	if len(c.candidates) == 0 || cs.router.fitting(c) != nil {
		return nil, nil
	}
	return cs.afterDecline(ctx, c, t)
}

// pageOf is the session of a payment, or the page that stands in for one.
func (cs *charges) pageOf(ctx context.Context, p *store.Payment) (s store.Session, err error) {
	err = cs.store.View(ctx, func(r store.Reader) (err error) {
		s, err = records.Sessions.Get(r, p.SessionID)
		return err
	})
	return s, err
}

// charges makes the drafts of charges, and hands them to the engine.
type charges struct {
	store      store.Store
	now        func() time.Time
	ids        *identifiers
	site       links.Site
	seals      *seal.Sealer
	router     *router
	quotes     *quotes
	wallets    *walletFlow
	cards      *token.Cards
	agreements *recurring.Agreements
	engine     *engine.Engine
}

func (cs *charges) charge(ctx context.Context, c *charge) (*Result, error) {
	c.browser = fields.WithoutCards(c.browser)
	if err := cs.prepare(c); err != nil {
		return nil, err
	}
	var err error
	if c.Payment.Quote, err = cs.quotes.quote(ctx, c.profile.Record().ID, &c.Payment); err != nil {
		return nil, err
	}
	r, err := cs.attempt(ctx, c)
	if errors.Is(err, token.ErrUsed) {
		return nil, cs.wallets.refuseToken(c, "used before")
	}
	return (*Result)(r), err
}

// prepare finds the MIDs that can take the charge and holds its parameters against the method's sets,
// with nothing stored yet.
func (cs *charges) prepare(c *charge) error {
	p := &c.Payment
	if p.Method == "" {
		p.Method = "card"
	}
	currency, _ := cs.router.currencies.Lookup(p.Order.Currency)
	switch amount, err := methods.ParseAmount(methods.FormatOf(p).Short(c.takesShort()), currency, p.Order.Amount); {
	case p.Order.Amount == "" && p.Kind == store.Purchase && (currency.Crypto || cs.engine.IsCrypto(p)): // the payer says how much
	case err != nil:
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: amountPath(p.Protocol), Text: err.Error()})
	default:
		p.Amount = amount
	}
	var refusal route.Refusal
	if c.candidates, refusal = cs.router.route(p.Protocol, c.routing(), c.profile); refusal != route.None {
		return routeError(p.Protocol, refusal)
	}
	if err := cs.wallets.payByWallet(c); err != nil {
		return err
	}
	return cs.router.fitting(c)
}

// drawLinks draws the secrets of an attempt's links. The payer sees the return link and the acquirer the
// notification link: each has a secret of its own, and neither follows from the other (decision ce).
func (cs *charges) drawLinks(c *charge) error {
	drawn, err := cs.ids.random(2*links.Size, "the links of a payment")
	if err != nil {
		return err
	}
	c.Secret, c.Notice = drawn[:links.Size:links.Size], drawn[links.Size:]
	return nil
}

// What a payer's later step needs, and nobody else may read, is sealed under the secret of a link: under that of the
// return link the page to go back to, and under that of the page the security code, where it may be of use then. Who
// comes back by the return link reaches the page, and so the code; who answers on the page has it at once.
func (cs *charges) sealForReturn(c *charge) (err error) {
	t := &c.Transaction
	coded := c.card != nil && c.card.Code.Digits() != ""
	t.Coded = coded || c.coded
	if coded && cs.router.holdsCode(c) {
		code := []byte(c.card.Code.Digits())
		defer vault.Wipe(code)
		if t.Held, err = vault.SealHeld(c.link(), vault.SecurityCode, t.ID, cs.ids.chance, code); err != nil {
			return err
		}
	}
	if back := c.back(); back != "" {
		t.Back, err = vault.SealHeld(c.Secret, vault.ReturnData, t.ID, cs.ids.chance, []byte(back))
	}
	return err
}

// newStatusPage makes the page of a payment that has no session: the payer of an S2S charge is sent to it when the
// acquirer asks them something or shows them something, and comes back to it from the issuer or a bank. It
// is made only once the payer is sent away, since most charges need none.
func (cs *charges) newStatusPage(p *store.Payment, channel string, returns []byte) (*engine.StatusPage, error) {
	id, err := cs.ids.newID()
	if err != nil {
		return nil, err
	}
	s := session.StatusPage(id, p, channel, links.PageSecret(returns), cs.now())
	page := cs.site.Page(links.Token(s.ID, links.PageSecret(returns)))
	return &engine.StatusPage{URL: page, Insert: func(tx store.Tx, p *store.Payment) error { return session.InsertStatus(tx, s, p) }}, nil
}

// useToken gives a charge the card of a token, with the code the payer typed for it, if he did. Card data
// that came with it wins (CARD562, precedence). Errors: ErrCardToken, ErrCardTokenExpired, ErrCardTokenOwner.
func (cs *charges) useToken(ctx context.Context, c *charge, saved string) (err error) {
	if saved == "" || c.card != nil && !c.card.PAN.IsZero() {
		return nil
	}
	typed := c.card
	record, err := cs.cards.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.Payment.Test}, saved)
	if err != nil {
		return err
	}
	if c.card, _, err = cs.seals.OpenCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
		return err
	}
	if c.Payment.Kind == store.Credit {
		c.Payment.Payee = token.PayeeOf(&record, c.Payment.Payee)
	}
	if typed != nil {
		c.card.Code = typed.Code
	}
	c.Payment.CardToken, c.Payment.ReqToken, c.credentials = saved, false, record.Credentials
	return nil
}
