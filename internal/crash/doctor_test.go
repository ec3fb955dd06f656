package crash

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// honest is the evidence of a few orders without a kill: order 1 is settled and partly refunded, 2 is held and
// captured, 3 is declined at first, 4 begins a chain, 5 is paid with hosted fields.
func honest(t *testing.T) evidence {
	t.Helper()
	w := newWorld(t, 1)
	w.restart()
	w.createSchedule()
	buyers := []*shopper{
		w.newBuyer(false, settles), w.newBuyer(true, settles), w.newBuyer(false, declines, settles),
		w.newChain(settles), w.newHosted(declines, settles),
	}
	for _, s := range buyers {
		s.run()
		require.NotEmpty(t, s.order.Paid)
	}
	refund := w.followUp("refund", buyers[0].order.Paid, "3.00")
	require.Equal(t, answerKept, refund.Answer)
	capture := w.followUp("capture", buyers[1].order.Paid, "3.00")
	require.Equal(t, "SUCCESS", capture.Verdict)
	w.settle()
	return w.evidence()
}

func (e evidence) clone() evidence {
	e.Orders, e.FollowUps, e.Ledger = slices.Clone(e.Orders), slices.Clone(e.FollowUps), slices.Clone(e.Ledger)
	e.Deliveries, e.Payments = slices.Clone(e.Deliveries), maps.Clone(e.Payments)
	for number, list := range e.Payments {
		e.Payments[number] = slices.Clone(list)
	}
	return e
}

func (e *evidence) entry(kind store.Operation) *vcard.Entry {
	return &e.Ledger[slices.IndexFunc(e.Ledger, func(entry vcard.Entry) bool { return entry.Kind == kind })]
}

// recurring returns the transaction of a scheduled payment.
func (e *evidence) recurring(n int) string {
	var list []string
	for _, d := range e.Deliveries {
		if d.Form.Get("type") == "recurring" && tellsOutcome(d) {
			list = append(list, d.Form.Get("trans_id"))
		}
	}
	return list[n]
}

// charge returns the acquirer's entry of a transaction.
func (e *evidence) charge(transaction string) *vcard.Entry {
	return &e.Ledger[slices.IndexFunc(e.Ledger, func(entry vcard.Entry) bool { return entry.Key == "tg-"+transaction })]
}

func (e *evidence) callbackOf(transaction string) delivery {
	return e.Deliveries[slices.IndexFunc(e.Deliveries, func(d delivery) bool {
		return d.Form.Get("trans_id") == transaction && tellsOutcome(d)
	})]
}

// forget removes a charge everywhere: in the acquirer's books, in the merchant's file and at the gateway.
func (e *evidence) forget(transaction string) {
	id := e.callbackOf(transaction).Form.Get("payment_id")
	e.Ledger = slices.DeleteFunc(e.Ledger, func(entry vcard.Entry) bool { return entry.Key == "tg-"+transaction })
	e.Deliveries = slices.DeleteFunc(e.Deliveries, func(d delivery) bool { return d.Form.Get("payment_id") == id })
	for number, list := range e.Payments {
		e.Payments[number] = slices.DeleteFunc(list, func(p payment) bool { return p.ID == id })
	}
}

// again repeats a charge everywhere, as another payment.
func (e *evidence) again(transaction string) {
	entry, told := *e.charge(transaction), e.callbackOf(transaction)
	id := told.Form.Get("payment_id")
	entry.Key = "tg-another"
	e.Ledger = append(e.Ledger, entry)
	told.Form = maps.Clone(told.Form)
	told.Form.Set("trans_id", "another")
	told.Form.Set("payment_id", "another")
	told.ID = store.CallbackID("another", 1)
	e.Deliveries = append(e.Deliveries, told)
	number := told.Form.Get("order_number")
	for _, p := range e.Payments[number] {
		if p.ID == id {
			p.ID = "another"
			e.Payments[number] = append(e.Payments[number], p)
		}
	}
}

func (e *evidence) dropCallbacks(kind string) {
	e.Deliveries = slices.DeleteFunc(e.Deliveries, func(d delivery) bool { return d.Form.Get("type") == kind })
}
