package sim

import "time"

// claimed is what recovery has taken to ask about.
type claimed struct {
	by    int       // proc
	until time.Time // of the world: its question may last as long
}

// judgeClaim: who takes an open transaction has it alone until the call that follows must have ended
// (D5). Where all clocks agree, nobody else takes it before that, unless it was answered. Of a card nothing is left
// then, a day after the attempt began (C7).
func (a *auditor) judgeClaim(b *batch, c changed[transactionRecord]) {
	if !claims(b, c) {
		delete(a.claims, c.is.ID)
		return
	}
	is, was, now := c.is, c.was, b.proc.inst.now()
	a.check(now.Before(is.CreatedAt.Add(24*time.Hour)) || is.OnFile || len(is.Held)+len(is.SealedCard) == 0,
		"C7: transaction %s keeps a card for longer than a day", is.ID)
	call := a.callTime(is)
	a.check(!was.Due.After(now), "D5: transaction %s is taken at %s, which is another's until %s", is.ID, now, was.Due)
	a.check(is.Due.Sub(now) >= call, "D5: transaction %s is taken for %s, a call lasts %s", is.ID, is.Due.Sub(now), call)
	last, ok := a.claims[is.ID]
	a.check(!ok || a.w.swarm.skew > 0 || !a.w.now().Before(last.until),
		"D5: transaction %s is taken by proc %d, proc %d asks about it until %s", is.ID, b.proc.id, last.by, last.until)
	a.claims[is.ID] = claimed{b.proc.id, a.w.now().Add(call)}
}

// claims reports a commit that moves the due time of an open transaction and tells nothing new of it.
func claims(b *batch, c changed[transactionRecord]) bool {
	is, was := c.is, c.was
	if was != nil && (marked(is, was) || marked(was, is)) { // by a payer who came back, and given back
		return false
	}
	if was == nil || is.closed() || is.Due.Equal(was.Due) || is.Outcome != was.Outcome || is.Asked != was.Asked ||
		is.Review != was.Review {
		return false
	}
	for _, p := range b.payments {
		if p.is.ID == is.Payment {
			return false
		}
	}
	return true
}

// marked reports a commit that marks a call about what a payer brought.
func marked(is, was *transactionRecord) bool {
	return is.Returning.other(was.Returning) || is.Answering.other(was.Answering)
}

// judgeMark: while a call about what a payer brought may be under way no other one of the kind is begun (D6).
func (a *auditor) judgeMark(inst *instance, c changed[transactionRecord]) {
	is, was := c.is, c.was
	if was == nil {
		return
	}
	now := inst.now()
	for _, m := range [][2]*markRecord{{is.Returning, was.Returning}, {is.Answering, was.Answering}} {
		if a.w.swarm.skew == 0 && m[0].other(m[1]) && m[1] != nil && now.Before(m[0].Until) {
			a.check(!now.Before(m[1].Until), "D6: transaction %s is marked while another call is under way until %s", is.ID,
				m[1].Until)
		}
	}
}

// callTime is how long a call for a transaction lasts at most: what its connector declares, or thirty
// seconds.
func (a *auditor) callTime(t *transactionRecord) time.Duration {
	if own := a.w.swarm.can[int(t.Connector[1]-'0')].Timeout; own > 0 {
		return own
	}
	return 30 * time.Second
}
