package hpf_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

const noUpdate = "Session can not be updated."

// Rule 1: fields that are not sent stay. Rule 5: the token and the entered card stay.
func TestUpdate(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles, set("custom_data", object{"a": "1"}),
		set("parameters", object{"card": object{"x": "1"}}))
	s.update(t, token, set("order_amount", "12.50"))
	s.update(t, token, set("order_currency", "EUR"))
	require.Equal(t, "success", s.pay(t, token).Result)
	p := s.Payment(t, "ORD-1")
	require.Equal(t, "12.50", p.Order.Amount)
	require.Equal(t, "EUR", p.Order.Currency)
	require.JSONEq(t, `{"a":"1"}`, string(p.CustomData))
	s.Work(t)
	require.Equal(t, "12.50", s.Inbox.Fields(t)[0].Get("order_amount"))
	require.Equal(t, store.MustAmount("12.50"), s.Charges(t)[0].Amount)
}

// custom_data and parameters are replaced as a whole, and {} clears.
func TestUpdateObjects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit edit
		want string
	}{
		"replaced": {set("custom_data", object{"b": "2"}), `{"b":"2"}`},
		"cleared":  {set("custom_data", object{}), ``},
		"left":     {set("parameters", object{}), `{"a":"1"}`},
		"null":     {func(o object) { o["custom_data"] = nil; o["req_token"] = false }, `{"a":"1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			token := s.collected(t, gatewaytest.Settles, set("custom_data", object{"a": "1"}))
			s.update(t, token, c.edit)
			require.Equal(t, "success", s.pay(t, token).Result)
			require.Equal(t, c.want, string(s.Payment(t, "ORD-1").CustomData))
		})
	}
}

// req_token and recurring_init of an update take effect.
func TestUpdateFlags(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles, set("recurring_init", true))
	s.update(t, token, set("req_token", true), set("recurring_init", false))
	s.pay(t, token)
	p := s.Payment(t, "ORD-1")
	require.Len(t, p.CardToken, 64)
	require.Empty(t, p.RecurringToken)
}

// schedule_id: only with recurring_init (decision ai); null removes it.
func TestUpdateSchedule(t *testing.T) {
	t.Parallel()
	s := open(t)
	schedule, err := s.Shop().CreateSchedule(t.Context(), store.Schedule{
		Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, DayOfMonth: 1, PaymentsCount: 12,
	})
	require.NoError(t, err)
	const notValid = "schedule_id: This value is not valid."
	token := s.collected(t, gatewaytest.Settles)
	requireFaults(t, s.under(t, token, pathUpdate, object{"schedule_id": schedule.ID}), notValid)
	requireFaults(t, s.under(t, token, pathUpdate, object{"schedule_id": schedule.ID, "recurring_init": false}), notValid)
	requireError(t, s.under(t, token, pathUpdate, object{"schedule_id": "nothing", "recurring_init": true}),
		"Schedule not found")
	s.update(t, token, set("schedule_id", schedule.ID), set("recurring_init", true))
	requireFaults(t, s.under(t, token, pathUpdate, object{"recurring_init": false}), notValid)
	s.update(t, token, set("schedule_id", nil))
	s.update(t, token, set("schedule_id", schedule.ID))
	s.update(t, token, set("schedule_id", ""), set("order_amount", "11.00")) // absent
	s.pay(t, token)
	require.Equal(t, schedule.ID, s.Payment(t, "ORD-1").ScheduleID)

	token = s.collected(t, gatewaytest.Settles, set("order.number", "ORD-2"), set("recurring_init", true),
		set("schedule_id", schedule.ID),
		set("payment_schedule_amount", "5.00"))
	s.update(t, token, set("schedule_id", nil), set("recurring_init", false))
	s.pay(t, token)
	require.Empty(t, s.Payment(t, "ORD-2").ScheduleID)

	debit := s.collected(t, gatewaytest.Settles, set("order.number", "ORD-3"), set("operation", "debit"),
		set("recurring_init", true))
	requireFaults(t, s.under(t, debit, pathUpdate, object{"schedule_id": schedule.ID}), notValid)
	s.update(t, debit, set("schedule_id", nil))
}

// Rule 4: the amount is checked against the currency, and methods are chosen again.
func TestUpdateChoosesAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, s.SaveMID(t.Context(), store.MID{
		ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", Currencies: []string{"USD", "KWD"},
	}))
	token := s.collected(t, gatewaytest.Settles)
	before := s.records(t)
	requireError(t, s.under(t, token, pathUpdate, object{"order_currency": "EUR"}), "Not found acceptable methods")
	require.Equal(t, before, s.records(t))
	got := s.under(t, token, pathUpdate, object{"order_currency": "KWD"})
	require.Equal(t, 400, got.status, "10.00 is no amount of dinars")
	require.Contains(t, got.body, `"order_amount: `)
	s.update(t, token, set("order_currency", "KWD"), set("order_amount", "10.000"))
	s.pay(t, token)
	require.Equal(t, "10.000", s.Payment(t, "ORD-1").Order.Amount)
}

// Rules 2 and 3: every unlisted field is named.
func TestUpdateUnlisted(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	before := s.records(t)
	got := s.send(t, "PUT", pathUpdate,
		`{"order_amount":"5.00","merchant_key":"a","hash":null,"order":{"amount":"1.00"},"amount":1}`, "Token: "+token)
	requireFaults(t, got, `Parameter "merchant_key" can not be updated.`, `Parameter "hash" can not be updated.`,
		`Parameter "order" can not be updated.`, `Parameter "amount" can not be updated.`)
	for name := range purchase(set("methods", []string{"card"}), set("success_url", "https://shop.example/"),
		set("session_expiry", 5), set("customer", object{})) {
		if name != "custom_data" {
			requireFaults(t, s.under(t, token, pathUpdate, object{name: "x"}), `Parameter "`+name+`" can not be updated.`)
		}
	}
	got = s.under(t, token, pathUpdate, object{strings.Repeat("x", 60_000): 1})
	require.Equal(t, 400, got.status)
	require.Less(t, len(got.body), 1024, "a long name is cut")
	require.Equal(t, before, s.records(t))
}

// After a payment, even a declined or unfinished one, nothing can be updated; a new card may be collected and paid
// until the maximum number of declines.
func TestUpdateAfterPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.MaxDeclines = 2 })
	token := s.collected(t, gatewaytest.Declines)
	require.Equal(t, "decline", s.pay(t, token).Result)
	requireError(t, s.under(t, token, pathUpdate, object{"order_amount": "5.00"}), noUpdate)
	requireError(t, s.under(t, token, pathUpdate, object{"custom_data": object{}}), noUpdate)
	requireFaults(t, s.under(t, token, pathPurchase, payment()), "card_number"+blank)
	s.collect(t, token, gatewaytest.Declines)
	require.Equal(t, "decline", s.pay(t, token).Result)
	require.Error(t, s.HostedFields().Collect(t.Context(), token, gatewaytest.Settles))
	requireError(t, s.under(t, token, pathPurchase, payment()), "Session is closed.")
	requireError(t, s.under(t, token, pathUpdate, object{"order_amount": "5.00"}), noUpdate)
	require.Len(t, s.Charges(t), 2, "as many as were tried")

	token = s.collected(t, gatewaytest.Declines, set("order.number", "ORD-2"))
	s.pay(t, token)
	s.collect(t, token, gatewaytest.ThreeDSPasses)
	require.Equal(t, "redirect", s.pay(t, token).Result)
	requireError(t, s.under(t, token, pathUpdate, object{"order_amount": "5.00"}), noUpdate)
	requireError(t, s.under(t, token, pathPurchase, payment()), "Previous payment not completed.")
}

// A session and its update take the schedules of their own merchant and key: live and test are apart.
func TestSchedulesOfOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	const other = "0c7b1f64-0000-4000-8000-000000000001"
	require.NoError(t, s.SaveMerchant(t.Context(), store.Merchant{ID: "m-other", Name: "Other", Key: other,
		Password: store.NewSecret("other-password-0001")}))
	keys := []string{gatewaytest.MerchantKey, gatewaytest.TestKey, other}
	schedules := map[string]string{}
	for _, key := range keys {
		schedule, err := s.Merchant(key).CreateSchedule(t.Context(), store.Schedule{
			Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, DayOfMonth: 1, PaymentsCount: 12,
		})
		require.NoError(t, err)
		schedules[key] = schedule.ID
	}
	for i, key := range keys[:2] { // both with one password
		mine := []edit{set("merchant_key", key), set("order.number", fmt.Sprintf("ORD-%d", i)), set("recurring_init", true)}
		token := s.token(t, mine...)
		for owner, id := range schedules {
			if owner == key {
				s.update(t, token, set("schedule_id", id))
				continue
			}
			requireError(t, s.under(t, token, pathUpdate, object{"schedule_id": id}), "Schedule not found")
			request := purchase(append(mine, set("order.number", "ORD-X"), set("schedule_id", id))...).text()
			requireError(t, s.send(t, http.MethodPost, pathToken, request), "Schedule not found")
		}
	}
}
