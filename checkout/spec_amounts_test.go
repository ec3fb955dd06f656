package checkout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// moneyOf returns the amounts in an answer or a callback.
func moneyOf(values map[string]string) map[string]string {
	got := map[string]string{}
	for _, name := range []string{"amount", "captured_amount", "refunded_amount", "pending_refund_amount",
		"order_amount"} {
		if value, ok := values[name]; ok {
			got[name] = value
		}
	}
	return got
}

// statusMoney returns the amounts in a status answer, except for the order's.
func (s *shop) statusMoney(t testing.TB, id string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for name, value := range ok[map[string]any](t, s, pathStatus, followUp(id, "")) {
		if text, is := value.(string); is {
			values[name] = text
		}
	}
	return moneyOf(values)
}

// lastMoney returns the amounts in the newest callback, and its type.
func (s *shop) lastMoney(t testing.TB) (string, map[string]string) {
	t.Helper()
	values := map[string]string{}
	form := s.callbackOf(t, "ORD-1")
	for name := range form {
		values[name] = form.Get(name)
	}
	return form.Get("type"), moneyOf(values)
}

// Callbacks and answers of follow-ups have their own amount in addition to the order's, which stays as it was
// signed. Status answers have the captured and the refunded amount once they are not zero. With order_amount_only
// all of these are left out (decision aq).
func TestAmountsOfFollowUps(t *testing.T) {
	t.Parallel()
	type amounts = map[string]string
	for _, c := range []struct {
		name, currency, order string
		capture, refund       string // as sent
		captured, refunded    string // as reported
		left                  string
	}{
		{"two decimals", "USD", "10.00", "6.00", "1.50", "6.00", "1.50", "4.50"},
		{"no decimals, ordered with two", "JPY", "1000.00", "600.00", "150.00", "600.00", "150.00", "450.00"},
		{"no decimals, ordered with none", "JPY", "1000", "600", "150", "600", "150", "450"},
		{"no decimals, ordered with two, then none", "JPY", "1000.00", "600", "150", "600.00", "150.00", "450.00"},
		{"no decimals, ordered with none, then two", "JPY", "1000", "600.00", "150.00", "600", "150", "450"},
		{"three decimals", "KWD", "10.000", "6.000", "1.500", "6.000", "1.500", "4.500"},
	} {
		for _, only := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", order_amount_only"}[only], func(t *testing.T) {
				t.Parallel()
				s := open(t)
				s.mapping(t, func(m *store.Mapping) { m.OrderAmountOnly = only })
				with := func(signed, own amounts) amounts { // what the option leaves
					if !only {
						for name, value := range own {
							signed[name] = value
						}
					}
					return signed
				}
				requireLast := func(kind string, own amounts) {
					last, money := s.lastMoney(t)
					require.Equal(t, kind, last)
					require.Equal(t, with(amounts{"order_amount": c.order}, own), money, kind)
				}
				id := s.held(t, of(c.currency, c.order)).ID
				requireLast("sale", nil)
				require.Empty(t, s.statusMoney(t, id))

				got := ok[amounts](t, s, pathCapture, followUp(id, c.capture))
				require.Equal(t, with(amounts{}, amounts{"amount": c.captured}), moneyOf(got))
				requireLast("capture", amounts{"amount": c.captured})
				require.Equal(t, with(amounts{}, amounts{"captured_amount": c.captured}), s.statusMoney(t, id))

				got = ok[amounts](t, s, pathRefund, followUp(id, c.refund))
				require.Equal(t, with(amounts{}, amounts{"amount": c.refunded}), moneyOf(got))
				requireLast("refund", amounts{"amount": c.refunded})
				require.Equal(t, with(amounts{}, amounts{"captured_amount": c.captured, "refunded_amount": c.refunded}),
					s.statusMoney(t, id))

				_, err := s.Chargeback(t.Context(), gateway.Dispute{PaymentID: id})
				require.NoError(t, err)
				requireLast("chargeback", amounts{"amount": c.left})
			})
		}
	}
}

// With pending_refund_amount a status answer has the amount of what is being given back, until that is done (decision
// cg).
func TestPendingRefundAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		edits   []edit
		refunds []string
		pending string
	}{
		{"refunds of parts", nil, []string{"3.00", "1.50"}, "4.50"},
		{"release of a hold", []edit{set("auth", true)}, []string{"10.00"}, "10.00"},
		{"reversal of a debit", []edit{set("operation", "debit")}, []string{"10.00"}, "10.00"},
	} {
		for _, on := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", pending_refund_amount"}[on], func(t *testing.T) {
				t.Parallel()
				s := open(t)
				s.mapping(t, func(m *store.Mapping) { m.PendingRefunds = on })
				id := s.settled(t, c.edits...).ID
				require.NotContains(t, s.statusMoney(t, id), "pending_refund_amount")
				for _, amount := range c.refunds {
					s.Vcard.Next(vcard.UnknownBefore())
					ok[object](t, s, pathRefund, followUp(id, amount))
				}
				require.Equal(t, map[bool]string{true: c.pending}[on], s.statusMoney(t, id)["pending_refund_amount"])
				s.Advance(t, 24*time.Hour)
				require.NotContains(t, s.statusMoney(t, id), "pending_refund_amount", "they are done")
			})
		}
	}
}

// A void and a reversal report their amount too, and so do later payments of chains and debits.
func TestAmountsOfVoidsAndReversals(t *testing.T) {
	t.Parallel()
	type amounts = map[string]string
	for _, c := range []struct {
		name, path, kind string
		edits            []edit
		after            amounts // the status answer
	}{
		{"void of a sale", pathVoid, "void", nil, amounts{"captured_amount": "10.00"}},
		{"void of a debit", pathVoid, "void", []edit{set("operation", "debit")}, amounts{"captured_amount": "10.00"}},
		{"reversal of a debit", pathRefund, "refund", []edit{set("operation", "debit")}, amounts{"captured_amount": "10.00", "refunded_amount": "10.00"}},
		{"reversal of a hold", pathRefund, "refund", []edit{set("auth", true)}, amounts{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			id := s.settled(t, c.edits...).ID
			body := followUp(id, "10.00")
			if c.path == pathVoid {
				body = followUp(id, "")
			}
			ok[object](t, s, c.path, body)
			kind, money := s.lastMoney(t)
			require.Equal(t, c.kind, kind)
			require.Equal(t, amounts{"order_amount": "10.00", "amount": "10.00"}, money)
			require.Equal(t, c.after, s.statusMoney(t, id))
		})
	}
}

// An authorization of zero is released by a refund of zero or without amount, and cannot be captured. Any other
// refund needs an amount above zero (decision as).
func TestReleaseOfAHoldOfNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, order, amount string
		edits               []edit
		want                string // the fault; "" when released
	}{
		{"0.00", "0.00", "0.00", nil, ""},
		{"none", "0.00", "", nil, ""},
		{"null", "0.00", "", []edit{set("amount", raw("null"))}, ""},
		{"empty", "0.00", "", []edit{set("amount", "")}, ""},
		{"no decimals", "0.00", "0", nil, "amount: must be a decimal number with 2 decimals, like 12.34"},
		{"negative", "0.00", "-0.00", nil, "amount: must be a decimal number of at most 15 digits and 18 decimals, like 12.34"},
		{"something held, none asked", "10.00", "", nil, "amount" + blank},
		{"something held, 0.00 asked", "10.00", "0.00", nil, positive},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.ZeroAmount = true })
			id := s.held(t, set("order.amount", c.order)).ID
			for amount, want := range map[string]string{"0.00": positive, "": "amount" + blank} {
				requireFaults(t, s.post(t, pathCapture, followUp(id, amount)), want)
			}
			if c.order == "0.00" {
				requireError(t, s.post(t, pathCapture, followUp(id, "1.00")), 208003, captureStatus)
				requireError(t, s.post(t, pathRefund, followUp(id, "1.00")), 208008, reversalMore)
			}
			got := s.post(t, pathRefund, followUp(id, c.amount, c.edits...))
			if c.want != "" {
				requireFaults(t, got, c.want)
				s.requireStatus(t, id, "pending")
				return
			}
			require.Equal(t, `{"payment_id":"`+id+`","result":"accepted","amount":"0.00"}`, got.body)
			s.Work(t)
			s.requireStatus(t, id, "reversal")
			require.Equal(t, []string{"refund", "success", "reversal"}, s.callbacks(t)[1])
			requireError(t, s.post(t, pathRefund, followUp(id, "0.01")), 100000, noRefund)
			requireError(t, s.post(t, pathCapture, followUp(id, "0.01")), 208003, captureStatus)
		})
	}
}
