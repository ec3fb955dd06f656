package s2s_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// GET_TRANS_STATUS and the other lookups have their own action name, result SUCCESS whatever the payment's
// outcome, and no empty members.
func TestStatus(t *testing.T) {
	t.Parallel()
	s := open(t)
	declined := s.ok(t, "/post", sale("O-1").expires("02", "2038"), "DECLINED", "DECLINED").get("trans_id")
	a := s.ok(t, "/post", follow("GET_TRANS_STATUS", declined), "SUCCESS", "DECLINED")
	require.Equal(t, strings.Fields("action result status order_id trans_id decline_reason"), a.order(t))
	require.Equal(t, "GET_TRANS_STATUS", a.get("action"))
	require.Equal(t, "Declined by processing", a.get("decline_reason"))

	first := s.ok(t, "/post", sale("O-2").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	a = s.ok(t, "/post", follow("GET_TRANS_STATUS", first.get("trans_id")), "SUCCESS", "SETTLED")
	require.Equal(t, first.get("recurring_token"), a.get("recurring_token"))

	lost := s.ok(t, "/post", sale("O-3").with("recurring_init", "Y").expires("02", "2038"), "DECLINED", "DECLINED")
	require.Empty(t, lost.get("recurring_token"))
	a = s.ok(t, "/post", follow("GET_TRANS_STATUS", lost.get("trans_id")), "SUCCESS", "DECLINED")
	require.NotContains(t, a.body, "recurring_token")
}

// GET_TRANS_DETAILS lists the transactions: types in capitals, statuses in lower case.
func TestDetails(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.ok(t, "/post", sale("O-1").with("auth", "Y"), "SUCCESS", "PENDING").get("trans_id")
	s.ok(t, "/post", follow("CAPTURE", id, "amount", "4.00"), "SUCCESS", "SETTLED")
	s.ok(t, "/post", follow("CREDITVOID", id, "amount", "1.00"), "ACCEPTED", "")
	a := s.ok(t, "/post", follow("GET_TRANS_DETAILS", id), "SUCCESS", "REFUND")
	require.Equal(t,
		strings.Fields("action result status order_id trans_id name mail ip amount currency card transactions"), a.order(t))
	require.Equal(t, []any{"John Doe", email, "123.123.123.123", "10.00", "USD", "411111******1111"},
		[]any{a.body["name"], a.body["mail"], a.body["ip"], a.body["amount"], a.body["currency"], a.body["card"]})
	at := "2027-03-10 12:00:00"
	require.Equal(t, []any{
		map[string]any{"type": "AUTH", "status": "success", "date": at, "amount": "10.00"},
		map[string]any{"type": "CAPTURE", "status": "success", "date": at, "amount": "4.00"},
		map[string]any{"type": "REFUND", "status": "success", "date": at, "amount": "1.00"},
	}, a.body["transactions"])

	id = s.ok(t, "/post", sale("O-2").expires("05", "2038"), "REDIRECT", "3DS").get("trans_id")
	a = s.ok(t, "/post", follow("GET_TRANS_DETAILS", id), "SUCCESS", "3DS")
	list := a.body["transactions"].([]any)
	require.Equal(t, "3DS", list[0].(map[string]any)["type"])
	require.Equal(t, "waiting", list[0].(map[string]any)["status"])
	require.Equal(t, "SALE", list[1].(map[string]any)["type"])
}

// What Protocol Mapping adds to status answers.
func TestStatusAdditions(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, store.Mapping{Protocol: store.S2SCard, Add: store.Additions{Card: true, Brand: true, Payer: true}})
	id := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
	a := s.ok(t, "/post", follow("GET_TRANS_STATUS", id), "SUCCESS", "SETTLED")
	require.Equal(t, "411111******1111", a.get("card"))
	require.Equal(t, "01/2038", a.get("card_expiration_date"))
	require.Equal(t, "John", a.get("payer_first_name"))
	a = s.ok(t, "/post", follow("GET_TRANS_DETAILS", id), "SUCCESS", "SETTLED")
	require.Equal(t, 1, strings.Count(a.text, `"card":`))
}

// The life of a schedule.
func TestSchedules(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.ok(t, "/post", plan("CREATE_SCHEDULE", "name", "Monthly", "interval_length", "1", "interval_unit", "month",
		"day_of_month", "31", "payments_count", "12", "delayed_first_payment", "by_interval",
		"first_payment_interval_length", "2", "first_payment_interval_unit", "day"), "SUCCESS", "")
	require.Equal(t, []string{"action", "result", "schedule_id"}, a.order(t))
	id := a.get("schedule_id")
	info := func() string { return s.ok(t, "/post", plan("SCHEDULE_INFO", "schedule_id", id), "SUCCESS", "").text }
	require.Equal(t,
		`{"action":"SCHEDULE_INFO","result":"SUCCESS","name":"Monthly","interval_length":1,"interval_unit":"month",`+
			`"day_of_month":31,"payments_count":12,"delays":null,"paused":"N","delayed_first_payment":"delay_by_interval",`+
			`"first_payment_interval_length":2,"first_payment_interval_unit":"day"}`, info())

	for _, name := range []string{"PAUSE", "RUN", "PAUSE_SCHEDULE", "RUN_SCHEDULE", "PAUSE"} {
		a := s.ok(t, "/post", plan(name, "schedule_id", id), "SUCCESS", "")
		require.Equal(t, `{"action":"`+name+`","result":"SUCCESS"}`, a.text)
	}
	require.Contains(t, info(), `"paused":"Y"`)
	require.Equal(t, 400, s.send(t, "/post", plan("PAUSE", "schedule_id", id)).status)

	s.ok(t, "/post", plan("UPDATE_SCHEDULE", "schedule_id", id, "payments_count", "6"), "SUCCESS", "")
	require.Contains(t, info(),
		`"name":"Monthly","interval_length":1,"interval_unit":"month","day_of_month":31,"payments_count":6`)
	s.ok(t, "/post", plan("UPDATE_SCHEDULE", "schedule_id", id, "interval_unit", "day", "delayed_first_payment",
		"to_day_of_week", "first_payment_day_of_week", "7"), "SUCCESS", "")
	require.Equal(t,
		`{"action":"SCHEDULE_INFO","result":"SUCCESS","name":"Monthly","interval_length":1,"interval_unit":"day",`+
			`"payments_count":6,"delays":null,"paused":"Y","delayed_first_payment":"day_of_week","first_payment_day_of_week":7}`,
		info())
	require.Equal(t, []string{"day_of_month: needs interval_unit month"},
		s.send(t, "/post", plan("UPDATE_SCHEDULE", "schedule_id", id, "day_of_month", "3")).errors())

	s.ok(t, "/post", plan("DELETE_SCHEDULE", "schedule_id", id), "SUCCESS", "")
	require.Equal(t, "Schedule not found",
		s.send(t, "/post", plan("SCHEDULE_INFO", "schedule_id", id)).get("error_message"))
}

// A chain: its first payment, later ones, and payments that do not belong to it.
func TestChains(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	require.NotEmpty(t, first.get("recurring_token"))
	a := s.ok(t, "/post", recurring("RECURRING_SALE", "O-2", first), "SUCCESS", "SETTLED")
	require.Equal(t, "RECURRING_SALE", a.get("action"))
	require.Equal(t, []string{"USD", "3.00"}, []string{a.get("currency"), a.get("amount")})
	a = s.send(t, "/post", recurring("RECURRING_SALE", "O-3", first).with("recurring_token", "other"))
	require.Equal(t, "Incorrect transaction", a.get("error_message"))
	a = s.send(t, "/post", recurring("RECURRING_DEBIT", "O-4", first)) // a chain of sales
	require.Equal(t, "Incorrect transaction", a.get("error_message"))
	debit := s.ok(t, "/post", signSale(sale("O-5").with("action", "DEBIT", "recurring_init", "Y")), "SUCCESS", "SETTLED")
	require.Equal(t, "RECURRING_DEBIT",
		s.ok(t, "/post", recurring("RECURRING_DEBIT", "O-6", debit), "SUCCESS", "SETTLED").get("action"))
	a = s.send(t, "/post", recurring("RECURRING_SALE", "O-7", first).with("order_amount", "3.001"))
	require.Len(t, a.errors(), 1, a.text)
	require.True(t, strings.HasPrefix(a.errors()[0], "order_amount: "), a.text)
}

// The payer at the issuer: once they are back, the result is reported by status.
func Test3DSReturn(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.ok(t, "/post", sale("O-1").expires("05", "2038"), "REDIRECT", "3DS")
	params := a.body["redirect_params"].(map[string]any)
	next := &store.Redirect{ThreeDS: true, URL: a.get("redirect_url"), Method: a.get("redirect_method")}
	for _, name := range []string{"PaReq", "MD", "TermUrl"} {
		next.Params = append(next.Params, store.RedirectParam{Name: name, Value: params[name].(string)})
	}
	require.NotEmpty(t, s.ComeBack(t, next))
	s.ok(t, "/post", follow("GET_TRANS_STATUS", a.get("trans_id")), "SUCCESS", "SETTLED")
	list := s.ok(t, "/post", follow("GET_TRANS_DETAILS", a.get("trans_id")), "SUCCESS",
		"SETTLED").body["transactions"].([]any)
	require.Len(t, list, 2)
	for i, kind := range []string{"3DS", "SALE"} {
		require.Equal(t, kind, list[i].(map[string]any)["type"])
		require.Equal(t, "success", list[i].(map[string]any)["status"])
	}
}

// The kernel's refusals have the field names of the action, and never the value.
func TestTranslatedFaults(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.send(t, "/post", sale("O-1").expires("01", "2020"))
	require.Equal(t, []string{"card_exp_month: The expiration date of card is expired and not valid."}, a.errors())
	a = s.send(t, "/post", transfer().with("order_id", "O-1", "payer_card_exp_year", "2020"))
	require.Equal(t, []string{"payer_card_exp_month: The expiration date of card is expired and not valid."}, a.errors())
	a = s.send(t, "/post", signSale(sale("O-1").with("card_number", "1111222233334444")))
	require.NotContains(t, a.text, "1111222233334444")
	require.Equal(t, 400, a.status)
	a = s.send(t, "/post", sale("O-1").with("order_currency", "JPY", "order_amount", "10.50"))
	require.Equal(t, []string{"order_amount: JPY has no fractions"}, a.errors())
}

// A later payment that was declined softly is tried again; the answer only says that it was accepted.
func TestRetry(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	s.Vcard.Next(vcard.SoftDecline("Insufficient funds"))
	id := s.ok(t, "/post", recurring("RECURRING_SALE", "O-2", first), "DECLINED", "DECLINED").get("trans_id")
	retry := signed(follow("RETRY", id), signature.Card1, signature.Inputs{Email: email, Card: pan})
	a := s.ok(t, "/post", retry, "ACCEPTED", "")
	require.Equal(t, []string{"action", "result", "order_id", "trans_id"}, a.order(t))
	s.ok(t, "/post", follow("GET_TRANS_STATUS", id), "SUCCESS", "SETTLED")
	require.Equal(t, 400, s.send(t, "/post", retry).status)
	require.Equal(t, badHash, s.send(t, "/post", follow("RETRY", id)).text) // Formula 2
}

// A chain is put on a schedule, and off it again.
func TestDeschedule(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.send(t, "/post", plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day",
		"payments_count", "3")).get("schedule_id")
	first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y", "schedule_id", id), "SUCCESS", "SETTLED")
	require.Equal(t, id, first.get("schedule_id"))
	require.Equal(t, 400, s.send(t, "/post", plan("DELETE_SCHEDULE", "schedule_id", id)).status)
	require.Equal(t, 400, s.send(t, "/post", plan("DESCHEDULE", "schedule_id", id, "recurring_token", "other")).status)
	a := s.ok(t, "/post", plan("DESCHEDULE", "schedule_id", id, "recurring_token", first.get("recurring_token")),
		"SUCCESS", "")
	require.Equal(t, `{"action":"DESCHEDULE","result":"SUCCESS"}`, a.text)
}

// STOP_SCHEDULE is for providers that run schedules themselves: this one does at the MIDs that say so.
func TestStopSchedule(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
	a := s.send(t, "/post", follow("STOP_SCHEDULE", id))
	require.Equal(t, 400, a.status)
	require.Equal(t, "ERROR", a.get("result"))

	require.NoError(t, s.SaveMID(t.Context(), store.MID{
		ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Settings: map[string]string{vcard.SettingSchedule: vcard.ScheduleRunning},
	}))
	id = s.ok(t, "/post", sale("O-2"), "SUCCESS", "SETTLED").get("trans_id")
	s.ok(t, "/post", follow("STOP_SCHEDULE", id), "SUCCESS", "")
	charges := s.Charges(t)
	require.Equal(t, vcard.ScheduleStopped, charges[len(charges)-1].Schedule)
	s.Advance(t, time.Hour)
	require.Len(t, s.Inbox.Fields(t), 2, "the two sales; a stop has no callback")
}

// A deposit in two steps.
func TestDepositInTwoSteps(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Vcard.Next(vcard.Approve(), vcard.Approve())
	calc := signAPM(apm("O-1").with("action", "DEBIT2VIRTUAL_CALC", "payer_return_url", "https://client.site.com/"))
	id := s.ok(t, "/post", calc, "SUCCESS", "PREPARE").get("trans_id")
	a := s.ok(t, "/post", followAPM("DEBIT2VIRTUAL_COMPLETE", id), "SUCCESS", "SETTLED")
	require.Equal(t, "DEBIT2VIRTUAL_COMPLETE", a.get("action"))
	s.ok(t, "/post", followAPM("GET_TRANS_STATUS", id), "SUCCESS", "SETTLED")
}
