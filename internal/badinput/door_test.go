package badinput_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Tests of every endpoint: each case has its own request, on one gateway.

// named are the fields of the order number by endpoint; an endpoint without one is not listed.
var named = map[string]string{
	"session": "order.number", "HPF token": "order.number", "recurring": "order.number", "card credit": "order_id",
	"SALE": "order_id", "SALE on v2": "order_id", "SALE with mpi_data": "order_id", "AUTH": "order_id",
	"DEBIT":       "order_id",
	"CREDIT2CARD": "order_id", "CARD2CARD": "order_id", "RECURRING_SALE": "order_id", "RECURRING_DEBIT": "order_id",
	"APM SALE": "order_id", "CREDIT2VIRTUAL": "order_id", "mobile money": "order_id", "CREDIT2CRYPTO": "order_id",
	"DEBIT2VIRTUAL": "order_id", "DEBIT2VIRTUAL_CALC": "order_id",
}

// fresh is a valid request of the endpoint with changes. It uses a new order, or a session that is not paid, and
// comes late enough that it repeats none.
func (w *world) fresh(at string, pairs ...any) *request {
	w.t.Helper()
	w.Clock.Set(w.Clock.Now().Add(20 * time.Second))
	w.count++
	order := w.newest()
	q := w.at[at].request(w)
	switch field := named[at]; {
	case field != "":
		q.body.set(field, order, !q.at.form)
	case slices.Contains([]string{"HPF payment", "HPF debit", "HPF update", "HPF fields"}, at):
		operation := "purchase"
		if at == "HPF debit" {
			operation = "debit"
		}
		q.header.Set("Token", w.collected(operation, order))
	}
	for i := 0; i < len(pairs); i += 2 {
		q.body.set(pairs[i].(string), pairs[i+1], !q.at.form)
	}
	return q
}

// newest is the order of the newest request.
func (w *world) newest() string { return fmt.Sprintf("ORD-N%d", w.count) }

// refuses reports an error unless the endpoint refuses the request with the text.
func (w *world) refuses(q *request, text string) error {
	q.sign()
	switch got := w.send(q); {
	case got.status == 200:
		return fmt.Errorf("taken: %.200s", got.body)
	case got.status != 400 || !strings.Contains(got.body, quote(text)):
		return fmt.Errorf("%d, not %q: %.300s", got.status, text, got.body)
	}
	return nil
}

// rejects reports an error unless the endpoint refuses the request, with any text.
func (w *world) rejects(q *request) error {
	q.sign()
	if got := w.send(q); got.status != 400 {
		return fmt.Errorf("%d: %.300s", got.status, got.body)
	}
	return nil
}

// takes reports an error unless the endpoint accepts the request.
func (w *world) takes(q *request) error {
	q.sign()
	if got := w.send(q); got.status != 200 {
		return fmt.Errorf("%d: %.300s", got.status, got.body)
	}
	return nil
}
