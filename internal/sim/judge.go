package sim

import "slices"

// What must hold for every commit (reliability.md, M1 to M6, S1 to S8, C1, C4, I1).

func (a *auditor) judge(inst *instance, b *batch) {
	for _, c := range b.transactions {
		a.judgeTransaction(c)
		a.judgeClaim(b, c)
		a.judgeMark(inst, c)
		a.judgeDoubt(inst, c)
		a.w.acquirer.returnsOf(a.w.acquirer.keys[c.is.ID]).hear(b.proc.id, a.w.steps, c.was, c.is)
	}
	for _, c := range b.payments {
		a.judgePayment(c, b)
		a.judgeMoney(c.is, b)
		a.judgeChain(c.was, c.is)
		a.judgeTaken(inst, c)
	}
	for _, c := range b.callbacks {
		a.judgeCallback(b, c)
	}
	for _, c := range b.sessions {
		a.judgeSession(c, b)
	}
	for _, c := range b.transactions {
		if c.was != nil || c.is.Operation == "CHARGEBACK" {
			continue
		}
		a.judgeBegin(c.is, b)
		if slices.Contains([]string{"SALE", "AUTH", "DEBIT"}, c.is.Operation) {
			a.judgeLater(a.payments[c.is.Payment])
		}
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
	a.check(!was.closed() || is.Outcome == was.Outcome, "S6: transaction %s moved from %s to %s", is.ID, was.Outcome,
		is.Outcome)
	a.check(is.Amount == was.Amount && is.Operation == was.Operation &&
		is.Parent == was.Parent,
		"M10: transaction %s is another one", is.ID)
	a.check(is.Outcome != sent || was.Outcome == sent, "S6: transaction %s lost its outcome %s", is.ID, was.Outcome)
	a.check(!is.closed() || len(is.Held)+len(is.SealedCard) == 0, "C6: transaction %s is closed and keeps a card", is.ID)
	a.check(is.closed() == is.Due.IsZero(), "L1: transaction %s: outcome %q, due %s", is.ID, is.Outcome, is.Due)
	if is.closed() && !was.closed() && is.Operation != "CHARGEBACK" {
		a.w.acquirer.judgeOutcome(is)
	}
}

func (a *auditor) judgePayment(c changed[paymentRecord], b *batch) {
	is, was := c.is, c.was
	if was == nil {
		a.check(is.Version == 1 && is.Status == "PREPARE" && len(is.IDs) == 1, "S1: payment %s begins as %s", is.ID,
			is.Status)
		a.check(moneyOf(is.Order.Amount) == is.Amount, "M13: payment %s of %d, signed %s", is.ID, is.Amount, is.Order.Amount)
		return
	}
	a.check(is.Version == was.Version+b.writes(is.ID), "S3: payment %s: version %d after %d", is.ID, is.Version,
		was.Version)
	a.check(is.Order == was.Order && is.Amount == was.Amount, "M13: the order of payment %s changed", is.ID)
	a.check(is.Merchant == was.Merchant && is.Kind == was.Kind && is.MID == was.MID &&
		(is.Session == was.Session || was.Session == ""), "M10: payment %s is another one", is.ID)
	a.check(len(is.IDs) >= len(was.IDs) && slices.Equal(is.IDs[:len(was.IDs)], was.IDs),
		"D2: payment %s lost a transaction", is.ID)
	a.check(is.Captured >= was.Captured && is.Refunded >= was.Refunded && is.Authorized >= was.Authorized,
		"M6: money of payment %s went backwards", is.ID)
	a.check(was.Captured == 0 || is.Captured == was.Captured, "M1: payment %s captured twice", is.ID)
	if is.Status != was.Status {
		a.check(!ended(was.Status), "S2: payment %s left %s", is.ID, was.Status)
		moved := slices.ContainsFunc(b.transactions, func(t changed[transactionRecord]) bool {
			return t.is.Payment == is.ID && (t.was == nil || t.is.Outcome != t.was.Outcome || t.is.Outcome == waiting) &&
				mayMove(is.Protocol, is.Kind, t.is.Operation, t.is.Outcome, was.Status, is.Status)
		})
		a.check(moved, "S1: payment %s: no row leads from %s to %s", is.ID, was.Status, is.Status)
	}
	a.judgeTold(c, b)
}

// writes is how often a commit wrote a payment: once, or for each transaction that recovery claims in it.
func (b *batch) writes(id string) (n int) {
	for _, t := range b.transactions {
		if t.is.Payment == id {
			n++
		}
	}
	return max(1, n)
}

// judgeBegin checks that an operation begins only if the table allows it, on the transaction with the money.
func (a *auditor) judgeBegin(t *transactionRecord, b *batch) {
	p := a.payments[t.Payment]
	if p == nil {
		a.w.fail("D2: transaction %s of no payment", t.ID)
		return
	}
	for _, c := range b.payments {
		if c.is.ID != p.ID || c.was == nil {
			continue
		}
		a.check(mayBegin(p.Kind, c.was.Status, t.Operation), "S1: %s begins on a payment that is %s", t.Operation,
			c.was.Status)
		a.check(c.was.Running == "", "S4: %s begins while %s runs", t.ID, c.was.Running)
	}
	if t.Operation == "SALE" || t.Operation == "AUTH" || t.Operation == "DEBIT" {
		a.judgeRetry(t, p)
	}
	a.check(t.Amount > 0, "M11: %s of nothing", t.ID)
	switch t.Operation {
	case "VOID":
		a.check(a.w.clients.days.same(p.CapturedAt.Time, t.CreatedAt.Time), "M5: %s voids on another day: %s, %s", t.ID,
			p.CapturedAt, t.CreatedAt)
		a.check(t.Amount == p.Captured, "M5: %s voids %d of %d", t.ID, t.Amount, p.Captured)
	case "REFUND", "REVERSAL", "CAPTURE":
		parent := a.transactions[t.Parent]
		a.check(parent != nil && parent.Payment == p.ID && parent.Outcome == success, "S1: %s acts on nothing", t.ID)
	}
}

// judgeRetry checks that a charge that is not the first is a RETRY of a later payment of a chain, after a soft
// decline.
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

func (a *auditor) check(ok bool, format string, args ...any) {
	if !ok {
		a.w.fail(format, args...)
	}
}
