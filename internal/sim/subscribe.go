package sim

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Schedules: every merchant has one of two payments, a day apart. The first payment of a chain puts it on the
// schedule, which is sometimes paused and resumed.

// occurrences is how many payments a schedule makes of each chain.
const occurrences = 2

func (c *clients) createSchedules(ctx context.Context) error {
	for _, key := range merchantKeys {
		s, err := c.w.instances[0].gw.Merchant(key).CreateSchedule(ctx,
			store.Schedule{Name: "daily", IntervalLength: 1, IntervalUnit: store.Day, PaymentsCount: occurrences})
		if err != nil {
			return err
		}
		c.schedules = append(c.schedules, s.ID)
	}
	return nil
}

// scheduleOf is the schedule of a merchant, by its key.
func (c *clients) scheduleOf(key string) string {
	for i, other := range merchantKeys {
		if other == key {
			return c.schedules[i]
		}
	}
	return ""
}

// pause pauses a schedule, or resumes it.
func (c *clients) pause() func(context.Context, *instance) {
	key, on := c.key(), c.w.rng.IntN(2) == 0
	return func(ctx context.Context, inst *instance) {
		if on {
			c.judgeError("pause", inst.gw.Merchant(key).PauseSchedule(ctx, c.scheduleOf(key)))
		} else {
			c.judgeError("run", inst.gw.Merchant(key).RunSchedule(ctx, c.scheduleOf(key)))
		}
	}
}

// resume resumes every paused schedule, so that all its payments are made; and again an hour later, in case a PAUSE
// under way came last.
func (c *clients) resume(ctx context.Context, inst *instance) {
	for range 2 {
		for _, key := range merchantKeys {
			c.judgeError("run", inst.gw.Merchant(key).RunSchedule(ctx, c.scheduleOf(key)))
		}
		c.w.pause(ctx, atSleep, time.Hour)
	}
}

// judgeOccurrence checks that each payment of a schedule is made once, in order, never before its date (S10).
func (a *auditor) judgeOccurrence(p *paymentRecord) {
	first := a.payments[p.InitID]
	if first == nil {
		a.w.fail("S10: payment %s of no chain", p.ID)
		return
	}
	a.made[p.InitID]++
	a.check(p.Occurrence == a.made[p.InitID], "S10: payment %s is occurrence %d of its chain, %d were made", p.ID,
		p.Occurrence, a.made[p.InitID])
	a.check(p.Occurrence <= occurrences, "S10: payment %s is occurrence %d of %d", p.ID, p.Occurrence, occurrences)
	c := a.w.clients
	date := func(t time.Time) time.Time {
		y, m, d := t.In(c.days.zone).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	days := int(date(p.CreatedAt.Time).Sub(date(a.takenFrom(first))) / (24 * time.Hour))
	a.check(days >= p.Occurrence, "S10: occurrence %d of %s is made on day %d", p.Occurrence, first.ID, days)
	a.check(first.Schedule != "" && first.Merchant == p.Merchant && first.Order.Amount == p.Order.Amount,
		"S10: payment %s is not what its chain asks for", p.ID)
}

// takenFrom is when the operation began that took the money of a first payment: the capture of a hold, otherwise
// the charge.
func (a *auditor) takenFrom(first *paymentRecord) time.Time {
	at := first.CreatedAt
	for _, id := range first.IDs {
		if t := a.transactions[id]; t != nil && t.Operation == "CAPTURE" && t.Outcome == success {
			at = t.CreatedAt
		}
	}
	return at.Time
}

// judgeLater checks that a later payment of a chain begins only after the money of the first was taken, and not
// after it was given back or disputed in full (S11).
func (a *auditor) judgeLater(p *paymentRecord) {
	if p.InitID == "" || p.begins() {
		return
	}
	first := a.payments[p.InitID]
	a.check(first != nil && a.goesOn(first), "S11: payment %s begins, the first of its chain cannot go on", p.ID)
}

// goesOn reports whether a chain may continue, by the current state of its first payment.
func (a *auditor) goesOn(first *paymentRecord) bool {
	if first.CapturedAt.IsZero() || first.Status == "VOID" || first.Status == "REVERSAL" {
		return false
	}
	return first.Status != "CHARGEBACK" || a.disputed(first)+first.Refunded+first.Reserved < first.Captured
}

// judgeChain checks that a chain ends when its first payment is given back, and for no other reason (S11).
func (a *auditor) judgeChain(was, is *paymentRecord) {
	switch is.Status {
	case "DECLINED", "VOID", "REVERSAL":
		a.check(!is.begins(), "S11: payment %s is %s and begins a chain", is.ID, is.Status)
	case "CHARGEBACK":
	default:
		a.check(was == nil || !was.begins() || is.begins(), "S11: payment %s is %s and its chain has ended", is.ID, is.Status)
	}
}

// outstanding counts the payments that schedules still have to make.
func (a *auditor) outstanding() (n int) {
	for _, p := range a.scheduled() {
		n += occurrences - a.made[p.ID]
	}
	return n
}

// scheduled returns the first payments of the chains that a schedule has to charge.
func (a *auditor) scheduled() (list []*paymentRecord) {
	for _, id := range a.order {
		if p := a.payments[id]; p.begins() && p.Schedule != "" && a.goesOn(p) {
			list = append(list, p)
		}
	}
	return list
}
