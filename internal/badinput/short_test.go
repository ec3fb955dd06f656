package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// amountDoors are the endpoints with an amount, and its field.
var amountDoors = []struct {
	at, field string
	pairs     []any
}{
	{"session", "order.amount", nil},
	{"session", "payment_schedule_amount", []any{"recurring_init", true}},
	{"HPF token", "order.amount", nil},
	{"HPF update", "order_amount", nil},
	{"capture", "amount", nil}, {"refund", "amount", nil},
	{"recurring", "order.amount", nil},
	{"card credit", "order_amount", nil},
	{"SALE", "order_amount", nil}, {"SALE on v2", "order_amount", nil}, {"AUTH", "order_amount", nil}, {"DEBIT", "order_amount", nil},
	{"SALE", "payment_schedule_amount", []any{"recurring_init", "Y"}},
	{"CREDIT2CARD", "order_amount", nil}, {"CARD2CARD", "order_amount", nil},
	{"RECURRING_SALE", "order_amount", nil},
	{"CAPTURE", "amount", nil}, {"CREDITVOID", "amount", nil},
	{"APM SALE", "order_amount", nil}, {"CREDIT2VIRTUAL", "order_amount", nil}, {"mobile money", "order_amount", nil},
	{"CREDIT2CRYPTO", "order_amount", nil}, {"DEBIT2VIRTUAL", "order_amount", nil}, {"DEBIT2VIRTUAL_CALC", "order_amount", nil},
	{"APM CREDITVOID", "amount", nil},
}

// An amount with fewer decimals is refused, and accepted if the mapping allows it; one with more is always refused
// (decision am).
func TestShortAmountsAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, door := range amountDoors {
		t.Run(door.at+" "+door.field, func(t *testing.T) {
			t.Parallel()
			short, long, halves := "10", "5.000", "10.5"
			switch door.at {
			case "CREDIT2CRYPTO":
				long = "5.0000000"
			case "capture", "refund", "CAPTURE", "CREDITVOID", "APM CREDITVOID":
				short, halves = "5", "4.5"
			}
			for _, text := range []string{short, halves} {
				w := newWorld(t)
				require.NoError(t, w.rejects(w.priced(door.at, door.field, text, door.pairs)), "%s without the option", text)
				w.shortAmounts()
				require.NoError(t, w.takes(w.priced(door.at, door.field, text, door.pairs)), "%s with the option", text)
				require.NoError(t, w.rejects(w.priced(door.at, door.field, long, door.pairs)), "%s with the option", long)
			}
		})
	}
}

// priced is a request with an amount; a chain that it begins is on a schedule.
func (w *world) priced(at, field, amount string, pairs []any) *request {
	q := w.fresh(at, append([]any{field, amount}, pairs...)...)
	if pairs != nil {
		q.body.set("schedule_id", w.transaction("CREATE_SCHEDULE", "SUCCESS"), !q.at.form)
	}
	return q
}

func (w *world) shortAmounts() {
	for _, protocol := range store.Protocols() {
		require.NoError(w.t, w.SaveMapping(w.t.Context(), store.Mapping{
			MerchantID: gatewaytest.MerchantID, Protocol: protocol, RequireName: protocol == store.Checkout, ShortAmounts: true,
		}))
	}
}

// A short amount is hashed and reported as it was sent.
func TestShortAmountsAreEchoed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, field, name string }{
		{"SALE", "order_amount", "amount"}, {"recurring", "order.amount", "order_amount"},
	} {
		t.Run(c.at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.shortAmounts()
			q := w.fresh(c.at, c.field, "7")
			q.sign()
			got := w.send(q)
			require.Equal(t, 200, got.status, got.body)
			require.Contains(t, got.body, `"amount":"7"`)
			w.Work(t)
			told := w.Inbox.Fields(t)
			require.Equal(t, "7", told[len(told)-1].Get(c.name))
		})
	}
}
