package gateway

import (
	"cmp"
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// FollowUp is an operation on a payment that exists. Amount is a decimal string in the format of the payment's protocol
// (methods.FormatOf), like "10.00"; empty means the whole amount that is left. Retry and CompleteDebit do not read it.
type FollowUp struct {
	Proof     *Proof         // of a Checkout request; nil for a caller who is trusted
	Protocol  store.Protocol // it is asked by, which has to be open (decision bq); zero: the payment's own
	PaymentID string
	Amount    string
	// NeedsAmount says that Amount is required: only a hold of zero is released without it (decision as).
	NeedsAmount bool
}

// Capture is Merchant.Capture for the client.
func (m *Client) Capture(ctx context.Context, f FollowUp) (*Result, error) {
	return m.follow(ctx, f, state.Capture)
}

// Void is Merchant.Void for the client.
func (m *Client) Void(ctx context.Context, f FollowUp) (*Result, error) {
	return m.follow(ctx, f, state.Void)
}

// CreditVoid is Merchant.CreditVoid for the client.
func (m *Client) CreditVoid(ctx context.Context, f FollowUp) (*Result, error) {
	return m.follow(ctx, f, state.CreditVoid)
}

// CompleteDebit is Merchant.CompleteDebit for the client.
func (m *Client) CompleteDebit(ctx context.Context, f FollowUp) (*Result, error) {
	return m.follow(ctx, f, state.Complete)
}

// follow makes the draft of a follow-up and hands it to the engine.
func (m *Client) follow(ctx context.Context, f FollowUp, ask state.Request) (*Result, error) {
	gw, profile := m.gw, m.profile
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	if err := m.enter(ctx, store.Checkout, f.Proof); err != nil {
		return nil, err
	}
	if f.Proof != nil {
		f.Protocol = store.Checkout
	}
	u := &followUp{
		gw: gw, profile: profile, once: m.once, protocol: f.Protocol, amount: f.Amount, needsAmount: f.NeedsAmount,
		FollowUp: engine.FollowUp{
			Merchant: profile, Ask: ask, PaymentID: f.PaymentID, Whole: f.Amount == "",
			Owner: m.visible(),
		},
	}
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	u.takeKey()
	r, err := gw.engine.Follow(ctx, &u.FollowUp)
	return shown(r), err
}

// followUp is a follow-up in preparation. prepare reads the payment for its MID and currency, which never change. The
// engine reads it again inside the transaction.
type followUp struct {
	engine.FollowUp
	gw          *Gateway
	profile     *merchant.Profile
	once        *once.Use      // of an idempotency key; nil for none
	protocol    store.Protocol // of the request; zero: the payment's
	amount      string
	needsAmount bool
}

func (u *followUp) prepare(ctx context.Context) error {
	var p records.Payment
	err := u.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		p, err = records.OwnPayment(r, u.Owner, u.PaymentID)
		return err
	})
	if err != nil {
		return err
	}
	if err := u.profile.Readable(&p); err != nil {
		return err
	}
	if err := u.profile.Speaks(u.protocol); err != nil {
		return err
	}
	if u.Ask != state.Chargeback && u.profile.Off(cmp.Or(u.protocol, p.Protocol)) {
		return refusal.ErrNoMID
	}
	if u.Ask == state.Retry || u.Ask == state.Complete {
		return u.recharge(ctx, &p)
	}
	amount, err := u.asked(&p)
	if err != nil {
		return err
	}
	u.Draft, err = u.gw.engine.Intent(&p, "", amount, u.profile.MID(p.MIDID))
	return err
}

// takeKey takes the idempotency key before the other claims.
func (u *followUp) takeKey() {
	if u.once == nil {
		return
	}
	claim := u.Claim
	u.Claim = func(tx store.Tx, p *records.Payment) error {
		if err := u.once.Take(tx, p.ID, u.Draft.ID); err != nil || claim == nil {
			return err
		}
		return claim(tx, p)
	}
}

// asked returns the amount of the request; zero if that is all that is left. The request may say zero only to release a
// hold of zero (decision as).
func (u *followUp) asked(p *records.Payment) (amount store.Amount, err error) {
	releasesNothing := u.Ask == state.CreditVoid && p.Status == store.Pending && p.Hold && p.Amount.IsZero()
	if u.amount == "" {
		if u.needsAmount && !releasesNothing {
			err = refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: fields.TextBlank})
		}
		return amount, err
	}
	if fields.IsZero(u.amount) && !releasesNothing {
		return amount, refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: fields.TextPositive})
	}
	currency, ok := u.gw.currencies.Lookup(p.Order.Currency)
	if !ok {
		return amount, errors.New("a payment in a currency that is not registered: " + p.Order.Currency)
	}
	if amount, err = methods.ParseAmount(methods.FormatOf(&p.Payment).Short(u.profile.Mapping(p.Protocol).ShortAmounts),
		currency, u.amount); err != nil {
		return amount, refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: err.Error()})
	}
	return amount, nil
}
