package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
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
	ScheduleID string        `json:"schedule,omitempty"`   // empty once descheduled
	StartDate  string        `json:"start_date,omitempty"` // of the first scheduled payment, YYYY-MM-DD
	Amount     string        `json:"amount,omitempty"`     // of scheduled payments, where it is not the first one's
	SealedCard *store.Sealed `json:"sealed_card,omitempty"`
	CreatedAt  time.Time     `json:"created_at"`
}

var chains = store.Table[chainRecord]{Prefix: "ch", Version: 1}

// insert stores the chain that a charge begins, if any.
func (r *chainRecord) insert(tx store.Tx) error {
	if r == nil {
		return nil
	}
	if err := useSchedule(tx, whose{r.MerchantID, r.Test}, r.ScheduleID, 1); err != nil {
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
	p.RecurringToken, p.RecurringInitID = gw.cfg.NewID(), p.ID
	c.chain = &chainRecord{
		Token: p.RecurringToken, PaymentID: p.ID, MerchantID: p.MerchantID, Test: p.Test,
		ScheduleID: p.ScheduleID, StartDate: p.ScheduleStartDate, Amount: p.ScheduleAmount, CreatedAt: p.CreatedAt,
	}
	c.chain.SealedCard, err = gw.sealCard(ctx, p.MerchantID, c.chain.Token, c.card, nil)
	return err
}

// RecurRequest asks for a later payment of a chain.
type RecurRequest struct {
	MerchantKey string
	Proof       *Proof
	Protocol    store.Protocol // zero: Checkout
	Action      string         // S2S: RECURRING_SALE or RECURRING_DEBIT
	Order       store.Order    // the currency is inherited
	Name, Email string         // of the payer, in place of what the first payment has
	InitID      string         // recurring_init_trans_id, recurring_first_trans_id: the first payment
	Token       string         // recurring_token
	ScheduleID  string
	Hold        bool
	CustomData  json.RawMessage // replaces the first payment's
	CallbackURL string
}

// Recur charges the card of a chain once more. Errors: ErrNoChain for a pair that names none or whose
// first payment was not taken, and those of Charge.
func (gw *Gateway) Recur(ctx context.Context, r RecurRequest) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	if r.Protocol == "" {
		r.Protocol = store.Checkout
	}
	profile, test, err := gw.authenticate(ctx, r.MerchantKey, r.Proof)
	if err != nil {
		return nil, err
	}
	if profile.off(r.Protocol) {
		return nil, ErrNoMID
	}
	first, chain, err := gw.chain(ctx, whose{profile.merchant.ID, test}, r.InitID, r.Token)
	if err != nil {
		return nil, err
	}
	if err := gw.mayUseSchedule(ctx, whose{profile.merchant.ID, test}, r.ScheduleID); err != nil {
		return nil, err
	}
	r.Order.Currency = first.Order.Currency
	request := ChargeRequest{
		MerchantKey: r.MerchantKey, Protocol: r.Protocol, Action: r.Action, Kind: first.Kind, Order: r.Order,
		Hold:   r.Hold && first.Kind == store.Purchase, // a debit knows no auth
		Method: first.Method, Payer: r.payer(first.Payer), Payee: first.Payee, Identifier: first.Identifier,
		ScheduleID: r.ScheduleID, CustomData: r.CustomData, CallbackURL: r.CallbackURL, Language: first.Language,
	}
	if r.CustomData == nil {
		request.CustomData = first.CustomData
	}
	asked := request // what is inherited was checked by the rules it came in by
	asked.Payer, asked.Payee = store.Payer{Name: r.Name, Email: r.Email}, nil
	if faults := gw.form.checkCharge(&asked, profile.mapping(store.Checkout).AnyName); len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	c := request.charge(profile, test)
	c.recurring, c.pinned = true, first.MIDID
	c.payment.RecurringInitID, c.payment.RecurringToken = first.ID, chain.Token
	if c.card, _, err = gw.openCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard); err != nil {
		return nil, err
	}
	return gw.charge(ctx, c)
}

// payer is who pays: that of the first payment, by the name and address of the request.
func (r *RecurRequest) payer(p store.Payer) store.Payer {
	if r.Name != "" {
		p.Name, p.FirstName, p.MiddleName, p.LastName = r.Name, "", "", ""
	}
	p.Email = cmp.Or(r.Email, p.Email)
	return p
}

// Chain is the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, ErrNoChain
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
	case absent(err), err == ErrNoPayment:
		return nil, chain, ErrNoChain
	case err != nil:
		return nil, chain, err
	case first.ID != initID || !taken(first):
		return nil, chain, ErrNoChain
	}
	return first, chain, nil
}

// taken reports a first payment that its chain may go on from: its money was taken or is held.
func taken(first *store.Payment) bool {
	held := first.Status == store.Pending && first.Running != first.ChargeID() // else nobody knows yet
	return held || !first.CapturedAt.IsZero()
}

// begins reports the first payment of a chain.
func begins(p *store.Payment) bool { return p.RecurringInitID == p.ID }

// unchain drops the chain whose first payment was declined: it is good for nothing, its card is not kept,
// and its schedule is free of it.
func (s *step) unchain() error {
	p := s.p
	if !begins(p) || s.t.ID != p.ChargeID() || s.t.Outcome != store.Fail {
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
	if err := useSchedule(s.tx, whose{p.MerchantID, p.Test}, chain.ScheduleID, -1); err != nil {
		return err
	}
	return s.tx.Delete(store.Key(chains.Prefix, chain.MerchantID, chain.Token))
}

// public is the payment as callbacks tell it: the token of a chain that it begins only once it is taken.
func (s *step) public() *store.Payment {
	if !begins(s.p) || taken(s.p) {
		return s.p
	}
	p := *s.p
	p.RecurringToken, p.RecurringInitID = "", ""
	return &p
}

// callbackType is what Checkout calls the row: the later payments of a chain are recurring.
func (s *step) callbackType(row state.Row) string {
	if s.p.RecurringInitID != "" && s.p.RecurringInitID != s.p.ID && (row.Type == "sale" || row.Type == "debit") {
		return "recurring"
	}
	return row.Type
}

// Retry tries a later payment of a chain again that was declined softly (s2s_card.md, RETRY). Errors:
// ErrNoPayment, ErrRetry, ErrBusy.
func (gw *Gateway) Retry(ctx context.Context, f FollowUp) (*Result, error) {
	return gw.follow(ctx, f, state.Retry)
}

// chainCard opens the card of the chain a payment belongs to.
func (gw *Gateway) chainCard(ctx context.Context, p *store.Payment) (*methods.Card, error) {
	_, chain, err := gw.chain(ctx, whose{p.MerchantID, p.Test}, p.RecurringInitID, p.RecurringToken)
	if err != nil {
		return nil, err
	}
	card, _, err := gw.openCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard)
	return card, err
}

// Deschedule takes a chain off its schedule: nothing more is charged by it. Errors: ErrNoChain,
// ErrNoSchedule when the chain is on another.
func (gw *Gateway) Deschedule(ctx context.Context, merchantKey, token, scheduleID string) error {
	w, err := gw.ownerOf(ctx, merchantKey)
	if err != nil {
		return err
	}
	return gw.update(ctx, func(tx store.Tx) error {
		chain, err := chains.Get(tx, w.merchantID, token)
		switch {
		case absent(err):
			return ErrNoChain
		case err != nil:
			return err
		case chain.Test != w.test || chain.ScheduleID == "" || chain.ScheduleID != scheduleID:
			return ErrNoSchedule
		}
		chain.ScheduleID = ""
		if err := useSchedule(tx, w, scheduleID, -1); err != nil {
			return err
		}
		return chains.Put(tx, chain, chain.MerchantID, chain.Token)
	})
}
