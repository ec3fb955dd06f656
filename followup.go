package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// FollowUp asks for something on a payment that exists. Amount is a decimal string in the format of
// Checkout ("10.00"); empty means all there is.
type FollowUp struct {
	MerchantKey string
	Proof       *Proof
	PaymentID   string
	Amount      string
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

// follow runs a follow-up through the three steps.
func (gw *Gateway) follow(ctx context.Context, f FollowUp, ask state.Request) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	profile, _, err := gw.authenticate(ctx, f.MerchantKey, f.Proof)
	if err != nil {
		return nil, err
	}
	u := &followUp{gw: gw, ask: ask, profile: profile, amount: f.Amount, id: f.PaymentID}
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	if err := gw.createIntent(ctx, u.draft.ID, u.begin); err != nil {
		return nil, err
	}
	op := gw.operation(&u.payment, &u.intent, profile.mid(u.intent.MIDID))
	connector, ok := gw.cfg.Connectors[u.intent.Connector]
	return gw.perform(ctx, flight{profile: profile, t: &u.intent, written: u.written}, func(ctx context.Context) methods.Answer {
		if !ok {
			return methods.NotSent(op, "the connector is not configured")
		}
		return connector.Perform(ctx, op)
	})
}

// followUp is a follow-up on its way. prepare looks at the payment to know MID and currency, which
// never change; begin looks again, inside the transaction, at everything that does.
type followUp struct {
	gw      *Gateway
	ask     state.Request
	profile *profile
	id      string
	amount  string

	draft   store.Transaction
	payment store.Payment
	intent  store.Transaction
	written written
}

func (u *followUp) prepare(ctx context.Context) error {
	var p store.Payment
	err := u.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		p, err = ownPayment(r, u.profile.merchant.ID, u.id)
		return err
	})
	if err != nil {
		return err
	}
	var amount store.Amount
	if u.amount != "" {
		currency, ok := u.gw.currencies.Lookup(p.Order.Currency)
		if !ok {
			return errors.New("a payment in a currency that is not registered: " + p.Order.Currency)
		}
		if amount, err = methods.ParseAmount(methods.Checkout, currency, u.amount); err != nil {
			return ErrInvalid.Fields(Fault{"amount", err.Error()})
		}
		if amount.IsZero() {
			return ErrInvalid.Fields(Fault{"amount", textPositive})
		}
	}
	u.draft = u.gw.newIntent(&p, "", amount, u.profile.mid(p.MIDID))
	return nil
}

// ownPayment is a payment of this merchant. Another merchant's is as absent as one that never was.
func ownPayment(r store.Reader, merchantID, id string) (store.Payment, error) {
	p, err := payments.Get(r, id)
	if absent(err) || err == nil && p.MerchantID != merchantID {
		return store.Payment{}, ErrNoPayment
	}
	return p, err
}

// begin is step one: it decides on the payment as it stands, reserves, and stores the intent.
func (u *followUp) begin(tx store.Tx) error {
	p, err := ownPayment(tx, u.profile.merchant.ID, u.id)
	if err != nil {
		return err
	}
	t := u.draft
	if t.Operation, err = allowed(&p, u.ask); err != nil {
		return err
	}
	if err := u.reserve(&p, &t); err != nil {
		return err
	}
	if err := u.parent(tx, &p, &t); err != nil {
		return err
	}
	p.Transactions = append(p.Transactions, t.ID)
	p.Version++
	p.UpdatedAt = t.CreatedAt
	u.payment, u.intent = p, t
	if u.written.intent, err = insertIntent(tx, &t); err != nil {
		return err
	}
	u.written.payment, err = payments.PutKept(tx, p, p.ID)
	return err
}

// refused is what a follow-up answers where the payment's status does not allow it.
var refused = map[state.Request]*Error{
	state.Capture:    ErrCaptureStatus,
	state.Void:       ErrVoid,
	state.CreditVoid: ErrRefund,
	state.Chargeback: ErrChargeback,
}

func allowed(p *store.Payment, ask state.Request) (store.Operation, error) {
	op, ok := state.Follow(p.Kind, p.Status, ask)
	switch {
	case !ok, len(p.Transactions) >= store.MaxTransactions:
		return "", refused[ask]
	case p.Running != "":
		return "", ErrBusy
	}
	return op, nil
}

// reserve settles the amount of the operation and takes what it needs from the payment, so that no
// second operation can have it too.
func (u *followUp) reserve(p *store.Payment, t *store.Transaction) error {
	all := u.amount == ""
	switch t.Operation {
	case store.OpCapture:
		if all {
			t.Amount = p.Authorized
		}
		if t.Amount.Cmp(p.Authorized) > 0 {
			return ErrCaptureAmount
		}
		p.Running = t.ID
	case store.OpRefund:
		return u.reserveRefund(p, t)
	case store.OpReversal:
		return u.reserveReversal(p, t)
	case store.OpVoid:
		return u.reserveVoid(p, t)
	}
	return nil
}

func (u *followUp) reserveRefund(p *store.Payment, t *store.Transaction) error {
	left := p.Refundable()
	if u.amount == "" {
		t.Amount = left
	}
	switch {
	case left.IsZero():
		return ErrRefund
	case t.Amount.Cmp(left) > 0:
		return ErrRefundAmount
	}
	p.Reserved = p.Reserved.Add(t.Amount)
	return nil
}

// reserveReversal wants all of it: what is held, or what was taken of a debit.
func (u *followUp) reserveReversal(p *store.Payment, t *store.Transaction) error {
	whole := p.Authorized
	if !p.Captured.IsZero() {
		whole = p.Captured
	}
	if u.amount == "" {
		t.Amount = whole
	}
	switch t.Amount.Cmp(whole) {
	case 1:
		return ErrReversalAmount
	case -1:
		return ErrReversalPart
	}
	p.Running = t.ID
	return nil
}

// reserveVoid wants a payment that nothing was given back of, on the financial day it was taken, and all
// of it.
func (u *followUp) reserveVoid(p *store.Payment, t *store.Transaction) error {
	untouched := p.Refunded.IsZero() && p.Reserved.IsZero()
	if !untouched || !sameDay(u.profile.mid(p.MIDID), p.CapturedAt, t.CreatedAt) {
		return ErrVoid
	}
	if u.amount == "" {
		t.Amount = p.Captured
	}
	if t.Amount.Cmp(p.Captured) != 0 {
		return ErrVoid
	}
	p.Running = t.ID
	return nil
}

// sameDay reports whether two moments fall on one financial day of a MID, which ends at DayEnd in its
// time zone. A zone that cannot be read makes no day the same.
func sameDay(mid *store.MID, a, b time.Time) bool {
	zone, end, err := financialDay(mid)
	if err != nil {
		return false
	}
	return day(a, zone, end).Equal(day(b, zone, end))
}

// day is the date of the financial day of a moment, at midnight UTC: civil time moved forward so that a
// day that ends at 18:00 ends at midnight. Dates are counted in UTC, since a zone may skip the very hour
// a day later.
func day(at time.Time, zone *time.Location, end time.Duration) time.Time {
	local := at.In(zone)
	date := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	if end > 0 && sinceMidnight(local) >= end {
		date = date.AddDate(0, 0, 1)
	}
	return date
}

func sinceMidnight(at time.Time) time.Duration {
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute +
		time.Duration(at.Second())*time.Second + time.Duration(at.Nanosecond())
}

func financialDay(mid *store.MID) (*time.Location, time.Duration, error) {
	zone, err := time.LoadLocation(mid.TimeZone)
	if err != nil || mid.DayEnd == "" {
		return zone, 0, err
	}
	end, err := time.Parse("15:04", mid.DayEnd)
	return zone, time.Duration(end.Hour())*time.Hour + time.Duration(end.Minute())*time.Minute, err
}

// parent names the transaction that the operation acts on: the one that took or held the money.
func (u *followUp) parent(tx store.Tx, p *store.Payment, t *store.Transaction) error {
	for i := len(p.Transactions) - 1; i >= 0; i-- {
		parent, err := transactions.Get(tx, p.Transactions[i])
		if err != nil {
			return err
		}
		if parent.Outcome == store.Success && holdsMoney(parent.Operation, t.Operation) {
			t.ParentID, t.ParentReference = parent.ID, parent.Reference
			return nil
		}
	}
	return errors.New("payment " + p.ID + ": no transaction to act on")
}

// holdsMoney reports whether an operation of kind child acts on one of kind parent. A reversal and a
// capture act on the authorization, a refund and a void on what took the money.
func holdsMoney(parent, child store.Operation) bool {
	switch parent {
	case store.OpAuth:
		return child == store.OpCapture || child == store.OpReversal
	case store.OpCapture:
		return child != store.OpCapture
	case store.OpSale, store.OpDebit:
		return true
	}
	return false
}
