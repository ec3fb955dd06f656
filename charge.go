package gateway

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Charge makes a payment and performs its first operation. The duplicate window holds for it: a
// second charge or session of the same merchant and order number within 15 seconds is ErrDuplicate
// (SPEC1, Limits), and on S2S an order number is good for one payment (decision u). A nil error means
// that the outcome in the result is stored, whatever it is; a decline is an outcome, not an error.
func (gw *Gateway) Charge(ctx context.Context, r ChargeRequest) (*Result, error) {
	if err := gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	if r.Protocol == "" {
		r.Protocol = store.Checkout
	}
	faults := gw.chargeFaults(ctx, &r)
	if r.Proof != nil && !r.Protocol.S2S() && len(faults) > 0 { // the hash comes after the fields
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	profile, test, err := gw.door.Enter(ctx, r.MerchantKey, r.Protocol, (*door.Proof)(r.Proof))
	if err != nil {
		return nil, err
	}
	if err := profile.Speaks(r.Protocol); err != nil {
		return nil, err
	}
	if profile.Off(r.Protocol) {
		return nil, refusal.ErrNoMID
	}
	if faults := profile.Insecure(chargeURLs(&r)); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if r.Method == "" && r.Card == nil && r.CardToken == "" {
		r.Method = r.Wallet
	}
	c := r.charge(profile, test)
	c.sign(r.Proof)
	if err := gw.charges.useToken(ctx, c, r.CardToken); err != nil {
		return nil, err
	}
	c.payoutExpiry()
	if faults = append(faults, gw.cardFaults(r.Method, c.card, r.Kind)...); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if err := gw.wallets.askWallet(c, &r); err != nil {
		return nil, err
	}
	return gw.charges.charge(ctx, c)
}

// charge is the request in the terms of the kernel.
func (r *ChargeRequest) charge(p *merchant.Profile, test bool) *charge {
	c := &charge{
		profile: p, channel: r.ChannelID, card: r.Card, payeeCard: r.PayeeCard, mpi: r.MPI,
		sent: r.Parameters, browser: r.Browser, calc: r.Calc, window: true,
		Operation: engine.Operation{Payment: store.Payment{
			Protocol: r.Protocol, Action: r.Action, Kind: r.Kind, Hold: r.Hold, Test: test, Order: r.Order,
			Method: r.Method, Payer: withState(r.Payer), Payee: r.Payee, Identifier: r.Identifier, MOTOType: r.MOTOType,
			CryptoNetwork: r.CryptoNetwork, CustomData: r.CustomData, ReqToken: r.ReqToken && r.CardToken == "", // decision be
			RecurringInit: r.RecurringInit, ScheduleID: r.ScheduleID, ScheduleStartDate: r.ScheduleStartDate,
			ScheduleAmount: r.PaymentScheduleAmount, PayerPresent: r.PayerPresent, ReturnURL: r.ReturnURL,
			ReturnTarget: r.ReturnTarget, Language: r.Language, VATCalc: r.VATCalc,
			NotificationURL: notificationURL(p.Record(), test, r.CallbackURL), OwnURL: r.CallbackURL != "",
		}},
	}
	if r.Payee != nil {
		payee := withState(*r.Payee)
		c.Payment.Payee = &payee
	}
	if r.Hold {
		c.mpi = nil // SPEC2: ignored with auth=Y
	}
	return c
}

// charge is a first operation on its way through the three steps. The payment begins as what was asked
// for; prepare chooses where it can go, and draft makes the records of one attempt.
type charge struct {
	engine.Operation
	profile   *merchant.Profile
	card      *methods.Card
	payeeCard *methods.Card
	mpi       *methods.MPI
	wallet    *walletToken    // a wallet's token pays
	hand      *methods.Wallet // what the connector gets of it
	sent      json.RawMessage // the method's parameters as they came
	channel   string
	browser   map[string]string
	calc      bool            // tell the commission only
	signed    *door.Signed    // what its signature makes; nil for none of its own
	recurring bool            // a later payment of a chain: the payer is not there
	pinned    string          // the MID it has to go to
	due       *recurring.Date // the date of a schedule it is for; nil for none
	window    bool            // the duplicate window guards it
	session   *session.Claim  // the session it is an attempt of; nil for none
	// credentials are the references under which the stored card that pays is known (Card-on-File).
	credentials records.Credentials

	candidates []route.Candidate

	// Of the attempt under way.
	connector methods.Connector
	coded     bool // the card came with a security code, which is gone
	token     *records.CardToken
	stale     string // id of the token that the attempt before this one issued
	chain     *records.Chain
	mark      *door.HashMark // of the signature, as it stood when step one began
}

// takesShort reports whether the amount may have fewer decimals: where the mapping says so, and where the amount
// was taken before, by a schedule or the payment that is tried again.
func (c *charge) takesShort() bool {
	return c.profile.Mapping(c.Payment.Protocol).ShortAmounts || c.due != nil || c.Payment.ID != ""
}

// routing is what the charge asks of the router.
func (c *charge) routing() route.Request {
	p := &c.Payment
	return route.Request{
		Kind: p.Kind, Hold: p.Hold, Test: p.Test, Method: p.Method, Currency: p.Order.Currency, ChannelID: c.channel, MIDID: c.pinned,
		Brand: brandOf(c.card), MOTO: store.IsMOTO(p.MOTOType), Zero: p.Amount.IsZero() && p.Order.Amount != "",
	}
}

func amountPath(p store.Protocol) string {
	if p.S2S() {
		return "order_amount"
	}
	return "order.amount"
}

// sign notes what the signature of a charge makes.
func (c *charge) sign(proof *Proof) {
	c.signed = door.Signs(c.profile, (*door.Proof)(proof), &c.Payment, c.recurring)
	c.signed.AtOnce()
	c.Payment.Signature = c.signed.Ref()
}
