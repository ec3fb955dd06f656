package charge

import (
	"context"
	"errors"
	"io"
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

// Flow makes the drafts of charges and gives them to the engine. All fields are required.
type Flow struct {
	Store      store.Store
	Now        func() time.Time
	NewID      func() (string, error)
	Random     io.Reader
	Site       links.Site
	Seals      *seal.Sealer
	Router     *Router
	Wallets    *WalletFlow
	Cards      *token.Cards
	Agreements *recurring.Agreements
	Engine     *engine.Engine
	// Quote returns the amounts that the host computes for a payment; nil for none.
	Quote func(ctx context.Context, merchant string, p *store.Payment) (*store.Quote, error)
}

// Charge makes one attempt after another until the engine accepts one or no MID is left. It returns the refusal of
// a field, a MID or a claim.
func (cs *Flow) Charge(ctx context.Context, c *Draft) (*engine.Result, error) {
	c.Browser = fields.WithoutCards(c.Browser)
	if c.WalletToken != nil { // a token that is refused is logged
		if err := store.Confirm(ctx, cs.Store); err != nil {
			return nil, err
		}
	}
	if err := cs.prepare(c); err != nil {
		return nil, err
	}
	var err error
	if c.Payment.Quote, err = cs.Quote(ctx, c.Profile.Record().ID, &c.Payment.Payment); err != nil {
		return nil, err
	}
	r, err := cs.attempt(ctx, c)
	if errors.Is(err, token.ErrUsed) {
		return nil, cs.Wallets.refuseToken(c, "used before")
	}
	return r, err
}

// prepare finds the MIDs that can take the charge and checks its parameters by the method's sets, before anything
// is stored.
func (cs *Flow) prepare(c *Draft) error {
	p := &c.Payment
	if p.Method == "" {
		p.Method = "card"
	}
	currency, _ := cs.Router.Currencies.Lookup(p.Order.Currency)
	format := methods.FormatOf(&p.Payment).Short(c.allowsShortAmount())
	switch amount, err := methods.ParseAmount(format, currency, p.Order.Amount); {
	// the payer chooses the amount
	case p.Order.Amount == "" && p.Kind == store.Purchase && (currency.Crypto || cs.Engine.IsCrypto(p)):
	case err != nil:
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: amountPath(p.Protocol), Text: err.Error()})
	default:
		p.Amount = amount
	}
	var refusal route.Refusal
	if c.candidates, refusal = cs.Router.Route(p.Protocol, c.routing(), c.Profile); refusal != route.None {
		return RouteError(p.Protocol, refusal)
	}
	if err := cs.Wallets.payByWallet(c); err != nil {
		return err
	}
	return cs.Router.fitting(c)
}

// UseChain gives a charge the card of its payment's chain.
func (cs *Flow) UseChain(ctx context.Context, c *Draft) error {
	p := &c.Payment
	_, chain, err := cs.Agreements.Find(ctx, records.OwnerOf(p), p.RecurringInitID,
		p.RecurringToken)
	if err != nil {
		return err
	}
	c.Credentials = chain.Credentials
	c.PayCard, _, err = cs.Seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
}

// UseToken gives a charge the card of a token, with the code that the payer typed for it, if any. Card data in the
// same request wins (CARD562, precedence). It returns ErrCardToken, ErrCardTokenExpired and ErrCardTokenOwner.
func (cs *Flow) UseToken(ctx context.Context, c *Draft, saved string) (err error) {
	if saved == "" || c.PayCard != nil && !c.PayCard.PAN.IsZero() {
		return nil
	}
	typed := c.PayCard
	record, err := cs.Cards.Find(ctx, records.Owner{MerchantID: c.Profile.Record().ID, Test: c.Payment.Test}, saved)
	if err != nil {
		return err
	}
	if c.PayCard, _, err = cs.Seals.OpenCard(ctx, record.MerchantID, record.ID, record.SealedCard); err != nil {
		return err
	}
	if c.Payment.Kind == store.Credit {
		c.Payment.Payee = token.PayeeOf(&record, c.Payment.Payee)
	}
	if typed != nil {
		c.PayCard.Code = typed.Code
	}
	c.Payment.CardToken, c.Payment.ReqToken, c.Credentials = saved, false, record.Credentials
	return nil
}
