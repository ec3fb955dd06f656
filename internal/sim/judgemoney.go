package sim

import "slices"

// judgeMoney adds up the transactions of a payment (M1 to M6).
func (a *auditor) judgeMoney(p *paymentRecord, b *batch) {
	var refunded, reserved, captured, authorized money
	var unfinished []money // refunds
	running, voided, reversed := "", false, false
	for _, id := range p.IDs {
		t := a.transactions[id]
		if t == nil {
			a.w.fail("D2: payment %s: transaction %s is not stored", p.ID, id)
			return
		}
		won := t.Outcome == success
		a.check(t.Currency == p.Order.Currency, "M10: %s in %s", t.ID, t.Currency)
		switch t.Operation {
		case "REFUND":
			if won {
				refunded += t.Amount
			} else if !t.closed() {
				a.check(!slices.Contains(unfinished, t.Amount), "I4: payment %s: two refunds of %d are under way", p.ID, t.Amount)
				reserved, unfinished = reserved+t.Amount, append(unfinished, t.Amount)
			}
			continue
		case "SALE", "DEBIT", "CREDIT":
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
		refunded += captured // a debit is reversed
	}
	a.check(p.Running == running, "S4: payment %s: %q runs, %q is noted", p.ID, running, p.Running)
	a.check(authorized == p.Authorized && captured == p.Captured, "M6: payment %s: %d/%d authorized, %d/%d captured",
		p.ID, p.Authorized, authorized, p.Captured, captured)
	a.check(refunded == p.Refunded && reserved == p.Reserved, "M6: payment %s: %d/%d refunded, %d/%d reserved", p.ID,
		p.Refunded, refunded, p.Reserved, reserved)
	a.check(captured <= authorized && authorized <= p.Amount, "M1: payment %s: %d captured of %d of %d", p.ID, captured,
		authorized, p.Amount)
	a.check(refunded+reserved <= captured, "M2: payment %s: %d refunded, %d reserved of %d", p.ID, refunded, reserved,
		captured)
	a.check(!voided || refunded+reserved == 0, "M5: payment %s is voided and refunded", p.ID)
	a.check(!reversed || p.Kind == "debit" || captured == 0, "M3: payment %s is reversed and captured", p.ID)
	a.judgeStatus(p, refunded, captured, voided, reversed)
}

// judgeStatus checks that the status fits the amounts (M4, decision n).
func (a *auditor) judgeStatus(p *paymentRecord, refunded, captured money, voided, reversed bool) {
	kept := a.w.clients.keeps(p)
	switch p.Status {
	case "SETTLED":
		a.check(captured > 0 && !voided && !reversed && (refunded == 0 || kept && refunded < captured),
			"M4: payment %s is SETTLED with %d of %d refunded", p.ID, refunded, captured)
	case "REFUND":
		a.check(refunded > 0 && (!kept || refunded == captured), "M4: payment %s is REFUND with %d of %d refunded", p.ID,
			refunded, captured)
	case "VOID":
		a.check(voided, "M5: payment %s is VOID without one", p.ID)
	case "REVERSAL":
		a.check(reversed, "M3: payment %s is REVERSAL without one", p.ID)
	case "DECLINED", "PREPARE", "3DS", "REDIRECT":
		a.check(captured == 0 && p.Authorized == 0, "M1: payment %s is %s with money", p.ID, p.Status)
	}
}
