package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway"
)

// A request may be refused for the status of its payment only if the status does not allow it (lifecycle.md);
// without this check a gateway that refuses everything would break no rule.

// asked is a follow-up under way: the payment as it was at the request.
type asked struct {
	c      *clients
	act    action
	amount string // empty for all that is left
	inst   *instance
	was    paymentRecord
	began  time.Time // on the clock of the instance
}

func (c *clients) asks(act action, id, amount string, inst *instance) asked {
	return asked{c, act, amount, inst, *c.w.auditor.payments[id], inst.now()}
}

// refusals are the errors about the status.
var refusals = []error{gateway.ErrCaptureStatus, gateway.ErrVoid, gateway.ErrRefund, gateway.ErrChargeback,
	gateway.ErrRetry, gateway.ErrBusy, gateway.ErrNoPayment}

// judge checks a refusal by the payment's status, if the payment did not change meanwhile.
func (q asked) judge(err error) {
	is := q.c.w.auditor.payments[q.was.ID]
	if err == nil || is.Version != q.was.Version {
		return
	}
	if errors.Is(err, gateway.ErrDuplicate) && !q.repeats() {
		q.c.w.fail("I4: %s of %q of payment %s is refused as a duplicate of nothing", q.act, q.amount, is.ID)
	}
	if !q.allowed() {
		return
	}
	for _, refusal := range refusals {
		if errors.Is(err, refusal) {
			q.c.w.fail("S1: %s of payment %s, which is %s, is refused: %v", q.act, is.ID, is.Status, err)
			return
		}
	}
}

// repeats reports whether a refund of the same amount is under way. A refund of all that is left repeats one that left
// nothing.
func (q asked) repeats() bool {
	p := &q.was
	left := p.Captured - p.Refunded - p.Reserved
	return q.act == actRefund && slices.ContainsFunc(p.IDs, func(id string) bool {
		t := q.c.w.auditor.transactions[id]
		same := q.amount == "" && (left == 0 || t.Amount == left) || q.amount != "" && t.Amount == moneyOf(q.amount)
		return t.Operation == "REFUND" && !t.closed() && same
	})
}

// allowed is the table of lifecycle.md with the other checks.
func (q asked) allowed() bool {
	p := &q.was
	if p.Running != "" || len(p.IDs) >= 500 {
		return false
	}
	left := p.Captured - p.Refunded - p.Reserved
	switch q.act {
	case actCapture:
		return mayBegin(p.Kind, p.Status, "CAPTURE")
	case actRefund:
		return mayBegin(p.Kind, p.Status, "REVERSAL") || mayBegin(p.Kind, p.Status, "REFUND") && left > 0
	case actVoid:
		days := q.c.days
		return p.untouched() && days.same(p.CapturedAt.Time, q.began) && days.same(p.CapturedAt.Time, q.inst.now())
	case actDispute:
		return mayBegin(p.Kind, p.Status, "CHARGEBACK") && left > 0
	case actRetry:
		last := q.c.w.auditor.transactions[p.IDs[len(p.IDs)-1]]
		return p.Status == "DECLINED" && p.InitID != "" && !p.begins() && last.Soft
	}
	return false
}

// judgeTaken checks that a void's day counts from the booking of the money (M5), except for the time of a slow
// commit.
func (a *auditor) judgeTaken(inst *instance, c changed[paymentRecord]) {
	a.judgeDisputed(c.is)
	if c.was == nil || c.was.Captured == c.is.Captured {
		return
	}
	off := inst.now().Sub(c.is.CapturedAt.Time)
	a.check(off >= 0 && off < 45*time.Minute, "M5: payment %s is taken now, dated %s off", c.is.ID, off)
}

// judgeDisputed checks that disputes do not exceed captures (M6).
func (a *auditor) judgeDisputed(p *paymentRecord) {
	disputed := a.disputed(p)
	a.check(disputed <= p.Captured, "M6: payment %s: %d disputed of %d", p.ID, disputed, p.Captured)
}

func (a *auditor) disputed(p *paymentRecord) (disputed money) {
	for _, id := range p.IDs {
		if t := a.transactions[id]; t != nil && t.Operation == "CHARGEBACK" && t.Outcome == success {
			disputed += t.Amount
		}
	}
	return disputed
}
