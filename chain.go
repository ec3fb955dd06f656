package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A chain begins with a payment that asks for it and is taken; later payments name that payment and the
// chain's token, and are charged to its card where it was charged, with the payer absent (lifecycle.md,
// "Recurring").

// chainRecord is a chain. It is stored with its first payment and good once that payment is.
type chainRecord struct {
	Token      string        `json:"token"`
	PaymentID  string        `json:"payment"`
	MerchantID string        `json:"merchant"`
	Test       bool          `json:"test,omitempty"`
	ScheduleID string        `json:"schedule,omitempty"`   // empty once it is on none
	StartDate  string        `json:"start_date,omitempty"` // of the first scheduled payment, YYYY-MM-DD
	Amount     string        `json:"amount,omitempty"`     // of scheduled payments, where it is not the first one's
	Plan       *plan         `json:"plan,omitempty"`       // of the scheduled payments, once the first one is taken
	Joining    *joining      `json:"joining,omitempty"`    // the schedule it moves to once a later payment is taken
	SealedCard *store.Sealed `json:"sealed_card,omitempty"`
	// Credentials are the references of the card, where its MID registers stored cards.
	Credentials credentials `json:"credentials,omitempty"`
	CreatedAt   time.Time   `json:"created_at"`
}

var chains = store.Table[chainRecord]{Prefix: "ch", Version: 1}

func (r *chainRecord) whose() whose { return whose{r.MerchantID, r.Test} }

// insert stores the chain that a charge begins, if any.
func (r *chainRecord) insert(tx store.Tx) error {
	if r == nil {
		return nil
	}
	if err := r.join(tx, r.ScheduleID); err != nil {
		return err
	}
	return chains.Insert(tx, *r, r.MerchantID, r.Token)
}

// beginChain makes the chain of a charge that asks for one. The token is told once the payment is taken.
func (gw *Gateway) beginChain(ctx context.Context, c *charge) (err error) {
	p := &c.payment
	if !p.RecurringInit || c.recurring {
		return nil
	}
	if p.RecurringToken, err = gw.newID(); err != nil {
		return err
	}
	p.RecurringInitID = p.ID
	c.chain = &chainRecord{
		Token: p.RecurringToken, PaymentID: p.ID, MerchantID: p.MerchantID, Test: p.Test,
		ScheduleID: p.ScheduleID, StartDate: p.ScheduleStartDate, Amount: p.ScheduleAmount, CreatedAt: p.CreatedAt,
	}
	c.chain.SealedCard, err = gw.sealCard(ctx, p.MerchantID, c.chain.Token, c.card, nil)
	return err
}

// Chain is the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, refusal.ErrNoChain
	}
	first, _, err := c.gw.chain(ctx, whose{c.profile.merchant.ID, c.test}, initID, token)
	return first, err
}

// chain finds a chain with its first payment, which has to be taken.
func (gw *Gateway) chain(ctx context.Context, w whose, initID, token string) (first *store.Payment, chain chainRecord, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		if chain, err = chains.Get(r, w.merchantID, token); err != nil {
			return err
		}
		p, err := ownPayment(r, w, chain.PaymentID)
		first = &p
		return err
	})
	switch {
	case absent(err), err == refusal.ErrNoPayment:
		return nil, chain, refusal.ErrNoChain
	case err != nil:
		return nil, chain, err
	case first.ID != initID || !first.Taken():
		return nil, chain, refusal.ErrNoChain
	}
	return first, chain, nil
}

// begins reports the first payment of a chain.
func begins(p *store.Payment) bool { return p.RecurringInitID == p.ID }

// unchain drops the chain whose first payment is declined or given back: it is good for nothing, its card is not
// kept, and its schedule is free of it.
func (s *step) unchain() error {
	p := s.p
	if !begins(p) || !s.endsChain() {
		return nil
	}
	chain, err := chains.Get(s.tx, p.MerchantID, p.RecurringToken)
	p.RecurringToken, p.RecurringInitID = "", ""
	switch {
	case absent(err):
		return nil
	case err != nil:
		return err
	}
	if err := errors.Join(chain.unjoin(s.tx), chain.leave(s.tx)); err != nil {
		return err
	}
	return chains.Delete(s.tx, chain.MerchantID, chain.Token)
}

// endsChain reports what ends the chain of a first payment: a decline, a reversal, a void, and a dispute of all
// that was not refunded. A refund does not (decision ar).
func (s *step) endsChain() bool {
	p, t := s.p, s.t
	switch t.Operation {
	case store.OpVoid, store.OpReversal:
		return t.Outcome == store.Success
	case store.OpChargeback:
		return t.Outcome == store.Success && t.Amount.Add(p.Refunded).Add(p.Reserved).Cmp(p.Captured) >= 0
	}
	return t.ID == p.ChargeID() && t.Outcome == store.Fail
}

// public is the payment as callbacks tell it: the token of a chain that it begins only once it is taken.
func (s *step) public() *store.Payment {
	if !begins(s.p) || s.p.Taken() {
		return s.p
	}
	p := *s.p
	p.RecurringToken, p.RecurringInitID = "", ""
	return &p
}

// goesOn refuses a later payment of a chain that has ended since it was looked at.
func goesOn(r store.Reader, p *store.Payment) error {
	if _, err := chains.Get(r, p.MerchantID, p.RecurringToken); !absent(err) {
		return err
	}
	return refusal.ErrNoChain
}

// useChain gives a charge the card of the chain its payment belongs to.
func (gw *Gateway) useChain(ctx context.Context, c *charge) error {
	p := &c.payment
	_, chain, err := gw.chain(ctx, whose{p.MerchantID, p.Test}, p.RecurringInitID, p.RecurringToken)
	if err != nil {
		return err
	}
	c.credentials = chain.Credentials
	c.card, _, err = gw.openCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return err
}
