package sim

import (
	"context"
	"slices"
	"time"

	"github.com/tollgatepay/gateway"
)

// patience is how long after the faults everything that needs no person has to end: the longest wait of recovery is
// a day, and it may have to ask twice.
const patience = 80 * time.Hour

// liveness is the phase after the faults: one instance works, and everything has to end (L1, L2, C3, M7, M8, M12).
func (w *World) liveness() {
	if w.instances[0].dead {
		w.revive(0)
	}
	only := w.instances[0]
	w.spawn(only, 0, func(ctx context.Context) {
		for {
			_, next, err := only.gw.Tick(ctx, 1000)
			if err != nil {
				w.fail("L2: a tick fails though nothing does: %v", err)
				return
			}
			nap := time.Hour
			if w.storing() { // what this tick could not know of
				nap = longestPause / 2
			}
			if !next.IsZero() {
				nap = min(nap, max(next.Sub(only.now()), time.Millisecond))
			}
			w.pause(ctx, atSleep, nap)
		}
	})
	w.spawn(only, 0, func(ctx context.Context) { w.clients.resume(ctx, only) })
	limit := w.steps + 30_000
	for phase := range 2 {
		end := time.Now().Add(patience)
		if phase == 1 {
			w.spawn(only, 0, w.operate)
		}
		jumps := -1
		for len(w.violation) == 0 && time.Now().Before(end) && w.steps < limit {
			if w.jumps != jumps { // nothing ends between two clock jumps that would not have ended before
				if jumps = w.jumps; w.quiet() {
					w.final()
					return
				}
				w.tardy()
			}
			w.advance(end)
		}
		if w.steps >= limit {
			w.fail("L1: the world does not come to rest")
		}
		if len(w.violation) > 0 {
			return
		}
		if phase == 0 {
			w.overdue()
		}
	}
	w.restless()
}

// storing reports whether a slow store keeps someone who may store something then.
func (w *World) storing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.waiting, func(one *waiter) bool { return one.at == atSlow })
}

// quiet reports that nothing is left to do.
func (w *World) quiet() bool {
	if w.auditor.open > 0 || w.auditor.outstanding() > 0 || w.acquirer.open() > 0 || w.clients.errands > 0 {
		return false
	}
	for _, c := range w.auditor.callbacks {
		if c.State == "due" {
			return false
		}
	}
	return true
}

// overdue checks that after the patience only transactions for a person are open (L1), and every callback is
// delivered or dead (L2).
func (w *World) overdue() {
	for _, id := range w.auditor.sorted() {
		t := w.auditor.transactions[id]
		can := w.swarm.can[int(t.Connector[1]-'0')]
		if t.closed() || t.Review != "" || t.Outcome == waiting && !can.find {
			continue
		}
		w.fail("L1: transaction %s %s is %q, due %s, and no review is requested", t.Operation, t.ID, t.Outcome, t.Due)
	}
	for id, c := range w.auditor.callbacks {
		if c.State == "due" {
			w.fail("L2: callback %s is still due at %s after %d tries", id, c.Due, c.Tries)
			return
		}
	}
}

// restless names what never ended.
func (w *World) restless() {
	for _, p := range w.auditor.scheduled() {
		if made := w.auditor.made[p.ID]; made < occurrences {
			w.fail("S10: %d scheduled payments of the chain of %s, which is %s, are never made", occurrences-made, p.ID,
				p.Status)
		}
	}
	for _, id := range w.auditor.sorted() {
		if t := w.auditor.transactions[id]; !t.closed() {
			w.fail("L1: transaction %s %s never ends: %q, review %q", t.Operation, t.ID, t.Outcome, t.Review)
			return
		}
	}
}

// operate is a person who reads the doubts, asks the acquirer by telephone, and decides.
func (w *World) operate(ctx context.Context) {
	inst := w.instances[0]
	for range 50 {
		for _, id := range w.auditor.sorted() {
			t := w.auditor.transactions[id]
			if t.closed() {
				continue
			}
			e := w.acquirer.look(w.acquirer.keys[id])
			if e != nil && (e.state == coming || e.state == pending || e.state == away) {
				continue
			}
			_, err := inst.gw.Operator().ResolveDoubt(ctx, gateway.Review{PaymentID: t.Payment, TransactionID: id, By: "ann",
				Why: "asked by telephone"}, e != nil && e.state == approved)
			w.clients.judgeError("settle", err)
		}
		w.pause(ctx, atSleep, time.Hour)
	}
}

func (a *auditor) sorted() []string {
	ids := make([]string, 0, len(a.transactions))
	for id := range a.transactions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// final compares the books once all is quiet (M7, M8, M12, C3).
func (w *World) final() {
	a := w.auditor
	for _, id := range a.order {
		p := a.payments[id]
		if p.Reserved != 0 || p.Running != "" {
			w.fail("M12: payment %s keeps %d reserved, %q running", id, p.Reserved, p.Running)
		}
		w.compare(p)
	}
	for _, id := range a.sorted() {
		t := a.transactions[id]
		if t.Operation == "CHARGEBACK" {
			continue
		}
		e := w.acquirer.rows[w.acquirer.keys[id]]
		done := e != nil && e.state == approved
		if done != (t.Outcome == success) {
			w.fail("M8: %s %s is %s here, %v there", t.Operation, id, t.Outcome, done)
		}
		if e != nil && e.effects > 1 {
			w.fail("M7: %s %s took effect %d times", t.Operation, id, e.effects)
		}
	}
	for key, e := range w.acquirer.rows {
		if a.transactions[e.transaction] == nil {
			w.fail("M8: the acquirer has %s, which is not stored", key)
		}
	}
	for id, c := range a.callbacks {
		if w.merchant.tried[id] == 0 {
			w.fail("C3: callback %s was never sent, it is %s", id, c.State)
		}
		if c.State == "delivered" && !w.merchant.done[id] {
			w.fail("C3: callback %s counts as delivered and was not processed", id)
		}
	}
	for id, least := range w.clients.resent {
		if n := w.merchant.tried[id]; n < least {
			w.fail("C3: callback %s was sent again by hand and came %d times of %d", id, n, least)
		}
	}
	for id, s := range a.sessions {
		if s.Running {
			w.fail("S8: session %s still runs", id)
		}
	}
}

// compare compares a payment with the acquirer's row of its charge (M8).
func (w *World) compare(p *paymentRecord) {
	e := w.acquirer.rows[w.acquirer.keys[p.chargeID()]]
	if e == nil || e.effects == 0 {
		if p.Authorized != 0 {
			w.fail("M8: payment %s has %d, the acquirer nothing", p.ID, p.Authorized)
		}
		return
	}
	refunded := p.Refunded
	if p.Status == "REVERSAL" {
		refunded = 0
	}
	if e.amount != p.Authorized || e.captured != p.Captured || e.refunded != refunded {
		w.fail("M8: payment %s: %d/%d authorized, %d/%d captured, %d/%d refunded", p.ID, p.Authorized, e.amount, p.Captured,
			e.captured, refunded, e.refunded)
	}
	if e.closed != (p.Status == "VOID" || p.Status == "REVERSAL") {
		w.fail("M8: payment %s is %s, closed there: %v", p.ID, p.Status, e.closed)
	}
}
