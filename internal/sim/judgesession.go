package sim

import "time"

func (a *auditor) judgeSession(c changed[sessionRecord], b *batch) {
	is, was := c.is, c.was
	if was == nil {
		return
	}
	a.check(is.Version == was.Version+1, "S3: session %s: version %d after %d", is.ID, is.Version, was.Version)
	a.check(was.Attempts == 0 || is.Order == was.Order, "S7: session %s was updated after a payment", is.ID)
	a.check(is.State == was.State || was.State == "open", "S8: session %s went from %s to %s", is.ID, was.State, is.State)
	a.check(is.Attempts <= was.Attempts || !was.Running && was.State == "open",
		"S8: session %s begins an attempt while it is %s, running %v", is.ID, was.State, was.Running)
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

// judgeRequests checks that of equal requests within the window one is accepted (I1), that nothing starts after
// expiry (S8), and that a hosted session is charged its amount (S7).
func (a *auditor) judgeRequests(inst *instance, b *batch) {
	for _, c := range b.payments {
		p := c.is
		if c.was != nil {
			continue
		}
		a.judgeCard(p)
		if p.Occurrence == 0 && p.Cascade == "" { // not made by a worker or a later attempt
			b.proc.payments++
			a.check(b.proc.payments == 1, "D4: one request stores %s after another payment", p.ID)
		}
		lag := a.w.now().Sub(p.CreatedAt.Time)
		a.check(lag.Abs() <= a.w.swarm.skew+45*time.Minute, "T1: payment %s is dated %s off", p.ID, lag)
		if p.Occurrence > 0 {
			a.judgeOccurrence(p)
			continue
		}
		if s := a.sessions[p.Session]; p.Session != "" && s != nil && !s.Bare {
			inTime := p.CreatedAt.Before(s.ExpiresAt.Time) || p.Cascade != "" // a later attempt continues one that began in time
			a.check(inTime, "S8: payment %s starts after the session", p.ID)
			a.check(p.Order == s.Order, "S7: payment %s is of %s, its session of %s", p.ID, p.Order.Amount, s.Order.Amount)
		} else if p.Cascade == "" {
			a.check(p.Protocol == "checkout" || a.charged(p) == 0, "I1: S2S order %s of %s is charged again", p.Order.Number,
				p.Merchant)
			a.accept(p.Merchant, p.Order.Number, p.CreatedAt.Time)
		}
	}
	for _, c := range b.sessions {
		if c.was == nil && !c.is.Bare {
			a.accept(c.is.Merchant, c.is.Order.Number, c.is.CreatedAt.Time)
		}
	}
}

// charged counts the earlier payments of an order (decision u: on S2S a number is used once).
func (a *auditor) charged(p *paymentRecord) (n int) {
	for _, id := range a.order {
		if other := a.payments[id]; other.Merchant == p.Merchant && other.Order.Number == p.Order.Number &&
			other.Occurrence == 0 {
			n++
		}
	}
	return n
}
