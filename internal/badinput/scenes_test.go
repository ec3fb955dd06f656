package badinput_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
)

// Wrong inputs that need more than one request.

// order is a session request of an order.
func (w *world) order(number, amount string) *request {
	q := w.at["session"].request(w)
	q.body = q.body.with("order.number", number, "order.amount", amount)
	return q
}

// refusedWith requires the answer of a row.
func (w *world) refusedWith(r row, q *request, got answer) {
	w.t.Helper()
	require.NoError(w.t, r.judge(q.at, got))
}

// 22: two refunds of 60.00 at once on 100.00: one succeeds, and the rest can be refunded afterwards.
func TestRefundsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.transaction("SALE", "SUCCESS", "order_id", "O-REFUNDED", "order_amount", "100.00")
	refund := func(amount string) *request {
		q := w.at["CREDITVOID"].request(w)
		q.body = q.body.with("trans_id", id, "amount", amount)
		q.sign()
		return q
	}
	requests, answers := []*request{refund("60.00"), refund("70.00")}, make([]answer, 2)
	rest := "40.00"
	var both sync.WaitGroup
	for i, q := range requests {
		both.Go(func() { answers[i], _ = w.attempt(q) })
	}
	both.Wait()
	if answers[0].status != 200 {
		requests[0], requests[1], rest = requests[1], requests[0], "30.00"
		answers[0], answers[1] = answers[1], answers[0]
	}
	require.Equal(t, 200, answers[0].status, answers[0].body)
	tooMuch := fails(22, 208006, "Not acceptable to request the refund for amount bigger than payment amount.")
	w.refusedWith(tooMuch, requests[1], answers[1])
	w.Work(t)
	require.Equal(t, 200, w.send(refund(rest)).status)
	w.Work(t)
	w.refusedWith(fails(22, 100000, "Refund is not allowed."), requests[1], w.send(refund("0.01")))
}

// 29: the hash of one order signs no other, wherever the border of number and amount is. 32: letter case makes
// another order, whose hash is the same.
func TestHashOfAnotherOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.order("ORD-1", "10.00")
	require.Equal(t, 200, w.send(first).status)
	stolen := w.order("ORD-", "110.00")
	stolen.body["hash"] = first.body["hash"]
	w.refusedWith(bad(29, "hash: already used for another request"), stolen, w.send(stolen))
	w.Clock.Set(w.Clock.Now().Add(gateway.DuplicateWindow))
	folded := w.order("ord-1", "10.00")
	folded.body["hash"] = first.body["hash"]
	require.Equal(t, 200, w.send(folded).status)
}

// 30: the same order again within 15 seconds, and at 15 seconds: Checkout accepts it, S2S refuses a used number.
func TestSameOrderAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	again := func(q *request, after time.Duration) answer {
		w.Clock.Set(w.Clock.Now().Add(after))
		return w.send(q)
	}
	duplicate := fails(30, 400, "Duplicate request.")
	require.Equal(t, 200, w.send(w.order("ORD-1", "10.00")).status)
	q := w.order("ORD-1", "10.00")
	w.refusedWith(duplicate, q, again(q, gateway.DuplicateWindow-time.Millisecond))
	require.Equal(t, 200, again(w.order("ORD-1", "10.00"), time.Millisecond).status)

	sale := func() *request { return w.at["SALE"].request(w) }
	require.Equal(t, 200, w.send(sale()).status)
	w.refusedWith(duplicate, sale(), again(sale(), gateway.DuplicateWindow-time.Millisecond))
	w.refusedWith(bad(30, "order_id: Duplicate payment."), sale(), again(sale(), time.Millisecond))
}

// 31: a hundred equal requests at once make one session.
func TestHundredAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answers := make([]answer, 100)
	var all sync.WaitGroup
	for i := range answers {
		q := w.order("ORD-1", "10.00")
		q.sign()
		all.Go(func() { answers[i], _ = w.attempt(q) })
	}
	all.Wait()
	passed := 0
	for _, got := range answers {
		if got.status == 200 {
			passed++
			continue
		}
		w.refusedWith(fails(31, 400, "Duplicate request."), w.order("ORD-1", "10.00"), got)
	}
	require.Equal(t, 1, passed)
}

// The judge finds each kind of fault.
func TestJudgeCanFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	passing := one(0, "whatever", "x", "whatever: is wrong")
	passing.at = "session"
	err := passing.run(w)
	require.ErrorContains(t, err, "status 200, not 400")
	require.ErrorContains(t, err, "the store was changed")
	sold := row{at: "SALE", edits: []edit{set("order_id", "O-9")}}
	require.ErrorContains(t, sold.run(w), "the acquirer was called 1 times")
	require.ErrorContains(t, sold.run(w), "not 0")
	wrong := row{at: "SALE", edits: []edit{set("order_id", "")}, want: []string{"order_id: This value is not valid."}}
	require.ErrorContains(t, wrong.run(w), "got  order_id: This value should not be blank.")
	q := w.at["SALE"].request(w)
	for _, text := range []string{"a " + pan, "a 739", gatewayPassword} {
		require.Error(t, w.echo(q, text, 3))
	}
	require.NoError(t, w.echo(q, "a 4111 and 738", 3))
	require.Error(t, quiet("server: http: panic serving"))
	require.Error(t, (&row{status: 500}).judge(q.at, answer{status: 500}))
	require.Error(t, closed(map[string][]string{"Access-Control-Allow-Origin": {"*"}}))
}
