package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway"
)

// moneyCall is a capture, refund, void, reversal or dispute of a payment. The amount is the refused amount of a
// refund, or what was booked; everything, if that is unknown.
type moneyCall struct {
	operation string
	amount    money
	ending    ending
}

// everything is more than any payment of a world.
const everything money = 1 << 40

// moneyState is the money of a payment as far as its callers can know it. The outcome of some requests is unknown,
// so two of the sums have a lower and an upper bound.
type moneyState struct {
	captured, capturedAtMost money
	refunded, refundedAtMost money // with what is reserved
	closed                   bool  // voided, reversed or disputed: nothing is accepted any more
}

// after is the model: refunds are accepted up to what was captured, and refused for their amount only beyond that;
// a dispute is at most of what was captured.
func (s moneyState) after(c moneyCall) (moneyState, bool) {
	open := !s.closed
	switch {
	case c.ending == refused && c.operation == "CHARGEBACK": // too much, whatever was refunded
		return s, c.amount > s.captured
	case c.ending == refused: // too much
		return s, s.refundedAtMost+c.amount > s.captured
	case c.operation == "REFUND":
		return s.refund(c, open)
	case c.operation == "CAPTURE":
		return s.capture(c, open)
	case c.ending != succeeded:
		return s, true
	case c.operation == "VOID":
		open = open && s.refunded == 0
	case c.operation == "CHARGEBACK":
		open = open && s.refunded < s.capturedAtMost && c.amount <= s.capturedAtMost
	}
	s.closed = true
	return s, open
}

func (s moneyState) refund(c moneyCall, open bool) (moneyState, bool) {
	fits := open && s.refunded+c.amount <= s.capturedAtMost
	s.refundedAtMost = min(s.refundedAtMost+c.amount, everything)
	if c.ending == succeeded {
		s.refunded += c.amount
	}
	return s, fits || c.ending == unanswered
}

func (s moneyState) capture(c moneyCall, open bool) (moneyState, bool) {
	first := open && s.captured == 0
	s.capturedAtMost = max(s.capturedAtMost, c.amount)
	if c.ending == succeeded {
		s.captured = c.amount
	}
	return s, first || c.ending == unanswered
}

// moneyHistory is what callers did with the money of one payment.
type moneyHistory struct {
	history[moneyCall]
	start moneyState
}

// newMoneyHistory begins a history with a payment that so far has only its charge.
func newMoneyHistory(p *paymentRecord) *moneyHistory {
	h := &moneyHistory{}
	if !p.Hold {
		h.start.captured, h.start.capturedAtMost = p.Amount, p.Amount
	}
	return h
}

// ask adds a request; an empty amount means all that is left.
func (h *moneyHistory) ask(act action, amount string) *call[moneyCall] {
	asked := everything
	if amount != "" {
		asked = moneyOf(amount)
	}
	operation := map[action]string{actCapture: "CAPTURE", actRefund: "REFUND", actVoid: "VOID",
		actDispute: "CHARGEBACK"}[act]
	return h.invoke(moneyCall{operation: operation, amount: asked})
}

// answered adds the result of a request.
func (h *moneyHistory) answered(c *call[moneyCall], r *gateway.Result, err error) {
	op := c.op
	switch {
	case (errors.Is(err, gateway.ErrRefundAmount) || errors.Is(err, gateway.ErrDisputeAmount)) && op.amount < everything:
		op.ending = refused
	case noEffect(err):
		h.drop(c)
		return
	case err != nil:
		return
	default:
		op.operation, op.amount = string(r.Transaction.Operation), moneyOf(r.Transaction.Amount.String())
		op.ending = map[string]ending{success: succeeded, failed: lapsed}[string(r.Transaction.Outcome)]
		if op.ending == unanswered {
			op.ending = accepted
		}
	}
	h.respond(c, op)
}

// explained reports whether the results can have happened one after another.
func (h *moneyHistory) explained() bool {
	return h.full || linearizable(h.start, h.calls, moneyState.after)
}

// String returns the history, call by call.
func (h *moneyHistory) String() string {
	lines := []string{fmt.Sprintf("%d captured", h.start.captured)}
	for _, c := range h.calls {
		lines = append(lines, fmt.Sprintf("%s %d %s [%d,%d]", c.op.operation, c.op.amount, c.op.ending, c.began, c.done))
	}
	return strings.Join(lines, "; ")
}

// follow adds a request about the money of a payment to its history. It returns a function that adds the answer and
// judges it. A retry is not added, because it comes before there is money.
func (c *clients) follow(p *paymentRecord, act action, amount string) (answered func(*gateway.Result, error)) {
	if act == actRetry {
		return func(*gateway.Result, error) {}
	}
	h := c.money[p.ID]
	if h == nil {
		h = newMoneyHistory(p)
		c.money[p.ID] = h
	}
	if act == actVoid {
		amount = ""
	}
	call := h.ask(act, amount)
	return func(r *gateway.Result, err error) {
		h.answered(call, r, err)
		if !h.explained() {
			c.w.fail("S7: what was asked of payment %s cannot have come one after another: %s", p.ID, h)
		}
	}
}
