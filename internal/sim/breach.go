package sim

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Breaches: what was declined for good is told to be approved. No record moves, and a person hears of it
// (reliability.md, 4.4).

// breach is an acquirer that takes a decline back in a notification. His ledger still says declined: which
// of the two is true is for a person to find out.
func (a *acquirer) breach(e *entry) {
	e.breached = true
	token, _ := strings.CutPrefix(e.op.NotificationURL, "https://pay.example/notify/")
	note := methods.Note{Method: "POST", Body: []byte("sealed|" + string(approved) + "|" + e.key)}
	c := a.w.clients
	a.w.spawn(nil, between(a.w.rng, time.Second, time.Hour), func(context.Context) {
		c.send(func(ctx context.Context, inst *instance) {
			began := a.w.now()
			err := inst.gw.Notify(ctx, token, note)
			inTime := a.w.now().Sub(began) < 2*time.Second // before any deadline: it was heard
			if c.judgeError("notify", err); err == nil && inTime {
				c.judgeBreach(ctx, inst, e.transaction)
			}
		})
	})
}

// judgeBreach: who takes notice of a breach marks and lists it (S6).
func (c *clients) judgeBreach(ctx context.Context, inst *instance, id string) {
	t := c.w.auditor.transactions[id]
	if t.Outcome != failed || !strings.Contains(t.Review, "later told") {
		c.w.fail("S6: %s %s is declined and told to be approved: outcome %q, review %q", t.Operation, id, t.Outcome, t.Review)
		return
	}
	list, err := inst.gw.Breaches(ctx, 10_000)
	listed := slices.ContainsFunc(list, func(other store.Transaction) bool { return other.ID == id })
	if err == nil && !listed {
		c.w.fail("S6: the breach of %s %s is not listed", t.Operation, id)
	}
}
