package engine

import (
	"errors"
	"slices"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// reserve sets the amount of the operation and takes it from the payment, so that no second operation can
// take it too.
func (u *FollowUp) reserve(p *records.Payment, t *records.Transaction) error {
	switch t.Operation {
	case store.OpCapture:
		return u.reserveCapture(p, t)
	case store.OpRefund:
		return u.reserveRefund(p, t)
	case store.OpReversal:
		return u.reserveReversal(p, t)
	case store.OpVoid:
		return u.reserveVoid(p, t)
	case store.OpSale, store.OpDebit, store.OpAuth:
		p.Running, p.Charge = t.ID, t.ID
	case store.OpCalc, store.OpCredit, store.OpTransfer, store.OpChargeback:
		// never a follow-up that reserves: the first three begin a payment, and an acquirer reports a chargeback
	}
	return nil
}

// reserveCapture takes all or a part of the held amount. A hold of zero only verifies a card (decision as).
func (u *FollowUp) reserveCapture(p *records.Payment, t *records.Transaction) error {
	if p.Authorized.IsZero() {
		return refusal.ErrCaptureStatus
	}
	if u.Whole {
		t.Amount = p.Authorized
	}
	if t.Amount.Cmp(p.Authorized) > 0 {
		return refusal.ErrCaptureAmount
	}
	p.Running = t.ID
	return nil
}

func (u *FollowUp) reserveRefund(p *records.Payment, t *records.Transaction) error {
	left := p.Refundable()
	if u.Whole {
		t.Amount = left
	}
	switch {
	case u.isRepeated(p, t):
		return refusal.ErrDuplicate
	case left.IsZero():
		return refusal.ErrRefund
	case t.Amount.Cmp(left) > 0:
		return refusal.ErrRefundAmount
	}
	p.Reserved = p.Reserved.Add(t.Amount)
	return nil
}

// isRepeated reports whether a refund of the same amount is not finished yet: this one may be the same request, sent
// again because its answer was lost (decision cg). Where nothing is left, a refund of all that is left repeats the last
// one. All other follow-ups exclude each other by Payment.Running.
func (u *FollowUp) isRepeated(p *records.Payment, t *records.Transaction) bool {
	amount := t.Amount
	if u.Whole && amount.IsZero() {
		amount = p.Transactions[len(p.Transactions)-1].Amount
	}
	return slices.ContainsFunc(p.Transactions, func(o *records.Transaction) bool {
		return o.Operation == store.OpRefund && !o.Outcome.Final() && o.Amount.Cmp(amount) == 0
	})
}

// reserveReversal requires the whole amount: the held one, or the captured one of a debit.
func (u *FollowUp) reserveReversal(p *records.Payment, t *records.Transaction) error {
	whole := p.Authorized
	if !p.Captured.IsZero() {
		whole = p.Captured
	}
	if u.Whole {
		t.Amount = whole
	}
	switch t.Amount.Cmp(whole) {
	case 1:
		return refusal.ErrReversalAmount
	case -1:
		return refusal.ErrReversalPart
	}
	p.Running = t.ID
	return nil
}

// reserveVoid requires the whole amount of a payment without refunds, on the financial day of the capture.
func (u *FollowUp) reserveVoid(p *records.Payment, t *records.Transaction) error {
	untouched := p.Refunded.IsZero() && p.Reserved.IsZero()
	if !untouched || !u.Merchant.MID(p.MIDID).SameDay(p.CapturedAt, t.CreatedAt) {
		return refusal.ErrVoid
	}
	if u.Whole {
		t.Amount = p.Captured
	}
	if t.Amount.Cmp(p.Captured) != 0 {
		return refusal.ErrVoid
	}
	p.Running = t.ID
	return nil
}

// parent names the transaction that the operation acts on: the one that took or held the money.
func (u *FollowUp) parent(p *records.Payment, t *records.Transaction) error {
	for _, parent := range slices.Backward(p.Transactions) {
		if parent.Outcome == store.Success && holdsMoney(parent.Operation, t.Operation) {
			t.ParentID, t.ParentReference = parent.ID, parent.Reference
			t.Connector = parent.Connector // the connector that has the money, even if the MID has another one now
			return nil
		}
	}
	return errors.New("payment " + p.ID + ": no transaction to act on")
}

// holdsMoney reports whether an operation of kind child acts on one of kind parent. A reversal and a capture
// act on the authorization, a refund and a void on the transaction that took the money.
func holdsMoney(parent, child store.Operation) bool {
	switch parent {
	case store.OpAuth:
		return child == store.OpCapture || child == store.OpReversal
	case store.OpCapture:
		return child != store.OpCapture
	case store.OpSale, store.OpDebit:
		return true
	case store.OpCalc:
		return child == store.OpDebit
	default: // gives money back or pays it out
		return false
	}
}
