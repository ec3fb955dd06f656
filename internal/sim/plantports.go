package sim

import (
	"bytes"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Planted defects at the acquirer's side and on the way to the merchant.

// declared returns the capabilities that a connector declares.
func (w *World) declared(can methods.Capabilities) methods.Capabilities {
	switch w.defect {
	case latenessDropped:
		if can.Lateness > 0 {
			can.Lateness = time.Nanosecond
		}
	case falselyIdem:
		can.IdempotentByKey, can.ResendWithoutCode = true, true
	}
	return can
}

// distort changes an operation before a connector sends it.
func (w *World) distort(c *wire, op *methods.Operation) {
	switch w.defect {
	case newKeyOnResend:
		if n := c.a.sends[op.Key]; n > 0 && op.Kind != "" {
			op.Key += "-" + itoa(n)
		}
	case keyOfInstance:
		op.Key = itoa(int(op.Deadline.UnixNano()%2)) + op.Key
	case floatAmount:
		if op.Amount.String() == "7.77" {
			op.Amount = store.MustAmount("7.76")
		}
	case otherCurrency:
		op.Currency = "EUR"
	case otherOperation:
		if op.Kind == store.OpRefund {
			op.Kind = store.OpVoid
		}
	case parentLost:
		op.ParentKey = ""
	case softenedPayment:
		if amount, err := store.ParseAmount(op.Order.Amount); err == nil {
			op.Amount = amount
		}
	}
}

// twist changes the answer to an operation.
func (w *World) twist(c *wire, op methods.Operation, answer methods.Answer) methods.Answer {
	switch {
	case answer.Result == methods.ResultUnknown && w.defect == unknownDeclines:
		return methods.Declined(op, "No answer")
	case answer.Result == methods.ResultUnknown && w.defect == unknownApproves:
		return methods.Approved(op, "ref")
	case answer.Result == methods.ResultUnknown && w.defect == unknownNotSent:
		return methods.NotSent(op, "no answer")
	case answer.Result == methods.ResultPending && w.defect == pendingApproves:
		return methods.Approved(op, "ref")
	case answer.Result == methods.ResultUnverified && w.defect == returnUnchecked:
		return methods.Approved(op, "ref")
	}
	return answer
}

// twistFound changes the answer to a question.
func (w *World) twistFound(c *wire, op methods.Operation, answer methods.Answer) methods.Answer {
	if answer.Result == methods.ResultNotFound && w.defect == notFoundDeclines {
		return methods.Declined(op, "Not found")
	}
	return w.twist(c, op, answer)
}

// panicked turns a panic into an answer.
func (w *World) panicked(op *methods.Operation, answer *methods.Answer) {
	if w.defect != panicDeclines {
		return
	}
	if recover() != nil {
		*answer = methods.Declined(*op, "Internal error")
	}
}

// distortDelivery changes a delivery.
func (w *World) distortDelivery(d *callback.Delivery) {
	switch w.defect {
	case otherBytes:
		if d.Attempt > 1 {
			d.Body = append(bytes.Clone(d.Body), "&attempt="+itoa(d.Attempt)...)
		}
	case otherURL:
		d.URL = "https://m0.example/callback"
	case okNotRequired:
		d.RequireOK = false
	case signatureChanged:
		d.Body = bytes.Replace(d.Body, []byte("hash="), []byte("hash=0"), 1)
	}
}

// twistReceipt changes the merchant's answer.
func (w *World) twistReceipt(receipt callback.Receipt) callback.Receipt {
	if w.defect == falselyAccepted && receipt.Verdict != callback.Accepted {
		return callback.Receipt{Verdict: callback.Accepted}
	}
	return receipt
}
