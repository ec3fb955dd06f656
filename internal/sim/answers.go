package sim

import (
	"context"

	"github.com/tollgatepay/gateway"
)

// judgeResult checks that a client's result is committed and true (D1).
func (c *clients) judgeResult(what string, r *gateway.Result, err error) {
	c.judgeError(what, err)
	if err != nil || r == nil {
		return
	}
	w := c.w
	t := w.auditor.transactions[r.Transaction.ID]
	p := w.auditor.payments[r.Payment.ID]
	switch {
	case t == nil || p == nil:
		w.fail("D1: %s answers %s, which is not stored", what, r.Transaction.ID)
	case r.Transaction.Outcome.Final() && string(r.Transaction.Outcome) != t.Outcome:
		w.fail("D1: %s answers %s, stored is %q", what, r.Transaction.Outcome, t.Outcome)
	case r.Transaction.Version > t.Version || r.Payment.Version > p.Version:
		w.fail("D1: %s answers version %d of payment %s, stored is %d", what, r.Payment.Version, p.ID, p.Version)
	case keyOf(p) != "key-of-"+r.Payment.MerchantID:
		w.fail("D1: %s answers another merchant's payment", what)
	}
}

// status looks a payment up, by its id or its order, and compares the answer with what was stored during the call.
func (c *clients) status() func(context.Context, *instance) {
	id, p := c.known()
	if p == nil {
		return nil
	}
	key, l := keyOf(p), gateway.Lookup{PaymentID: id}
	if c.w.rng.IntN(2) == 0 {
		l = gateway.Lookup{OrderNumber: p.Order.Number, Size: 1 + c.w.rng.IntN(5)}
	}
	if c.w.rng.IntN(8) == 0 { // another merchant's
		key = merchantKeys[(len(merchantKeys)-1+int(p.Merchant[1]-'0'))%len(merchantKeys)]
	}
	return func(ctx context.Context, inst *instance) {
		before := c.versions(key, l)
		results, err := inst.gw.Merchant(key).Status(ctx, l)
		c.judgeError("status", err)
		if err != nil {
			known := gateway.AsError(err)
			if len(before) > 0 && (known.Is(gateway.ErrNoOrder) || known.Is(gateway.ErrNoPayment)) {
				c.w.fail("D3: status answers that nothing is known of %s%s, which has %d payments", l.PaymentID, l.OrderNumber,
					len(before))
			}
			return
		}
		c.judgeStatus(key, l, before, results)
	}
}

// versions returns the versions of the payments of a merchant's lookup.
func (c *clients) versions(key string, l gateway.Lookup) map[string]int {
	versions := map[string]int{}
	for _, id := range c.w.auditor.order {
		p := c.w.auditor.payments[id]
		if keyOf(p) == key && (p.ID == l.PaymentID || p.Order.Number == l.OrderNumber) {
			versions[id] = p.Version
		}
	}
	return versions
}

// firstOf returns the payment of an order that was stored first. It is listed last, also if another one that began at
// the same time has a smaller id.
func (c *clients) firstOf(key, number string) string {
	for _, id := range c.w.auditor.order {
		if p := c.w.auditor.payments[id]; keyOf(p) == key && p.Order.Number == number {
			return id
		}
	}
	return ""
}

func (c *clients) judgeStatus(key string, l gateway.Lookup, before map[string]int, results []gateway.Result) {
	w := c.w
	if len(results) > max(l.Size, 1) || len(results) < min(len(before), max(l.Size, 1)) {
		w.fail("status answers %d payments of %d, %d asked for", len(results), len(before), l.Size)
	}
	for i, r := range results {
		p := w.auditor.payments[r.Payment.ID]
		switch {
		case p == nil:
			w.fail("D1: status answers payment %s, which is not stored", r.Payment.ID)
		case keyOf(p) != key:
			w.fail("S9: status shows merchant %s a payment of %s", key, p.Merchant)
		case r.Payment.Version < before[p.ID] || r.Payment.Version > p.Version:
			w.fail("D3: status answers version %d of %s, which went from %d to %d", r.Payment.Version, p.ID, before[p.ID],
				p.Version)
		case i > 0 && results[i-1].Payment.ID < p.ID && p.ID != c.firstOf(key, p.Order.Number):
			w.fail("D3: status answers %s before %s", results[i-1].Payment.ID, p.ID)
		case r.Payment.Version == p.Version && string(r.Payment.Status) != p.Status:
			w.fail("D3: status answers %s of %s, which is %s", r.Payment.Status, p.ID, p.Status)
		}
	}
}
