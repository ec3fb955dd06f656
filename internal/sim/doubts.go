package sim

import (
	"time"
)

// The auditor's reading of the table of reliability.md, 4.4: what recovery has to do with a transaction without an
// outcome, by the acquirer's capabilities, and by when (L1).

// backOff is the longest wait before the next question, by the number of questions so far.
func backOff(asked int) time.Duration {
	steps := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}
	if asked < len(steps) {
		return steps[asked]
	}
	return 24 * time.Hour
}

// longestClaim is how long a question may block other instances: the longest deadline and its grace.
const longestClaim = 80 * time.Second

// comesAgain is how long a soft decline is left to a payer whose return was interrupted.
const comesAgain = 10 * time.Minute

// longestPause is how long an instance may be paused between a question and its commit, which delays what follows.
const longestPause = 45 * time.Minute

// overtaken is how long after the faults an old answer may still arrive and replace newer knowledge for a while.
const overtaken = 4 * time.Hour

func (w *World) canOf(t *transactionRecord) *capability {
	return &w.swarm.can[int(t.Connector[1]-'0')]
}

// resendable reports whether a request's acquirer accepts it again: by key, and without a security code if it had
// one, because the code is not stored. A request whose card is erased after a day is never resent.
func (w *World) resendable(t *transactionRecord) bool {
	can := w.canOf(t)
	return can.IdempotentByKey && t.ErasedAt.IsZero() &&
		(can.ResendWithoutCode || t.Parent != "" || t.Operation == "CREDIT")
}

// unresolvable reports the rows of the table that only a person can decide, if the acquirer has not seen the
// request.
func (w *World) unresolvable(t *transactionRecord) bool {
	can := w.canOf(t)
	return !w.resendable(t) && (!can.find || can.Lateness == 0)
}

// judgeDoubt checks the commit of an open transaction by the table: a review is requested only if the acquirer
// leaves no other way, and the next question comes no later than the back-off allows.
func (a *auditor) judgeDoubt(inst *instance, c changed[transactionRecord]) {
	is, was := c.is, c.was
	if was == nil || is.Due.After(was.Due.Time) { // by a question, or by a late answer
		a.w.acquirer.told[is.ID] = a.w.now()
	}
	if was == nil {
		return
	}
	if is.closed() {
		e := a.w.acquirer.rows[a.w.acquirer.keys[is.ID]]
		a.check(is.Review == was.Review || is.Review == "" || e != nil && e.breached,
			"S6: closed transaction %s is marked: %s", is.ID, is.Review)
		return
	}
	if is.Review != "" && is.Review != was.Review {
		a.check(a.mayAsk(is), "L1: a person is asked about %s %s (%s), which the table resolves", is.Operation, is.ID,
			is.Review)
	}
	can, now := a.w.canOf(is), inst.now()
	most := now.Add(max(backOff(is.Asked), longestClaim))
	if is.Asked == was.Asked { // removing a mark restores a time from another clock
		most = most.Add(2 * a.w.swarm.skew)
	}
	if m := is.Returning; m != nil && len(m.Kept) > 0 && m.Until.Add(comesAgain+longestPause).After(most) {
		most = m.Until.Add(comesAgain + longestPause)
	}
	if latest := is.DeadlineAt.Add(can.Lateness + longestPause); can.find && can.Lateness > 0 && latest.After(most) {
		most = latest
	}
	a.check(!is.Due.After(most), "L1: %s %s, asked after %d times, waits from %s to %s", is.Operation, is.ID, is.Asked,
		now, is.Due)
	a.check(is.Asked <= was.Asked+1, "L1: %s %s counts %d questions after %d", is.Operation, is.ID, is.Asked, was.Asked)
}

// mayAsk reports whether a review may be requested.
func (a *auditor) mayAsk(t *transactionRecord) bool {
	w := a.w
	e := w.acquirer.rows[w.acquirer.keys[t.ID]]
	switch {
	case w.acquirer.misled[t.ID], e != nil && e.forgotten:
		return true
	case t.Outcome == waiting && (t.Returning.unanswered() || t.Answering.unanswered()): // and whose process died
		return !w.canOf(t).find
	case w.faults[keysFail] > 0 && t.sealed():
		return true
	case t.Operation == "AUTH" && e != nil && e.proof != "":
		return true // pending first and then a redirect, which is no row of the table
	case !w.unresolvable(t):
		return false
	}
	return !w.canOf(t).find || w.acquirer.unseen[t.ID]
}

// tardy checks that after the faults every transaction gets its outcome, or a review, within the time of its row:
// when the evidence is there, plus the current back-off, plus two periods of recovery.
func (w *World) tardy() {
	slack := 2*w.swarm.skew + 2*longestClaim + longestPause // which may have begun before faults stopped
	stopped := w.swarm.start.Add(w.stopped.Sub(epoch))
	for _, id := range w.auditor.sorted() { // sorted, because reading an acquirer's row changes it
		t := w.auditor.transactions[id]
		if t.closed() {
			continue
		}
		evident, ok := w.evident(t)
		if evident.Before(stopped) {
			evident = stopped
		}
		if told := w.acquirer.told[id]; told.After(evident) && told.Before(stopped.Add(overtaken)) {
			evident = told
		}
		if ok && w.now().After(evident.Add(backOff(t.Asked)+slack)) {
			w.fail("L1: %s %s is still %q at %s, asked after %d times, due %s, review %q", t.Operation, id, t.Outcome, w.now(),
				t.Asked, t.Due, t.Review)
		}
	}
}

// evident returns from when recovery can learn the outcome of an open transaction, or that a person has to decide.
// ok is false if there is nothing to wait for.
func (w *World) evident(t *transactionRecord) (from time.Time, ok bool) {
	e, can := w.acquirer.look(w.acquirer.keys[t.ID]), w.canOf(t)
	latest := t.DeadlineAt.Add(can.Lateness + longestPause)
	switch {
	case e != nil && e.forgotten:
		return t.DeadlineAt.Time, t.Review == ""
	case can.find && e != nil && (e.state == approved || e.state == declined):
		if w.acquirer.unseen[t.ID] && e.done.Before(latest) {
			return latest, true // a request that has not arrived is asked about after its latest time
		}
		return e.done, true
	case can.find && e != nil && e.state != coming:
		return time.Time{}, false // it is still pending
	case !can.find && t.Outcome == waiting:
		return time.Time{}, false // the acquirer cannot be asked
	case w.unresolvable(t):
		return t.DeadlineAt.Time, t.Review == ""
	case can.find:
		return latest, true
	}
	return t.DeadlineAt.Time, true
}
