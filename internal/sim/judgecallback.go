package sim

import (
	"net/url"
	"slices"
	"strings"
	"time"
)

// judgeTold checks that every outcome is reported once, in the commit in which it happened (C1).
func (a *auditor) judgeTold(c changed[paymentRecord], b *batch) {
	queued := 0
	for _, cb := range b.callbacks {
		if cb.was == nil && cb.is.Payment == c.is.ID {
			queued++
		}
	}
	a.check(c.is.Callbacks == c.was.Callbacks+queued, "C1: payment %s counts %d callbacks, %d queued", c.is.ID,
		c.is.Callbacks, queued)
	for _, t := range b.transactions {
		if t.is.Payment != c.is.ID || c.is.Notify == "" {
			continue
		}
		now := t.is.closed() && (t.was == nil || !t.was.closed())
		cascaded := c.is.Next != "" && c.was.Next == ""
		a.check(!now || queued > 0 || cascaded, "C1: %s of %s is not reported", t.is.Outcome, t.is.ID)
		a.check(!now || queued <= 1, "C1: %s of %s is told twice", t.is.Outcome, t.is.ID)
	}
}

func (a *auditor) judgeCallback(b *batch, c changed[callbackRecord]) {
	is, was, inst := c.is, c.was, b.proc.inst
	if was != nil {
		a.check(is.Body == was.Body && is.URL == was.URL && is.RequireOK == was.RequireOK,
			"C4: the bytes of callback %s changed", is.ID)
		a.check(is.Number == was.Number && is.Transaction == was.Transaction && is.Payment == was.Payment,
			"C4: callback %s is another one", is.ID)
		a.check(is.State != "dead" || is.Tries >= a.w.clients.tries(), "C3: callback %s is dead after %d tries", is.ID,
			is.Tries)
		a.check(is.Tries <= was.Tries || was.State == "due" && !was.Due.After(inst.now()),
			"D5: callback %s is taken, which is %s and another's until %s", is.ID, was.State, was.Due)
		a.judgeDelivery(b, c)
		return
	}
	p, t := a.payments[is.Payment], a.transactions[is.Transaction]
	if p == nil || t == nil {
		a.w.fail("C1: callback %s about nothing", is.ID)
		return
	}
	a.check(is.Number == p.Callbacks, "C1: callback %s has number %d of %d", is.ID, is.Number, p.Callbacks)
	kinds, word := callbackFor(t.Operation, t.Outcome, p.Status)
	a.check(slices.Contains(kinds, is.Type) && is.Outcome == word, "C1: callback %s says %s %s of %s %s", is.ID, is.Type,
		is.Outcome, t.Operation, t.Outcome)
	if is.Body == "" {
		return // sealed; the merchant reads it
	}
	form, err := url.ParseQuery(is.Body)
	a.check(err == nil, "C1: callback %s is no form", is.ID)
	status := form.Get("status")
	if p.Protocol == "checkout" {
		status = strings.Replace(strings.ToUpper(form.Get("order_status")), "DECLINE", "DECLINED", 1)
	}
	a.check(status == p.Status, "C1: callback %s says %s of a payment that is %s", is.ID, status, p.Status)
}

// judgeDelivery checks that a callback waits for a block of its own URL, host or merchant and for the callback
// before it, but for no others (C5); and as long as its merchant requested.
func (a *auditor) judgeDelivery(b *batch, c changed[callbackRecord]) {
	is, was, now := c.is, c.was, b.proc.inst.now()
	switch attempt := newAttempt(is, was); {
	case attempt != nil:
		a.blocks.addAttempt(is, *attempt)
		if wish := a.w.merchant.wishes[wisher{b.proc.id,
			is.ID}]; is.State == "due" && attempt.Verdict == "refused" && wish.attempt == is.Tries {
			wait := is.Due.Sub(attempt.At.Time)
			a.check(wait >= wish.wait, "C3: callback %s is due again after %s, its merchant asked for %s", is.ID, wait,
				wish.wait)
		}
	case is.Tries > was.Tries:
		for _, e := range a.blocks.of(is) {
			a.check(!now.Before(e.until), "C5: callback %s is sent at %s, while its %s is blocked until %s", is.ID, now, e.name,
				e.until)
		}
		a.check(!is.Due.After(now.Add(time.Minute)), "C5: callback %s is taken until %s, which is no lease", is.ID, is.Due)
	case is.Tries < was.Tries && is.Due.After(now): // its try is given back
		a.check(!is.Due.After(now.Add(5*time.Minute)), "C5: callback %s rests until %s, which is no pause", is.ID, is.Due)
	case is.State == "due" && is.Due.After(was.Due.Time):
		a.check(!is.Due.After(now), "C5: callback %s is put off until %s, and none is", is.ID, is.Due)
	}
}

// newAttempt returns the attempt that a commit adds to a callback, or nil.
func newAttempt(is, was *callbackRecord) *attemptRecord {
	n := len(is.Attempts)
	if n == 0 || n == len(was.Attempts) && is.Attempts[n-1] == was.Attempts[n-1] {
		return nil
	}
	return &is.Attempts[n-1]
}
