package sim

import (
	"slices"
	"time"
)

// claimed is a transaction that recovery asks about.
type claimed struct {
	by    int       // proc
	until time.Time // in world time: the latest end of its question
}

// judgeClaim checks that an instance that claims an open transaction has it alone until its call must have ended
// (D5): with equal clocks no other claims it before that, unless it was answered. The card is erased a day after
// the attempt began (C7).
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

// claims reports a commit that moves the due time of an open transaction and changes nothing else.
func claims(b *batch, c changed[transactionRecord]) bool {
	is, was := c.is, c.was
	if was != nil && (marked(is, was) || marked(was, is)) { // by a payer's return, and removed again
		return false
	}
	if was == nil || is.closed() || is.Due.Equal(was.Due.Time) || is.Outcome != was.Outcome || is.Asked != was.Asked ||
		is.Review != was.Review {
		return false
	}
	return !slices.ContainsFunc(b.payments, func(p changed[paymentRecord]) bool { // an answer dates its payment anew
		return p.is.ID == is.Payment && !p.is.UpdatedAt.Equal(p.was.UpdatedAt.Time)
	})
}

// marked reports a commit that marks a call of a payer's return or answer.
func marked(is, was *transactionRecord) bool {
	return is.Returning.other(was.Returning) || is.Answering.other(was.Answering)
}

// judgeMark checks that while such a call may be under way no other one of its kind is begun (D6).
func (a *auditor) judgeMark(inst *instance, c changed[transactionRecord]) {
	is, was := c.is, c.was
	if was == nil {
		return
	}
	now := inst.now()
	for _, m := range [][2]*markRecord{{is.Returning, was.Returning}, {is.Answering, was.Answering}} {
		if a.w.swarm.skew == 0 && m[0].other(m[1]) && m[1] != nil && now.Before(m[0].Until.Time) {
			a.check(!now.Before(m[1].Until.Time), "D6: transaction %s is marked while another call is under way until %s", is.ID,
				m[1].Until)
		}
	}
}

// callTime is how long a call for a transaction lasts at most: as its connector declares, or thirty seconds.
func (a *auditor) callTime(t *transactionRecord) time.Duration {
	if own := a.w.swarm.can[int(t.Connector[1]-'0')].Timeout; own > 0 {
		return own
	}
	return 30 * time.Second
}
