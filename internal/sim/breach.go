package sim

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Breaches: a final decline is later reported as approved. No record changes, and the breach is listed for a person
// (reliability.md, 4.4).

// breach is an acquirer that takes a decline back in a notification. Its ledger still says declined; a person has
// to find out which is true.
func (a *acquirer) breach(e *entry) {
	e.breached = true
	token, _ := strings.CutPrefix(e.op.NotificationURL, "https://pay.example/notify/")
	note := methods.Note{Method: "POST", Body: []byte("sealed|" + string(approved) + "|" + e.key)}
	c := a.w.clients
	a.w.spawn(nil, between(a.w.rng, time.Second, time.Hour), func(context.Context) {
		c.send(func(ctx context.Context, inst *instance) {
			began := a.w.now()
			err := inst.gw.Notify(ctx, token, note)
			inTime := a.w.now().Sub(began) < 2*time.Second // before any deadline, so the answer was received
			if c.judgeError("notify", err); err == nil && inTime {
				c.judgeBreach(ctx, inst, e.transaction)
			}
		})
	})
}

// judgeBreach checks that a breach is marked and listed (S6).
func (c *clients) judgeBreach(ctx context.Context, inst *instance, id string) {
	t := c.w.auditor.transactions[id]
	if t.Outcome != failed || t.Review == "" {
		c.w.fail("S6: %s %s is declined and was reported approved: outcome %q, review %q", t.Operation, id, t.Outcome,
			t.Review)
		return
	}
	list, err := inst.gw.Operator().Breaches(ctx, 10_000)
	listed := slices.ContainsFunc(list, func(other store.Transaction) bool { return other.ID == id })
	if err == nil && !listed {
		c.w.fail("S6: the breach of %s %s is not listed", t.Operation, id)
	}
}
