package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// useChain gives a charge the card of the chain its payment belongs to.
func (cs *charges) useChain(ctx context.Context, c *charge) error {
	p := &c.Payment
	_, chain, err := cs.agreements.Find(ctx, records.Owner{MerchantID: p.MerchantID, Test: p.Test}, p.RecurringInitID,
		p.RecurringToken)
	if err != nil {
		return err
	}
	c.credentials = chain.Credentials
	c.card, _, err = cs.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
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
	// the payer says how much
	case p.Order.Amount == "" && p.Kind == store.Purchase && (currency.Crypto || cs.engine.IsCrypto(p)):
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

// useToken gives a charge the card of a token, with the code that the payer typed for it, if any. Card data
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
