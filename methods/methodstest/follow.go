package methodstest

import (
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func followChecks() []check {
	auth := func(more ...store.Operation) needs {
		return needs{holds: true, operations: append(more, store.OpAuth)}
	}
	sale := func(more ...store.Operation) needs { return needs{operations: more} }
	return []check{
		{"hold/capture and refund", auth(store.OpCapture, store.OpRefund), checkCapture},
		{"hold/reversal", auth(store.OpCapture, store.OpReversal), checkReversal},
		{"hold/capture above authorized", auth(store.OpCapture), checkCaptureAbove},
		{"hold/capture in part, refund above captured", auth(store.OpCapture, store.OpRefund), checkCapturePart},
		{"sale/void", sale(store.OpVoid), checkVoid},
		{"sale/refund in parts", sale(store.OpRefund), checkRefundParts},
		{"sale/refund above captured", sale(store.OpRefund), checkRefundAbove},
		{"sale/refund twice by one key", needs{idempotent: true, operations: []store.Operation{store.OpRefund}}, checkRefundRepeat},
		{"follow/unknown parent", sale(store.OpRefund), checkUnknownParent},
	}
}

func (p *probe) half() store.Amount {
	half := p.Amount.Decimal().Mul(decimal.New(5,
		-1)).Truncate(int32(p.Amount.Decimals())).StringFixed(int32(p.Amount.Decimals()))
	return store.MustAmount(half)
}

// least returns the smallest amount with the decimals of Amount.
func (p *probe) least() store.Amount {
	decimals := int32(p.Amount.Decimals())
	return store.MustAmount(decimal.New(1, -decimals).StringFixed(decimals))
}

// charge makes an approved charge for follow-ups.
func (p *probe) charge(kind store.Operation) (methods.Operation, methods.Answer) {
	op := p.operation(kind, p.Approve)
	return op, p.approved(op)
}

// accepted performs a follow-up that has to be approved or pending.
func (p *probe) accepted(op methods.Operation) {
	a := p.perform(op)
	if a.Result == methods.ResultPending {
		p.tb.Skipf("skipped from here: the acquirer decides %s later", op.Kind)
	}
	require.Equal(p.tb, methods.ResultApproved, a.Result, "%s: reason %q, cause %q", op.Kind, a.Reason, a.Cause)
	p.repeats(op, a)
	p.effects(op, 1)
}

func checkCapture(p *probe) {
	op, a := p.charge(store.OpAuth)
	p.accepted(p.on(op, a, store.OpCapture, p.Amount))
	p.accepted(p.on(op, a, store.OpRefund, p.Amount))
}

func checkReversal(p *probe) {
	op, a := p.charge(store.OpAuth)
	p.accepted(p.on(op, a, store.OpReversal, p.Amount))
	p.refused(p.on(op, a, store.OpCapture, p.Amount), "a reversed charge cannot be captured")
}

func checkCaptureAbove(p *probe) {
	op, a := p.charge(store.OpAuth)
	p.refused(p.on(op, a, store.OpCapture, p.Amount.Add(p.least())), "no more is captured than was authorized")
	p.accepted(p.on(op, a, store.OpCapture, p.Amount))
}

func checkCapturePart(p *probe) {
	op, a := p.charge(store.OpAuth)
	p.accepted(p.on(op, a, store.OpCapture, p.half()))
	p.refused(p.on(op, a, store.OpRefund, p.half().Add(p.least())), "no more is refunded than was captured")
	p.accepted(p.on(op, a, store.OpRefund, p.half()))
}

func checkVoid(p *probe) {
	op, a := p.charge(store.OpSale)
	p.accepted(p.on(op, a, store.OpVoid, p.Amount))
	p.refused(p.on(op, a, store.OpVoid, p.Amount), "a voided charge cannot be voided again")
	if p.has(store.OpRefund) {
		p.refused(p.on(op, a, store.OpRefund, p.Amount), "a voided charge cannot be refunded")
	}
}

func checkRefundParts(p *probe) {
	op, a := p.charge(store.OpSale)
	p.accepted(p.on(op, a, store.OpRefund, p.half()))
	p.accepted(p.on(op, a, store.OpRefund, p.half()))
	p.refused(p.on(op, a, store.OpRefund, p.least()), "nothing is left to refund")
}

func checkRefundAbove(p *probe) {
	op, a := p.charge(store.OpSale)
	p.refused(p.on(op, a, store.OpRefund, p.Amount.Add(p.least())), "no more is refunded than was captured")
	p.accepted(p.on(op, a, store.OpRefund, p.Amount))
}

func checkRefundRepeat(p *probe) {
	op, a := p.charge(store.OpSale)
	refund := p.on(op, a, store.OpRefund, p.half())
	p.accepted(refund)
	p.accepted(refund)
	p.accepted(p.on(op, a, store.OpRefund, p.half()))
}

func checkUnknownParent(p *probe) {
	never := p.operation(store.OpSale, p.Approve)
	op := p.on(never, methods.Answer{Reference: "no-such-reference"}, store.OpRefund, p.Amount)
	p.refused(op, "an unknown charge cannot be refunded")
}
