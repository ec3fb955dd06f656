package sim

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"time"
)

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

func (a *auditor) judgeCallback(b *batch, c changed[callbackRecord]) {
	is, was, inst := c.is, c.was, b.proc.inst
	if was != nil {
		a.check(bytes.Equal(is.Body, was.Body) && is.URL == was.URL && is.RequireOK == was.RequireOK, "C4: the bytes of callback %s changed", is.ID)
		a.check(is.Number == was.Number && is.Transaction == was.Transaction && is.Payment == was.Payment, "C4: callback %s is another one", is.ID)
		a.check(is.State != "dead" || is.Tries >= a.w.clients.tries(), "C3: callback %s is dead after %d tries", is.ID, is.Tries)
		a.check(is.Tries <= was.Tries || was.State == "due" && !was.Due.After(inst.now()), "D5: callback %s is taken, which is %s and another's until %s", is.ID, was.State, was.Due)
		a.judgeDelivery(b, c)
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

// endpoint is how one URL behaved, as the attempts that are committed tell it (callbacks.md, "Timeouts and
// blocking").
type endpoint struct {
	timeouts []time.Time // since the last success or block
	until    time.Time   // of the newest block
}

// heard takes an attempt: five time-outs within five minutes block the URL for fifteen, and a success
// starts the count again.
func (e *endpoint) heard(attempt attemptRecord) {
	switch {
	case attempt.Verdict == "accepted":
		e.timeouts = nil
	case attempt.Verdict == "timeout" && !attempt.At.Before(e.until):
		e.timeouts = slices.DeleteFunc(e.timeouts, func(at time.Time) bool { return attempt.At.Sub(at).Abs() > 5*time.Minute })
		if e.timeouts = append(e.timeouts, attempt.At); len(e.timeouts) == 5 {
			e.timeouts, e.until = nil, attempt.At.Add(15*time.Minute)
		}
	}
}

// judgeDelivery: a callback waits for its own URL's block and for the one before it, and for nobody
// else's (C5); and as long as its merchant asked for.
func (a *auditor) judgeDelivery(b *batch, c changed[callbackRecord]) {
	is, was, now := c.is, c.was, b.proc.inst.now()
	url := a.endpoints[is.URL]
	if url == nil {
		url = &endpoint{}
		a.endpoints[is.URL] = url
	}
	switch attempt := newAttempt(is, was); {
	case attempt != nil:
		url.heard(*attempt)
		if wish := a.w.merchant.wishes[wisher{b.proc.id, is.ID}]; is.State == "due" && attempt.Verdict == "refused" && wish.attempt == is.Tries {
			wait := is.Due.Sub(attempt.At)
			a.check(wait >= wish.wait, "C3: callback %s is due again after %s, its merchant asked for %s", is.ID, wait, wish.wait)
		}
	case is.Tries > was.Tries:
		a.check(!now.Before(url.until), "C5: callback %s is sent at %s to a URL that is blocked until %s", is.ID, now, url.until)
	case is.State == "due" && is.Due.After(was.Due) && is.Due.After(now):
		a.check(is.Due.Equal(url.until) || is.Due.Sub(now) <= time.Minute && a.behind(is),
			"C5: callback %s is put off until %s, its URL is blocked until %s", is.ID, is.Due, url.until)
	}
}

// newAttempt is the attempt that a commit adds to the log of a callback, nil where it adds none.
func newAttempt(is, was *callbackRecord) *attemptRecord {
	n := len(is.Attempts)
	if n == 0 || n == len(was.Attempts) && is.Attempts[n-1] == was.Attempts[n-1] {
		return nil
	}
	return &is.Attempts[n-1]
}

// behind reports a callback with one of the same payment before it that nobody has tried yet.
func (a *auditor) behind(c *callbackRecord) bool {
	for _, other := range a.earlier(c) {
		if other.State == "due" && len(other.Attempts) == 0 {
			return true
		}
	}
	return false
}
