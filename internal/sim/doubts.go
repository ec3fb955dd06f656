package sim

import (
	"strings"
	"time"
)

// The auditor's reading of the table of reliability.md, 4.4: what recovery has to do with a transaction
// without an outcome, by what its acquirer declares, and by when (L1).

// backOff is how long a transaction that was asked after so often may wait for the next question.
func backOff(asked int) time.Duration {
	steps := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}
	if asked < len(steps) {
		return steps[asked]
	}
	return 24 * time.Hour
}

// longestClaim is for how long a question may keep others away: the longest deadline and what comes after.
const longestClaim = 80 * time.Second

// comesAgain is how long a soft decline is left to a payer whose return was interrupted.
const comesAgain = 10 * time.Minute

// longestPause is how long an instance may stand still between a question and its commit, which moves what
// follows from it.
const longestPause = 45 * time.Minute

// overtaken is how long after the faults an answer from before may still come, and stand for a while in the
// place of what is known by then.
const overtaken = 4 * time.Hour

func (w *World) canOf(t *transactionRecord) *capability {
	return &w.swarm.can[int(t.Connector[1]-'0')]
}

// resendable reports a request that its acquirer takes again: by key, and as no security code is stored,
// without one where it came with one. A card that is erased, as after a day, is sent to nobody.
func (w *World) resendable(t *transactionRecord) bool {
	can := w.canOf(t)
	return can.IdempotentByKey && t.ErasedAt.IsZero() &&
		(can.ResendWithoutCode || t.Parent != "" || t.Operation == "CREDIT")
}

// unresolvable reports the rows of the table that end with a person, for what the acquirer has not seen.
func (w *World) unresolvable(t *transactionRecord) bool {
	can := w.canOf(t)
	return !w.resendable(t) && (!can.find || can.Lateness == 0)
}

// judgeDoubt holds the commit of an open transaction against the table: a person is asked only where the
// acquirer leaves nothing else, and the next question comes no later than the back-off has it.
func (a *auditor) judgeDoubt(inst *instance, c changed[transactionRecord]) {
	is, was := c.is, c.was
	if was == nil || is.Due.After(was.Due) { // by a question, or by an answer that took its time
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
	if is.Asked == was.Asked { // a mark that is given back leaves what another clock had set
		most = most.Add(2 * a.w.swarm.skew)
	}
	if m := is.Returning; m != nil && len(m.Kept) > 0 && m.Until.Add(comesAgain+longestPause).After(most) {
		most = m.Until.Add(comesAgain + longestPause)
	}
	if sure := is.DeadlineAt.Add(can.Lateness + longestPause); can.find && can.Lateness > 0 && sure.After(most) {
		most = sure
	}
	a.check(!is.Due.After(most), "L1: %s %s, asked after %d times, waits from %s to %s", is.Operation, is.ID, is.Asked,
		now, is.Due)
	a.check(is.Asked <= was.Asked+1, "L1: %s %s counts %d questions after %d", is.Operation, is.ID, is.Asked, was.Asked)
}

// mayAsk reports whether a person may be asked.
func (a *auditor) mayAsk(t *transactionRecord) bool {
	w := a.w
	e := w.acquirer.rows[w.acquirer.keys[t.ID]]
	switch {
	case w.acquirer.misled[t.ID], e != nil && e.forgotten:
		return true
	case t.Outcome == waiting && strings.Contains(t.Review, "what the payer brought"): // and whose process died
		return !w.canOf(t).find
	case w.faults[keysFail] > 0 && strings.Contains(t.Review, "does not open"):
		return true
	case t.Operation == "AUTH" && e != nil && e.proof != "":
		return true // held for now, and then the payer is sent away: no row leads there
	case !w.unresolvable(t):
		return false
	}
	return !w.canOf(t).find || w.acquirer.unseen[t.ID]
}

// tardy: once faults have stopped, everything has come to its end, or to a person, within the bound of its
// row: when the evidence is there, the back-off as it stands, and two periods of recovery.
func (w *World) tardy() {
	slack := 2*w.swarm.skew + 2*longestClaim + longestPause // which may have begun before faults stopped
	stopped := w.swarm.start.Add(w.stopped.Sub(epoch))
	for _, id := range w.auditor.sorted() { // to look at an acquirer's row moves it on
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

// evident is from when on recovery can learn what became of an open transaction, or that nobody but a
// person can; not ok when there is nothing to wait for.
func (w *World) evident(t *transactionRecord) (from time.Time, ok bool) {
	e, can := w.acquirer.look(w.acquirer.keys[t.ID]), w.canOf(t)
	sure := t.DeadlineAt.Add(can.Lateness + longestPause)
	switch {
	case e != nil && e.forgotten:
		return t.DeadlineAt, t.Review == ""
	case can.find && e != nil && (e.state == approved || e.state == declined):
		if w.acquirer.unseen[t.ID] && e.done.Before(sure) {
			return sure, true // what is not seen yet is asked for when it would have to be
		}
		return e.done, true
	case can.find && e != nil && e.state != coming:
		return time.Time{}, false // it takes its time
	case !can.find && t.Outcome == waiting:
		return time.Time{}, false // nobody to ask
	case w.unresolvable(t):
		return t.DeadlineAt, t.Review == ""
	case can.find:
		return sure, true
	}
	return t.DeadlineAt, true
}
