package crash

import (
	"slices"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// judgeLedger checks that money moved once per key, that each order has one charge, that refunds do not exceed
// captures, and that every entry was reported to the merchant.
func (b *bench) judgeLedger() {
	charged := map[string]int{}
	for transaction, e := range b.entries {
		approved := e.State == vcard.StateApproved
		b.refuse(!approved && e.State != vcard.StateDeclined && !b.neverCame(transaction, e), "the acquirer has %s open: %s",
			e.Key, e.State)
		b.refuse(e.Effects > 1 || approved != (e.Effects == 1), "the acquirer booked %s %d times", e.Key, e.Effects)
		b.refuse(e.Captured.Cmp(e.Amount) > 0, "%s: more captured than authorized", e.Key)
		b.refuse(e.Refunded.Cmp(e.Captured) > 0, "%s: more refunded than captured", e.Key)
		b.refuse(len(b.final[transaction]) == 0, "the merchant got no callback of %s %s (%s)", e.Kind, e.Key, e.State)
		if approved && charges(e) && !b.scheduled(transaction) {
			charged[e.Order]++
		}
	}
	for order, n := range charged {
		b.refuse(n > 1, "order %s was charged %d times", order, n)
	}
}

// neverCame reports whether a request was lost on the way and reported as failed. A day later the card is erased,
// so it cannot be sent again.
func (b *bench) neverCame(transaction string, e vcard.Entry) bool {
	told := b.final[transaction]
	return e.State == vcard.StateUnseen && e.Effects == 0 && len(told) == 1 && told[0].Form.Get("status") == "fail"
}

// scheduled reports whether a charge was reported to the merchant as a scheduled one. judgeChains counts those.
func (b *bench) scheduled(transaction string) bool {
	told := b.final[transaction]
	return len(told) > 0 && told[0].Form.Get("type") == "recurring"
}

func charges(e vcard.Entry) bool { return e.Kind == store.OpSale || e.Kind == store.OpAuth }

// judgePayments compares every payment of the gateway with the acquirer's books and the merchant's callbacks, and
// checks that the gateway has every charge of the acquirer.
func (b *bench) judgePayments() {
	known := map[string]bool{}
	for _, o := range b.Orders {
		for _, p := range b.Payments[o.Number] {
			b.refuse(p.Order.Number != o.Number || p.Order.Amount != o.Amount, "payment %s is of another order", p.ID)
			known[b.judgePayment(o, p)] = true
		}
	}
	for transaction, e := range b.entries {
		b.refuse(charges(e) && !known[transaction], "the gateway has no payment for %s of %s", e.Key, e.Order)
	}
}

// judgePayment returns the transaction that charged the payment.
func (b *bench) judgePayment(o order, p payment) (transaction string) {
	for _, id := range b.charged[p.ID] {
		b.refuse(transaction != "" && transaction != id, "payment %s was charged by two transactions", p.ID)
		transaction = id
	}
	entry, known := b.entries[transaction]
	b.refuse(transaction == "", "payment %s (%s): the merchant was never told the outcome", p.ID, p.Status)
	b.refuse(known && (entry.Order != o.Number || entry.Amount.String() != o.Amount),
		"%s: the acquirer charged %s for %s", p.ID, entry.Amount, entry.Order)
	b.refuse(p.Status != standing(entry), "payment %s is %s, the acquirer's books say %s", p.ID, p.Status, standing(entry))
	return transaction
}

// standing returns the status of a payment by its charge in the acquirer's books.
func standing(e vcard.Entry) string {
	taken := !e.CapturedAt.IsZero()
	switch {
	case e.State != vcard.StateApproved:
		return "decline"
	case e.Closed && taken:
		return "void"
	case e.Closed:
		return "reversal"
	case !taken:
		return "pending"
	case !e.Refunded.IsZero():
		return "refund"
	}
	return "settled"
}

// judgePromises checks that what clients were told is true.
func (b *bench) judgePromises() {
	for _, number := range b.DeadLinks {
		b.refuse(true, "order %s: the link leads nowhere", number)
	}
	for _, o := range b.Orders {
		var ids []string
		for _, p := range b.Payments[o.Number] {
			ids = append(ids, p.ID)
			b.refuse(p.ID == o.Paid && p.Status == "decline", "order %s was told to be paid, and is not", o.Number)
		}
		for _, id := range o.Named {
			b.refuse(!slices.Contains(ids, id), "order %s: payment %s was told and is lost", o.Number, id)
		}
	}
	b.judgeFollowUps()
}

// judgeFollowUps checks that the outcomes of each kind are at least as many as were promised, and at most as many
// as were requested.
func (b *bench) judgeFollowUps() {
	type group struct{ payment, kind string }
	asked, promised, good := map[group]int{}, map[group]int{}, map[group]int{}
	for _, f := range b.FollowUps {
		key := group{f.Payment, f.Kind}
		asked[key]++
		if f.Answer == answerKept {
			promised[key]++
		}
		if f.Verdict == "SUCCESS" {
			good[key]++
		}
	}
	for _, told := range b.final {
		f := told[0].Form
		key := group{f.Get("payment_id"), f.Get("type")}
		asked[key]--
		promised[key]--
		if f.Get("status") == "success" {
			good[key]--
		}
	}
	for key, n := range asked {
		followed := key.kind != "sale" && key.kind != "recurring"
		b.refuse(n < 0 && followed, "payment %s: %d times %s was done without a request", key.payment, -n, key.kind)
	}
	for key, n := range promised {
		b.refuse(n > 0, "payment %s: %d times %s was promised and is lost", key.payment, n, key.kind)
	}
	for key, n := range good {
		b.refuse(n > 0, "payment %s: a %s was told to be done, and is not", key.payment, key.kind)
	}
}
