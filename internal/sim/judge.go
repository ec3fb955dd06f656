package sim

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"time"
)

// What must hold of every single commit (reliability.md, M1 to M6, S1 to S8, C1, C4, I1).

func (a *auditor) judge(inst *instance, b *batch) {
	for _, c := range b.transactions {
		a.judgeTransaction(c)
	}
	for _, c := range b.payments {
		a.judgePayment(c, b)
		a.judgeMoney(c.is, b)
		a.judgeTaken(inst, c)
	}
	for _, c := range b.callbacks {
		a.judgeCallback(inst, c)
	}
	for _, c := range b.sessions {
		a.judgeSession(c, b)
	}
	for _, c := range b.transactions {
		if c.was != nil || c.is.Operation == "CHARGEBACK" {
			continue
		}
		a.judgeBegin(c.is, b)
	}
	a.judgeRequests(inst, b)
}

func (a *auditor) judgeTransaction(c changed[transactionRecord]) {
	is, was := c.is, c.was
	if was == nil {
		a.check(is.Version <= 1, "S3: a new transaction %s of version %d", is.ID, is.Version)
		return
	}
	a.check(is.Version == was.Version+1, "S3: transaction %s: version %d after %d", is.ID, is.Version, was.Version)
	a.check(!was.closed() || is.Outcome == was.Outcome, "S6: transaction %s moved from %s to %s", is.ID, was.Outcome, is.Outcome)
	a.check(is.Amount == was.Amount && is.Currency == was.Currency && is.Operation == was.Operation && is.Parent == was.Parent,
		"M10: transaction %s is another one", is.ID)
	a.check(is.Outcome != sent || was.Outcome == sent, "S6: transaction %s lost its outcome %s", is.ID, was.Outcome)
	a.check(!is.closed() || len(is.Held)+len(is.SealedCard) == 0, "transaction %s is closed and keeps a card", is.ID)
	a.check(is.closed() == is.Due.IsZero(), "L1: transaction %s: outcome %q, due %s", is.ID, is.Outcome, is.Due)
	if is.closed() && !was.closed() && is.Operation != "CHARGEBACK" {
		a.w.acquirer.judgeOutcome(is)
	}
}

func (a *auditor) judgePayment(c changed[paymentRecord], b *batch) {
	is, was := c.is, c.was
	if was == nil {
		a.check(is.Version == 1 && is.Status == "PREPARE" && len(is.IDs) == 1, "S1: payment %s begins as %s", is.ID, is.Status)
		a.check(moneyOf(is.Order.Amount) == is.Amount, "M13: payment %s of %d, signed %s", is.ID, is.Amount, is.Order.Amount)
		return
	}
	a.check(is.Version == was.Version+1, "S3: payment %s: version %d after %d", is.ID, is.Version, was.Version)
	a.check(is.Order == was.Order && is.Amount == was.Amount, "M13: the order of payment %s changed", is.ID)
	a.check(is.Merchant == was.Merchant && is.Kind == was.Kind && is.MID == was.MID && (is.Session == was.Session || was.Session == ""), "payment %s is another one", is.ID)
	a.check(len(is.IDs) >= len(was.IDs) && slices.Equal(is.IDs[:len(was.IDs)], was.IDs), "payment %s lost a transaction", is.ID)
	a.check(is.Captured >= was.Captured && is.Refunded >= was.Refunded && is.Authorized >= was.Authorized, "M6: money of payment %s went backwards", is.ID)
	a.check(was.Captured == 0 || is.Captured == was.Captured, "M1: payment %s captured twice", is.ID)
	if is.Status != was.Status {
		a.check(!ended(was.Status), "S2: payment %s left %s", is.ID, was.Status)
		moved := slices.ContainsFunc(b.transactions, func(t changed[transactionRecord]) bool {
			return t.is.Payment == is.ID && (t.was == nil || t.is.Outcome != t.was.Outcome || t.is.Outcome == waiting) &&
				mayMove(is.Kind, t.is.Operation, t.is.Outcome, was.Status, is.Status)
		})
		a.check(moved, "S1: payment %s: no row leads from %s to %s", is.ID, was.Status, is.Status)
	}
	a.judgeTold(c, b)
}

// judgeTold: what happened is told, once, in the commit in which it happened (C1).
func (a *auditor) judgeTold(c changed[paymentRecord], b *batch) {
	queued := 0
	for _, cb := range b.callbacks {
		if cb.was == nil && cb.is.Payment == c.is.ID {
			queued++
		}
	}
	a.check(c.is.Callbacks == c.was.Callbacks+queued, "C1: payment %s counts %d callbacks, %d queued", c.is.ID, c.is.Callbacks, queued)
	for _, t := range b.transactions {
		if t.is.Payment != c.is.ID || c.is.Notify == "" {
			continue
		}
		now := t.is.closed() && (t.was == nil || !t.was.closed())
		cascaded := c.is.Next != "" && c.was.Next == ""
		a.check(!now || queued > 0 || cascaded, "C1: %s of %s is told to nobody", t.is.Outcome, t.is.ID)
		a.check(!now || queued <= 1, "C1: %s of %s is told twice", t.is.Outcome, t.is.ID)
	}
}

// judgeMoney adds up what the transactions of a payment say (M1 to M6).
func (a *auditor) judgeMoney(p *paymentRecord, b *batch) {
	var refunded, reserved, captured, authorized money
	running, voided, reversed := "", false, false
	for _, id := range p.IDs {
		t := a.transactions[id]
		if t == nil {
			a.w.fail("payment %s: transaction %s is not stored", p.ID, id)
			return
		}
		won := t.Outcome == success
		a.check(t.Currency == p.Order.Currency, "M10: %s in %s", t.ID, t.Currency)
		switch t.Operation {
		case "REFUND":
			if won {
				refunded += t.Amount
			} else if !t.closed() {
				reserved += t.Amount
			}
			continue
		case "SALE", "DEBIT":
			if won {
				authorized, captured = authorized+t.Amount, captured+t.Amount
			}
		case "AUTH":
			if won {
				authorized += t.Amount
			}
		case "CAPTURE":
			if won {
				captured += t.Amount
			}
		case "VOID":
			voided = voided || won
		case "REVERSAL":
			a.check(t.Amount == authorized, "M3: %s reverses %d of %d", t.ID, t.Amount, authorized)
			reversed = reversed || won
		}
		if !t.closed() {
			a.check(running == "", "S4: %s and %s run at once", running, t.ID)
			running = t.ID
		}
	}
	if reversed {
		refunded += captured // a debit that goes back
	}
	a.check(p.Running == running, "S4: payment %s: %q runs, %q is noted", p.ID, running, p.Running)
	a.check(authorized == p.Authorized && captured == p.Captured, "M6: payment %s: %d/%d authorized, %d/%d captured", p.ID, p.Authorized, authorized, p.Captured, captured)
	a.check(refunded == p.Refunded && reserved == p.Reserved, "M6: payment %s: %d/%d refunded, %d/%d reserved", p.ID, p.Refunded, refunded, p.Reserved, reserved)
	a.check(captured <= authorized && authorized <= p.Amount, "M1: payment %s: %d captured of %d of %d", p.ID, captured, authorized, p.Amount)
	a.check(refunded+reserved <= captured, "M2: payment %s: %d refunded, %d reserved of %d", p.ID, refunded, reserved, captured)
	a.check(!voided || refunded+reserved == 0, "M5: payment %s is voided and refunded", p.ID)
	a.check(!reversed || p.Kind == "debit" || captured == 0, "M3: payment %s is reversed and captured", p.ID)
	a.judgeStatus(p, refunded, captured, voided, reversed)
}

// judgeStatus: the status is what the money says (M4, decision n).
func (a *auditor) judgeStatus(p *paymentRecord, refunded, captured money, voided, reversed bool) {
	kept := a.w.clients.keeps(p)
	switch p.Status {
	case "SETTLED":
		a.check(captured > 0 && !voided && !reversed && (refunded == 0 || kept && refunded < captured), "M4: payment %s is SETTLED with %d of %d refunded", p.ID, refunded, captured)
	case "REFUND":
		a.check(refunded > 0 && (!kept || refunded == captured), "M4: payment %s is REFUND with %d of %d refunded", p.ID, refunded, captured)
	case "VOID":
		a.check(voided, "M5: payment %s is VOID without one", p.ID)
	case "REVERSAL":
		a.check(reversed, "M3: payment %s is REVERSAL without one", p.ID)
	case "DECLINED", "PREPARE", "3DS", "REDIRECT":
		a.check(captured == 0 && p.Authorized == 0, "M1: payment %s is %s with money", p.ID, p.Status)
	}
}

// judgeBegin: an operation begins only where the table allows it, on what holds the money.
func (a *auditor) judgeBegin(t *transactionRecord, b *batch) {
	p := a.payments[t.Payment]
	if p == nil {
		a.w.fail("transaction %s of no payment", t.ID)
		return
	}
	for _, c := range b.payments {
		if c.is.ID != p.ID || c.was == nil {
			continue
		}
		a.check(mayBegin(p.Kind, c.was.Status, t.Operation), "S1: %s begins on a payment that is %s", t.Operation, c.was.Status)
		a.check(c.was.Running == "", "S4: %s begins while %s runs", t.ID, c.was.Running)
	}
	if t.Operation == "SALE" || t.Operation == "AUTH" || t.Operation == "DEBIT" {
		a.judgeRetry(t, p)
	}
	a.check(t.Amount > 0, "M11: %s of nothing", t.ID)
	switch t.Operation {
	case "VOID":
		a.check(a.w.clients.days.same(p.CapturedAt, t.CreatedAt), "M5: %s voids on another day: %s, %s", t.ID, p.CapturedAt, t.CreatedAt)
		a.check(t.Amount == p.Captured, "M5: %s voids %d of %d", t.ID, t.Amount, p.Captured)
	case "REFUND", "REVERSAL", "CAPTURE":
		parent := a.transactions[t.Parent]
		a.check(parent != nil && parent.Payment == p.ID && parent.Outcome == success, "%s acts on nothing", t.ID)
	}
}

// judgeRetry: a charge that is not the first is a RETRY, of a later payment of a chain whose newest try
// was declined softly.
func (a *auditor) judgeRetry(t *transactionRecord, p *paymentRecord) {
	if p.IDs[0] == t.ID {
		return
	}
	var last *transactionRecord
	for _, id := range p.IDs[:len(p.IDs)-1] {
		last = a.transactions[id]
	}
	later := p.InitID != "" && p.InitID != p.ID
	a.check(later && last.Outcome == failed, "S2: %s tries payment %s again, which is none of a chain", t.ID, p.ID)
	a.check(last.Soft, "S2: retry: %s tries payment %s again, which was declined for good", t.ID, p.ID)
}

func (a *auditor) judgeCallback(inst *instance, c changed[callbackRecord]) {
	is, was := c.is, c.was
	if was != nil {
		a.check(bytes.Equal(is.Body, was.Body) && is.URL == was.URL && is.RequireOK == was.RequireOK, "C4: the bytes of callback %s changed", is.ID)
		a.check(is.Number == was.Number && is.Transaction == was.Transaction && is.Payment == was.Payment, "C4: callback %s is another one", is.ID)
		a.check(is.State != "dead" || is.Tries >= a.w.clients.tries(), "C3: callback %s is dead after %d tries", is.ID, is.Tries)
		a.check(is.Tries <= was.Tries || was.State == "due" && !was.Due.After(inst.now()), "D5: callback %s is taken, which is %s and another's until %s", is.ID, was.State, was.Due)
		return
	}
	p, t := a.payments[is.Payment], a.transactions[is.Transaction]
	if p == nil || t == nil {
		a.w.fail("C1: callback %s about nothing", is.ID)
		return
	}
	a.check(is.Number == p.Callbacks, "C1: callback %s has number %d of %d", is.ID, is.Number, p.Callbacks)
	kinds, word := told(t.Operation, t.Outcome, p.Status)
	a.check(slices.Contains(kinds, is.Type) && is.Outcome == word, "C1: callback %s says %s %s of %s %s", is.ID, is.Type, is.Outcome, t.Operation, t.Outcome)
	if is.Body == nil {
		return // sealed; the merchant reads it
	}
	form, err := url.ParseQuery(string(is.Body))
	a.check(err == nil, "C1: callback %s is no form", is.ID)
	status := form.Get("status")
	if p.Protocol == "checkout" {
		status = strings.Replace(strings.ToUpper(form.Get("order_status")), "DECLINE", "DECLINED", 1)
	}
	a.check(status == p.Status, "C1: callback %s says %s of a payment that is %s", is.ID, status, p.Status)
}

func (a *auditor) judgeSession(c changed[sessionRecord], b *batch) {
	is, was := c.is, c.was
	if was == nil {
		return
	}
	a.check(is.Version == was.Version+1, "S3: session %s: version %d after %d", is.ID, is.Version, was.Version)
	a.check(was.Attempts == 0 || is.Order == was.Order, "S7: session %s was updated after a payment", is.ID)
	a.check(is.State == was.State || was.State == "open", "S8: session %s went from %s to %s", is.ID, was.State, is.State)
	a.check(is.Attempts <= was.Attempts || !was.Running && was.State == "open", "S8: session %s begins an attempt while it is %s, running %v", is.ID, was.State, was.Running)
	paid, declined := 0, 0
	for _, id := range a.order {
		p := a.payments[id]
		if p.Session != is.ID || p.Next != "" {
			continue
		}
		switch a.transactions[p.chargeID()].Outcome {
		case success:
			paid++
		case failed:
			declined++
		}
	}
	a.check(paid <= 1, "S8: session %s is paid %d times", is.ID, paid)
	a.check((is.State == "paid") == (paid == 1), "S8: session %s is %s and paid %d times", is.ID, is.State, paid)
	a.check(is.Declines == declined, "S8: session %s counts %d declines of %d", is.ID, is.Declines, declined)
	a.check(is.Attempts <= 3 || is.Bare, "S8: session %s has %d attempts", is.ID, is.Attempts)
}

// judgeRequests: of equal requests within the window one is accepted (I1); nothing starts after expiry
// (S8), and a hosted session is charged for what it says (S7).
func (a *auditor) judgeRequests(inst *instance, b *batch) {
	for _, c := range b.payments {
		p := c.is
		if c.was != nil {
			continue
		}
		a.judgeCard(p)
		if p.Occurrence == 0 && p.Cascade == "" { // which a worker and an attempt that goes on make
			b.proc.payments++
			a.check(b.proc.payments == 1, "D4: one request stores %s after another payment", p.ID)
		}
		lag := a.w.now().Sub(p.CreatedAt)
		a.check(lag.Abs() <= a.w.swarm.skew+45*time.Minute, "T1: payment %s is dated %s off", p.ID, lag)
		if p.Occurrence > 0 {
			a.judgeOccurrence(p)
			continue
		}
		if s := a.sessions[p.Session]; p.Session != "" && s != nil && !s.Bare {
			inTime := p.CreatedAt.Before(s.ExpiresAt) || p.Cascade != "" // which goes on with an attempt begun in time
			a.check(inTime, "S8: payment %s starts after the session", p.ID)
			a.check(p.Order == s.Order, "S7: payment %s is of %s, its session of %s", p.ID, p.Order.Amount, s.Order.Amount)
		} else if p.Cascade == "" {
			a.check(p.Protocol == "checkout" || a.charged(p) == 0, "I1: S2S order %s of %s is charged again", p.Order.Number, p.Merchant)
			a.accept(p.Merchant, p.Order.Number, p.CreatedAt)
		}
	}
	for _, c := range b.sessions {
		if c.was == nil && !c.is.Bare {
			a.accept(c.is.Merchant, c.is.Order.Number, c.is.CreatedAt)
		}
	}
}

// charged counts the payments that an order had before this one (decision u: on S2S a number is good
// for one payment).
func (a *auditor) charged(p *paymentRecord) (n int) {
	for _, id := range a.order {
		if other := a.payments[id]; other.Merchant == p.Merchant && other.Order.Number == p.Order.Number && other.Occurrence == 0 {
			n++
		}
	}
	return n
}

func (a *auditor) check(ok bool, format string, args ...any) {
	if !ok {
		a.w.fail(format, args...)
	}
}
