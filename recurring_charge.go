package gateway

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// RecurRequest asks for a later payment of a chain.
type RecurRequest struct {
	Proof       *Proof
	Protocol    store.Protocol // zero: Checkout
	Action      string         // S2S: RECURRING_SALE or RECURRING_DEBIT
	Order       store.Order    // the currency is inherited
	Name, Email string         // of the payer, instead of the first payment's
	InitID      string         // recurring_init_trans_id, recurring_first_trans_id: the first payment
	Token       string         // recurring_token
	ScheduleID  string
	Hold        bool
	CustomData  json.RawMessage // replaces the first payment's
	CallbackURL string
}

// Recur is Merchant.Recur for the client.
func (m *Client) Recur(ctx context.Context, r RecurRequest) (*Result, error) {
	gw, profile := m.gw, m.profile
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	if r.Protocol == "" {
		r.Protocol = store.Checkout
	}
	if err := m.enter(ctx, r.Protocol, r.Proof); err != nil {
		return nil, err
	}
	if err := profile.Speaks(r.Protocol); err != nil {
		return nil, err
	}
	if profile.Off(r.Protocol) {
		return nil, refusal.ErrNoMID
	}
	first, chain, err := gw.agreements.Find(ctx, m.visible(), r.InitID, r.Token)
	if err != nil {
		return nil, err
	}
	if err := gw.agreements.MayUse(ctx, m.visible(), r.ScheduleID); err != nil {
		return nil, err
	}
	r.Order.Currency = first.Order.Currency
	request := ChargeRequest{
		merchantKey: m.key, Protocol: r.Protocol, Action: r.Action, Kind: first.Kind, Order: r.Order,
		Hold:   r.Hold && first.Kind == store.Purchase, // a debit has no auth
		Method: first.Method, Payer: r.payer(first.Payer), Payee: first.Payee, Identifier: first.Identifier,
		ScheduleID: r.ScheduleID, CustomData: r.CustomData, CallbackURL: r.CallbackURL, Language: first.Language,
		VATCalc: first.VATCalc,
	}
	if r.CustomData == nil {
		request.CustomData = first.CustomData
	}
	asked := request // what is inherited was checked with the first payment
	asked.Payer, asked.Payee, asked.VATCalc = store.Payer{Name: r.Name, Email: r.Email}, nil, false
	faults := gw.form.checkCharge(&asked, profile.Mapping(r.Protocol))
	if faults = append(faults, profile.Insecure(chargeURLs(&asked))...); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	c := request.charge(profile, m.test)
	c.Once, c.Recurring, c.Pinned = m.once, true, first.MIDID
	c.Sign((*door.Proof)(r.Proof))
	c.Payment.RecurringInitID, c.Payment.RecurringToken = first.ID, chain.Token
	c.Payment.OfWallet = first.Wallet != nil
	c.Credentials = chain.Credentials
	if c.PayCard, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard); err != nil {
		return nil, err
	}
	return charged(ctx, gw.charges, c)
}

// payer returns the payer of the first payment, with the name and email of the request if it has them.
func (r *RecurRequest) payer(p store.Payer) store.Payer {
	if r.Name != "" {
		p.Name, p.FirstName, p.MiddleName, p.LastName = r.Name, "", "", ""
	}
	p.Email = cmp.Or(r.Email, p.Email)
	return p
}

// Retry is Merchant.Retry for the client.
func (m *Client) Retry(ctx context.Context, f FollowUp) (*Result, error) {
	return m.follow(ctx, f, state.Retry)
}

// Chain returns the first payment of one of the client's chains. Error: ErrNoChain.
func (c *Client) Chain(ctx context.Context, initID, token string) (*store.Payment, error) {
	if c.profile == nil {
		return nil, refusal.ErrNoChain
	}
	first, _, err := c.gw.agreements.Find(ctx, records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}, initID,
		token)
	if err != nil {
		return nil, err
	}
	return &first.Payment, nil
}
