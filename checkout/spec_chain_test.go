package checkout_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// The paths of chains.
const (
	pathRecurring = "/api/v1/payment/recurring"
	pathRetry     = "/api/v1/payment/retry"
)

// recurring returns a later payment of 5.00 of the chain that a payment began, edited and then signed.
func recurring(first store.Payment, edits ...edit) object {
	return object{
		"merchant_key": gatewaytest.MerchantKey, "hash": toSign,
		"order":                   object{"number": "ORD-2", "amount": "5.00", "description": "Second month"},
		"recurring_init_trans_id": first.ID, "recurring_token": first.RecurringToken,
	}.edited(edits)
}

// chain returns a payment of ORD-1 that began a chain.
func (s *shop) chain(t testing.TB, edits ...edit) store.Payment {
	t.Helper()
	return s.settled(t, append([]edit{set("recurring_init", true)}, edits...)...)
}

// callbackOf returns the newest callback of an order.
func (s *shop) callbackOf(t testing.TB, number string) url.Values {
	t.Helper()
	s.Work(t)
	var newest url.Values
	for _, form := range s.Inbox.Fields(t) {
		if form.Get("order_number") == number {
			newest = form
		}
	}
	require.NotNil(t, newest, "no callback of %s", number)
	return newest
}

// recurring_init: "on settlement recurring_token (and recurring_init_trans_id) is returned in the response
// and callback", for purchase and debit, and never before.
func TestSPEC1RecurringInit(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			next := s.Pay(t, s.link(t, set("operation", operation), set("recurring_init", "Y")), gatewaytest.ThreeDSPasses)
			id := s.Payment(t, "ORD-1").ID
			require.Empty(t, s.callbackOf(t, "ORD-1").Get("recurring_token"), "not while the payer is at the issuer")
			require.NotContains(t, ok[map[string]any](t, s, pathStatus, followUp(id, "")), "recurring_token")
			s.ComeBack(t, next.Redirect)
			form := s.callbackOf(t, "ORD-1")
			require.Equal(t, "settled", form.Get("order_status"))
			require.Equal(t, id, form.Get("recurring_init_trans_id"))
			require.NotEmpty(t, form.Get("recurring_token"))
			status := ok[map[string]any](t, s, pathStatus, followUp(id, ""))
			require.Equal(t, []any{form.Get("recurring_token"), id},
				[]any{status["recurring_token"], status["recurring_init_trans_id"]})
		})
	}
}

func TestSPEC1RecurringInitDeclined(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Pay(t, s.link(t, set("recurring_init", true)), gatewaytest.Declines)
	form := s.callbackOf(t, "ORD-1")
	require.Empty(t, form["recurring_token"])
	require.Empty(t, form["recurring_init_trans_id"])
	require.NotContains(t, ok[map[string]any](t, s, pathStatus, byOrder("ORD-1")), "recurring_token")
}

// "POST /api/v1/payment/recurring": the answer of checkout.md, in the order of its sample; the currency is
// that of the first payment.
func TestSPEC1Recurring(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t, of("EUR", "10.00"))
	got := s.post(t, pathRecurring, recurring(first))
	require.Equal(t, 200, got.status, got.body)
	p := s.Payment(t, "ORD-2")
	require.Equal(t,
		`{"status":"settled","payment_id":"`+p.ID+`","date":"2027-03-10 12:00:00","recurring_token":"`+first.RecurringToken+
			`","order":{"number":"ORD-2","amount":"5.00","currency":"EUR","description":"Second month"},`+
			`"customer":{"name":"John Doe","email":"doe@example.com"}}`, got.body)
	form := s.callbackOf(t, "ORD-2")
	for name, want := range map[string]string{
		"type": "recurring", "status": "success", "order_status": "settled", "recurring_init_trans_id": first.ID,
		"recurring_token": first.RecurringToken, "order_currency": "EUR", "card": "411111******1111",
	} {
		require.Equal(t, want, form.Get(name), name)
	}
	require.Equal(t, "settled", s.statusOf(t, p.ID))
}

// "Secondary sale ... optional custom_data (its value replaces the initial one in the callback)".
func TestSPEC1RecurringCustomData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		edits []edit
		want  map[string]string
	}{
		{"the first one's", nil, map[string]string{"custom_data[a]": "1", "custom_data[b]": "2"}},
		{"replaced", []edit{set("custom_data", object{"a": "3"})}, map[string]string{"custom_data[a]": "3"}},
		{"empty", []edit{set("custom_data", object{})}, map[string]string{"custom_data[a]": "1", "custom_data[b]": "2"}}, // decision ap
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			first := s.chain(t, set("custom_data", object{"a": "1", "b": "2"}))
			ok[object](t, s, pathRecurring, recurring(first, c.edits...))
			got := map[string]string{}
			for name, values := range s.callbackOf(t, "ORD-2") {
				if strings.HasPrefix(name, "custom_data") {
					got[name] = values[0]
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}

// customer of the sample replaces the first payment's; the answer repeats schedule_id.
func TestSPEC1RecurringCustomer(t *testing.T) {
	t.Parallel()
	s := open(t)
	weekly, err := s.Shop().CreateSchedule(t.Context(), store.Schedule{
		Name: "weekly", IntervalLength: 7, IntervalUnit: store.Day, PaymentsCount: 4})
	require.NoError(t, err)
	first := s.chain(t)
	refused := s.post(t, pathRecurring, recurring(first, set("schedule_id", "nope")))
	require.Equal(t, 400, refused.status)
	got := ok[map[string]any](t, s, pathRecurring, recurring(first,
		set("customer", object{"name": "Jane Roe", "email": "roe@example.com"}), set("schedule_id", weekly.ID)))
	require.Equal(t, map[string]any{"name": "Jane Roe", "email": "roe@example.com"}, got["customer"])
	require.Equal(t, weekly.ID, got["schedule_id"])
	form := s.callbackOf(t, "ORD-2")
	require.Equal(t, []string{"Jane Roe", "roe@example.com", weekly.ID},
		[]string{form.Get("customer_name"), form.Get("customer_email"), form.Get("schedule_id")})
}

// A first payment whose payer typed a name that no request may have gets a chain like any other.
func TestSPEC1RecurringOfATypedName(t *testing.T) {
	t.Parallel()
	s := open(t)
	card := gatewaytest.Settles
	card.Holder = "José García"
	s.Pay(t, s.link(t, set("recurring_init", true), drop("customer")), card)
	got := ok[map[string]any](t, s, pathRecurring, recurring(s.Payment(t, "ORD-1")))
	require.Equal(t, "settled", got["status"])
}

// "SMS/DMS ... A MID in DMS mode keeps any sale in PENDING until it is captured", a later payment too (decision
// s).
func TestSPEC1RecurringOnDMS(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mid(t, func(m *store.MID) { m.Mode = store.DMS })
	first := s.chain(t, set("auth", true))
	ok[object](t, s, pathCapture, followUp(first.ID, "10.00"))
	got := ok[map[string]any](t, s, pathRecurring, recurring(first))
	require.Equal(t, "pending", got["status"])
	ok[object](t, s, pathCapture, followUp(got["payment_id"].(string), "5.00"))
	require.Equal(t, "settled", s.statusOf(t, got["payment_id"].(string)))
}

// "on settlement recurring_token ... is returned in the response and callback": for an authorization that is with
// its capture, from which the schedule counts too (decision ar); for an authorization of zero it is at once.
func TestSPEC1RecurringInitOfAHold(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.Mode, m.ChannelID = store.DMS, "held" })
			weekly, err := s.Shop().CreateSchedule(t.Context(), store.Schedule{
				Name: "weekly", IntervalLength: 7, IntervalUnit: store.Day, PaymentsCount: 4})
			require.NoError(t, err)
			first := s.chain(t, set("operation", operation), set("channel_id", "held"), set("schedule_id", weekly.ID))
			form := s.callbackOf(t, "ORD-1")
			kind := map[string]string{"purchase": "sale", "debit": "debit"}[operation] // decision ax
			require.Equal(t, []string{kind, "success", "pending"},
				[]string{form.Get("type"), form.Get("status"), form.Get("order_status")})
			status := ok[map[string]any](t, s, pathStatus, followUp(first.ID, ""))
			for _, name := range []string{"recurring_token", "recurring_init_trans_id", "first_recurring_date"} {
				require.Empty(t, form.Get(name))
				require.NotContains(t, status, name)
			}
			requireError(t, s.post(t, pathRecurring, recurring(first)), 100000, "Incorrect transaction")
			s.Advance(t, 48*time.Hour)
			got := ok[map[string]any](t, s, pathCapture, followUp(first.ID, "4.00"))
			require.Equal(t, []any{first.RecurringToken, first.ID, weekly.ID, "2027-03-19"},
				[]any{got["recurring_token"], got["recurring_init_trans_id"], got["schedule_id"], got["first_recurring_date"]})
			form = s.callbackOf(t, "ORD-1")
			require.Equal(t, []string{"capture", first.RecurringToken, first.ID},
				[]string{form.Get("type"), form.Get("recurring_token"), form.Get("recurring_init_trans_id")})
			status = ok[map[string]any](t, s, pathStatus, followUp(first.ID, ""))
			require.Equal(t, []any{first.RecurringToken, "2027-03-19"},
				[]any{status["recurring_token"], status["first_recurring_date"]})
			ok[object](t, s, pathRecurring, recurring(first))
		})
	}
	s := open(t)
	s.mid(t, func(m *store.MID) { m.ZeroAmount = true })
	first := s.chain(t, set("auth", true), set("order.amount", "0.00"))
	require.Equal(t, first.RecurringToken, s.callbackOf(t, "ORD-1").Get("recurring_token"))
	ok[object](t, s, pathRecurring, recurring(first))
}

// A chain ends when its first payment is voided, reversed or disputed in full. A refund does not end it (decision
// ar).
func TestSPEC1RecurringEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		operation, path, amount string
		ends                    bool
	}{
		"void": {"purchase", pathVoid, "", true}, "void of a debit": {"debit", pathVoid, "", true},
		"reversal of a debit": {"debit", pathRefund, "10.00", true}, "refund": {"purchase", pathRefund, "10.00", false},
		"dispute": {"purchase", "", "10.00", true}, "dispute of a part": {"purchase", "", "9.99", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			first := s.chain(t, set("operation", c.operation))
			if c.path != "" {
				ok[object](t, s, c.path, followUp(first.ID, c.amount))
			} else {
				_, err := s.Chargeback(t.Context(), gateway.Dispute{PaymentID: first.ID, Amount: c.amount})
				require.NoError(t, err)
			}
			form, status := s.callbackOf(t, "ORD-1"), ok[map[string]any](t, s, pathStatus, followUp(first.ID, ""))
			got := s.post(t, pathRecurring, recurring(first))
			if c.ends {
				requireError(t, got, 100000, "Incorrect transaction")
				require.Empty(t, form.Get("recurring_token"))
				require.NotContains(t, status, "recurring_token")
				return
			}
			require.Equal(t, 200, got.status, got.body)
			require.Equal(t, first.RecurringToken, form.Get("recurring_token"))
			require.Equal(t, first.RecurringToken, status["recurring_token"])
		})
	}
}

// "RECURRING_SALE, unknown init pair: 100000, Incorrect transaction". The same for a first payment that failed and
// for the chain of another merchant.
func TestSPEC1RecurringIncorrectTransaction(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	first := s.chain(t)
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.Pay(t, s.link(t, set("recurring_init", true), set("order.number", "ORD-9")), gatewaytest.Declines)
	declined := s.Payment(t, "ORD-9")
	for name, body := range map[string]object{
		"unknown payment":       recurring(first, set("recurring_init_trans_id", "019580e4-0000-7000-8000-000000000000")),
		"unknown token":         recurring(first, set("recurring_token", "019580e4-0000-7000-8000-000000000000")),
		"token as a payment":    recurring(first, set("recurring_init_trans_id", first.RecurringToken)),
		"another merchant's":    recurring(first, asOther),
		"the test key":          recurring(first, set("merchant_key", gatewaytest.TestKey)),
		"a declined payment":    recurring(declined, set("recurring_token", first.RecurringToken)),
		"a payment of no chain": recurring(first, set("recurring_init_trans_id", declined.ID)),
	} {
		t.Log(name)
		requireError(t, s.post(t, pathRecurring, body), 100000, "Incorrect transaction")
	}
	require.Len(t, s.Charges(t), 2, "nothing was charged")
}

// The duplicate window applies to a recurring payment (SPEC1, Limits), and the same signed request is a duplicate
// for a day (decision cd).
func TestSPEC1RecurringDuplicate(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t)
	requireError(t, s.post(t, pathRecurring, recurring(first, set("order.number", "ORD-1"))), 400, "Duplicate request.")
	ok[object](t, s, pathRecurring, recurring(first))
	requireError(t, s.post(t, pathRecurring, recurring(first)), 400, "Duplicate request.")
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	ok[object](t, s, pathRecurring, recurring(first, set("order.number", "ORD-3")))
	s.Clock.Set(s.Clock.Now().Add(24*time.Hour - gateway.DuplicateWindow - 1))
	requireError(t, s.post(t, pathRecurring, recurring(first)), 400, "Duplicate request.")
	s.Clock.Set(s.Clock.Now().Add(1))
	ok[object](t, s, pathRecurring, recurring(first))
}

// CheckoutRecurring, computed here from "Hash formulas" and not by the code under test; testdata.md has the
// vector.
func TestSPEC1RecurringHash(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t)
	right := plainHash(strings.ToUpper(first.ID + first.RecurringToken + "ORD-2" + "5.00" + "Second month" +
		gatewaytest.Password))
	withCurrency := plainHash(strings.ToUpper(first.ID + first.RecurringToken + "ORD-2" + "5.00" + "USD" + "Second month" +
		gatewaytest.Password))
	requireFaults(t, s.post(t, pathRecurring, recurring(first, set("hash", withCurrency))), badHash)
	ok[object](t, s, pathRecurring, recurring(first, set("hash", right)))
}

// A declined later payment: status decline (checkout.md, "Responses") with the reason in Checkout's spelling.
func TestSPEC1RecurringDeclined(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t)
	s.Vcard.On("ORD-2", vcard.Decline("Declined by processing"))
	got := ok[map[string]any](t, s, pathRecurring, recurring(first))
	require.Equal(t, "decline", got["status"])
	require.Equal(t, "Declined by processing.", got["reason"])
	require.NotContains(t, got, "recurring_token")
	form := s.callbackOf(t, "ORD-2")
	require.Equal(t, []string{"recurring", "fail", "decline"},
		[]string{form.Get("type"), form.Get("status"), form.Get("order_status")})
	requireError(t, s.post(t, pathRetry, followUp(got["payment_id"].(string), "")), 100000, "Retry is not allowed.")
}

// retry: "can change the final status" of a later payment that was declined softly (lifecycle.md); the answer is
// accepted whatever the outcome.
func TestSPEC1Retry(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t)
	s.Vcard.On("ORD-2", vcard.SoftDecline("No funds"), vcard.SoftDecline("Still none"))
	id := ok[map[string]any](t, s, pathRecurring, recurring(first))["payment_id"].(string)
	for _, status := range []string{"decline", "settled"} {
		got := s.post(t, pathRetry, followUp(id, ""))
		require.Equal(t, 200, got.status, got.body)
		require.Equal(t, `{"payment_id":"`+id+`","result":"accepted"}`, got.body)
		s.requireStatus(t, id, status)
		require.Equal(t, []string{"recurring", status},
			[]string{s.callbackOf(t, "ORD-2").Get("type"), s.callbackOf(t, "ORD-2").Get("order_status")})
	}
	requireError(t, s.post(t, pathRetry, followUp(id, "")), 100000, "Retry is not allowed.")
	require.Equal(t, "refund", s.refund(t, id, "5.00"), "it is a payment like any other")
}

// retriable returns a later payment of a chain that was declined softly.
func (s *shop) retriable(t testing.TB) string {
	t.Helper()
	first := s.chain(t)
	s.Vcard.On("ORD-2", vcard.SoftDecline("No funds"))
	return ok[map[string]any](t, s, pathRecurring, recurring(first))["payment_id"].(string)
}

func TestSPEC1RetryNeedsALaterPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.chain(t)
	requireError(t, s.post(t, pathRetry, followUp(first.ID, "")), 100000, "Retry is not allowed.")
	s.Pay(t, s.link(t, set("order.number", "ORD-3")), gatewaytest.Card(4, 2038))
	requireError(t, s.post(t, pathRetry, followUp(s.Payment(t, "ORD-3").ID, "")), 100000, "Retry is not allowed.")
	requireError(t, s.post(t, pathRetry, followUp("019580e4-0000-7000-8000-000000000000", "")), 101000,
		"Payment does not exist.")
}
