package gateway

import (
	"cmp"
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// FollowUp asks for something on a payment that exists. Amount is a decimal string in the format of
// Checkout ("10.00"); empty means all there is.
type FollowUp struct {
	MerchantKey string
	Proof       *Proof         // of a Checkout request; nil for a caller who is trusted
	Protocol    store.Protocol // it is asked by, which has to be open (decision bq); zero: the payment's own
	PaymentID   string
	Amount      string
	// NeedsAmount says that Amount has to be told: only a hold of nothing is released without (decision as).
	NeedsAmount bool
}

// Capture takes a held authorization: all of it, or one part of it, once (SPEC1, "States and
// transitions"). Errors: ErrNoPayment, ErrCaptureStatus, ErrCaptureAmount, ErrBusy.
func (gw *Gateway) Capture(ctx context.Context, f FollowUp) (*Result, error) {
	return gw.follow(ctx, f, state.Capture)
}

// Void cancels a settled payment on the financial day of its MID on which it was taken. Errors:
// ErrNoPayment, ErrVoid, ErrBusy.
func (gw *Gateway) Void(ctx context.Context, f FollowUp) (*Result, error) {
	return gw.follow(ctx, f, state.Void)
}

// CreditVoid gives money back: a held authorization or a debit is reversed in full, a settled payment
// refunded in full or in part, several times until nothing is left (decision n). The transaction of
// the result is the refund or reversal; its id is the creditvoid_id. Errors: ErrNoPayment, ErrRefund,
// ErrRefundAmount, ErrReversalPart, ErrReversalAmount, ErrBusy.
func (gw *Gateway) CreditVoid(ctx context.Context, f FollowUp) (*Result, error) {
	return gw.follow(ctx, f, state.CreditVoid)
}

// CompleteDebit takes the money of a debit whose commission was told before (s2s_apm.md,
// DEBIT2VIRTUAL_COMPLETE). Errors: ErrNoPayment, ErrComplete, ErrBusy.
func (gw *Gateway) CompleteDebit(ctx context.Context, f FollowUp) (*Result, error) {
	return gw.follow(ctx, f, state.Complete)
}

// follow runs a follow-up through the three steps.
func (gw *Gateway) follow(ctx context.Context, f FollowUp, ask state.Request) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	profile, test, err := gw.authenticate(ctx, f.MerchantKey, store.Checkout, f.Proof)
	if err != nil {
		return nil, err
	}
	if f.Proof != nil {
		f.Protocol = store.Checkout
	}
	u := &followUp{
		gw: gw, ask: ask, Merchant: profile, protocol: f.Protocol, whose: records.Owner{MerchantID: profile.merchant.ID, Test: test}, amount: f.Amount, id: f.PaymentID,
		needsAmount: f.NeedsAmount,
	}
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	if err := gw.createIntent(ctx, u.draft.ID, u.begin); err != nil {
		return nil, err
	}
	op := gw.operation(&u.payment, &u.intent, profile)
	flight := u.fly(&op)
	connector, ok := gw.cfg.Connectors[u.intent.Connector]
	return gw.perform(ctx, flight, func(ctx context.Context) methods.Answer {
		if !ok {
			return methods.NotSent(op, "the connector is not configured")
		}
		return connector.Perform(ctx, op)
	})
}

// followUp is a follow-up on its way. prepare looks at the payment to know MID and currency, which
// never change; begin looks again, inside the transaction, at everything that does.
type followUp struct {
	gw       *Gateway
	ask      state.Request
	Merchant *profile
	protocol store.Protocol // of the request; zero: the payment's
	whose    records.Owner
	id       string
	amount   string

	needsAmount bool

	draft   store.Transaction
	payment store.Payment
	intent  store.Transaction
	written written

	again *charge // what a charge needs, where the follow-up is one
}

func (u *followUp) prepare(ctx context.Context) error {
	var p store.Payment
	err := u.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		p, err = records.OwnPayment(r, u.whose, u.id)
		return err
	})
	if err != nil {
		return err
	}
	if err := u.Merchant.Readable(&p); err != nil {
		return err
	}
	if err := u.Merchant.Speaks(u.protocol); err != nil {
		return err
	}
	if u.ask != state.Chargeback && u.Merchant.off(cmp.Or(u.protocol, p.Protocol)) {
		return refusal.ErrNoMID
	}
	if u.ask == state.Retry || u.ask == state.Complete {
		return u.recharge(ctx, &p)
	}
	amount, err := u.asked(&p)
	if err != nil {
		return err
	}
	u.draft, err = u.gw.newIntent(&p, "", amount, u.Merchant.MID(p.MIDID))
	return err
}

// asked is the amount that is asked for, zero where all there is. Nothing can be asked for only of a hold of nothing
// that is to be released (decision as).
func (u *followUp) asked(p *store.Payment) (amount store.Amount, err error) {
	releasesNothing := u.ask == state.CreditVoid && p.Status == store.Pending && p.Hold && p.Amount.IsZero()
	if u.amount == "" {
		if u.needsAmount && !releasesNothing {
			err = refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: textBlank})
		}
		return amount, err
	}
	if isNothing(u.amount) && !releasesNothing {
		return amount, refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: textPositive})
	}
	currency, ok := u.gw.currencies.Lookup(p.Order.Currency)
	if !ok {
		return amount, errors.New("a payment in a currency that is not registered: " + p.Order.Currency)
	}
	if amount, err = methods.ParseAmount(methods.FormatOf(p).Short(u.Merchant.Mapping(p.Protocol).ShortAmounts), currency, u.amount); err != nil {
		return amount, refusal.ErrInvalid.Fields(refusal.Fault{Path: "amount", Text: err.Error()})
	}
	return amount, nil
}

// begin is step one: it decides on the payment as it stands, reserves, and stores the intent.
func (u *followUp) begin(tx store.Tx) error {
	p, err := records.OwnPayment(tx, u.whose, u.id)
	if err != nil {
		return err
	}
	t := u.draft
	if t.Operation, err = allowed(&p, u.ask); err != nil {
		return err
	}
	if u.ask == state.Retry {
		if err := errors.Join(goesOn(tx, &p), isSoft(tx, &p)); err != nil { // another retry may have been declined for good since
			return err
		}
		if err := tryAgain(tx, &p); err != nil {
			return err
		}
	}
	if err := u.reserve(&p, &t); err != nil {
		return err
	}
	if u.ask != state.Retry {
		if err := u.parent(tx, &p, &t); err != nil {
			return err
		}
	}
	if t.Operation == store.OpSale || t.Operation == store.OpDebit { // a charge again
		if t.Counted, err = takeLimits(tx, boundsOf(u.Merchant, &p, u.Merchant.MID(p.MIDID)), &t); err != nil {
			return err
		}
	}
	p.Transactions = append(p.Transactions, t.ID)
	p.Version++
	p.UpdatedAt = t.CreatedAt
	u.payment, u.intent = p, t
	if u.written.intent, err = insertIntent(tx, &t); err != nil {
		return err
	}
	u.written.payment, err = records.Payments.PutKept(tx, p, p.ID)
	return err
}

// refused is what a follow-up answers where the payment's status does not allow it.
var refused = map[state.Request]*refusal.Error{
	state.Capture:    refusal.ErrCaptureStatus,
	state.Void:       refusal.ErrVoid,
	state.CreditVoid: refusal.ErrRefund,
	state.Chargeback: refusal.ErrChargeback,
	state.Retry:      refusal.ErrRetry,
	state.Complete:   refusal.ErrComplete,
}

func allowed(p *store.Payment, ask state.Request) (store.Operation, error) {
	op, ok := state.Follow(p.Kind, p.Status, ask)
	if p.Status == store.Pending && !p.Hold { // in crypto nothing is held: the chain has still to confirm it (decision bd)
		ok = false
	}
	if ask == state.Retry && p.Hold {
		op = store.OpAuth // as it was asked for the first time
	}
	switch {
	case !ok, len(p.Transactions) >= store.MaxTransactions:
		return "", refused[ask]
	case p.Running != "":
		return "", refusal.ErrBusy
	}
	return op, nil
}
