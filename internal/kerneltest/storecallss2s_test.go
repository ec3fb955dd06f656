package kerneltest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// fields are those of a form.
type fields map[string]string

// with are fields with changes; an empty one is left out.
func (f fields) with(pairs ...string) fields {
	changed := maps.Clone(f)
	for i := 0; i < len(pairs); i += 2 {
		if changed[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
			delete(changed, pairs[i])
		}
	}
	return changed
}

// signedBy are the fields with a hash.
func (f fields) signedBy(formula signature.Formula) fields {
	return f.with("hash", signed(formula, signature.Inputs{
		OrderID: f["order_id"], Amount: f["order_amount"], Currency: f["order_currency"], TransID: f["trans_id"],
		Identifier: f["identifier"], ScheduleID: f["schedule_id"], Email: email, Card: pan,
	}))
}

// form is an action that is accepted.
func (f fields) form(path string) request {
	form := url.Values{}
	for name, value := range f {
		form.Set(name, value)
	}
	return asForm(path, http.StatusOK, `"result":"`, form)
}

var sale = fields{
	"action": "SALE", "client_key": gatewaytest.MerchantKey, "order_id": "ORD-1", "order_amount": "10.00",
	"order_currency": "USD", "order_description": "Product", "card_number": pan, "card_exp_month": "01",
	"card_exp_year": "2038", "card_cvv2": "000", "payer_first_name": "John", "payer_last_name": "Doe",
	"payer_address": "Big street", "payer_country": "US", "payer_state": "CA", "payer_city": "City",
	"payer_zip": "123456", "payer_email": email, "payer_phone": "199999999", "payer_ip": "123.123.123.123",
	"term_url_3ds": "https://shop.example/back",
}

var saleAPM = fields{
	"action": "SALE", "client_key": gatewaytest.MerchantKey, "brand": "vcard", "order_id": "ORD-1",
	"order_amount": "10.00", "order_currency": "USD", "order_description": "Product", "identifier": "success@gmail.com",
	"payer_ip": "123.123.123.123", "payer_email": email, "return_url": "https://shop.example/back",
}

// store.S2SCard and store.S2SAPM are served here.
var paths = map[store.Protocol]string{store.S2SCard: "/post", store.S2SAPM: "/post-va"}

// charges is an action that begins a payment.
func charges(protocol store.Protocol, f fields, formula signature.Formula, pairs ...string) making {
	return over(func(testing.TB, *countedShop) request {
		return f.with(pairs...).signedBy(formula).form(paths[protocol])
	})
}

// about is an action about a payment that another one began.
func about(protocol store.Protocol, action string, formula signature.Formula, first fields) making {
	return over(func(t testing.TB, s *countedShop) request {
		t.Helper()
		id := s.began(t, protocol, first)["trans_id"]
		return fields{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}.
			signedBy(formula).form(paths[protocol])
	})
}

// began is the answer to an action that begins something.
func (s *countedShop) began(t testing.TB, protocol store.Protocol, f fields) map[string]string {
	t.Helper()
	formula := signature.APMSale
	if protocol == store.S2SCard {
		formula = signature.Card1
	}
	if f["action"] == "CREATE_SCHEDULE" {
		formula = signature.Card3
	}
	var answer map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.sends(t, f.signedBy(formula).form(paths[protocol]))), &answer))
	texts := map[string]string{}
	for name, value := range answer {
		texts[name], _ = value.(string)
	}
	return texts
}

var createSchedule = fields{
	"action": "CREATE_SCHEDULE", "client_key": gatewaytest.MerchantKey, "name": "Monthly", "interval_length": "1",
	"interval_unit": "month", "payments_count": "3",
}

// ofSchedule is an action about a new schedule.
func ofSchedule(action string, pairs ...string) making {
	return over(func(t testing.TB, s *countedShop) request {
		t.Helper()
		id := s.began(t, store.S2SCard, createSchedule)["schedule_id"]
		f := fields{"action": action, "client_key": gatewaytest.MerchantKey, "schedule_id": id}
		return f.with(pairs...).signedBy(signature.Card4).form("/post")
	})
}

// later is a later payment of a chain that another action began.
func later(action, first string) making {
	return over(func(t testing.TB, s *countedShop) request {
		t.Helper()
		return s.later(t, action, first).form("/post")
	})
}

func (s *countedShop) later(t testing.TB, action, first string) fields {
	t.Helper()
	chain := s.began(t, store.S2SCard, sale.with("action", first, "recurring_init", "Y"))
	return fields{
		"action": action, "client_key": gatewaytest.MerchantKey, "order_id": "ORD-2", "order_amount": "5.00",
		"order_description": "Another month", "recurring_first_trans_id": chain["trans_id"],
		"recurring_token": chain["recurring_token"],
	}.signedBy(signature.Card1)
}

// retried is a RETRY of a later payment that was declined softly.
func retried(t testing.TB, s *countedShop) request {
	t.Helper()
	again := s.later(t, "RECURRING_SALE", "SALE").form("/post")
	s.Vcard.Next(vcard.SoftDecline("Insufficient funds"))
	var answer struct {
		ID string `json:"trans_id"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.sends(t, again)), &answer))
	return fields{"action": "RETRY", "client_key": gatewaytest.MerchantKey, "trans_id": answer.ID}.
		signedBy(signature.Card1).form("/post")
}

// descheduled takes a chain off its schedule.
func descheduled(t testing.TB, s *countedShop) request {
	t.Helper()
	id := s.began(t, store.S2SCard, createSchedule)["schedule_id"]
	chain := s.began(t, store.S2SCard, sale.with("recurring_init", "Y", "schedule_id", id))
	return fields{"action": "DESCHEDULE", "client_key": gatewaytest.MerchantKey, "schedule_id": id,
		"recurring_token": chain["recurring_token"]}.signedBy(signature.Card4).form("/post")
}

// stopped is a STOP_SCHEDULE at a provider that runs schedules.
func stopped(t testing.TB, s *countedShop) request {
	t.Helper()
	s.runsSchedules(t)
	id := s.began(t, store.S2SCard, sale)["trans_id"]
	return fields{"action": "STOP_SCHEDULE", "client_key": gatewaytest.MerchantKey, "trans_id": id}.
		signedBy(signature.Card2).form("/post")
}

func (s *countedShop) runsSchedules(t testing.TB) {
	t.Helper()
	kerneltest.ChangeLiveMID(t, s.Kit, func(m *store.MID) {
		m.Settings = map[string]string{vcard.SettingSchedule: vcard.ScheduleRunning}
	})
}

// refusedAPM is an action that no payment of the test brand allows.
func refusedAPM(action string) making {
	return over(func(t testing.TB, s *countedShop) request {
		t.Helper()
		id := s.began(t, store.S2SAPM, saleAPM)["trans_id"]
		r := fields{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": id}.
			signedBy(signature.APMTrans).form("/post-va")
		r.status = http.StatusBadRequest
		return r
	})
}

// byOrder asks for the newest payment of an order.
func byOrder(protocol store.Protocol, first fields) making {
	return over(func(t testing.TB, s *countedShop) request {
		t.Helper()
		s.began(t, protocol, first)
		in := signature.Inputs{OrderID: "ORD-1", Email: email, Card: first["card_number"]}
		return fields{"action": "GET_TRANS_STATUS_BY_ORDER", "client_key": gatewaytest.MerchantKey, "order_id": "ORD-1",
			"hash": signed(signature.Card7, in)}.form(paths[protocol])
	})
}

var cardEntries = []entry{
	{name: "CARD SALE", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: charges(store.S2SCard, sale, signature.Card1)},
	{name: "CARD AUTH", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: charges(store.S2SCard, sale, signature.Card1, "action", "AUTH")},
	{name: "CARD DEBIT", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: charges(store.S2SCard, sale, signature.Card1, "action", "DEBIT")},
	{name: "CARD CREDIT2CARD", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: charges(store.S2SCard, sale, signature.Card5, "action", "CREDIT2CARD",
			"term_url_3ds", "", "card_cvv2", "", "payer_ip", "")},
	{name: "CARD CARD2CARD", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: charges(store.S2SCard, sale, signature.Card1, "action", "CARD2CARD",
			"payee_card_number", pan, "card_number", "", "card_exp_month", "", "card_exp_year", "", "card_cvv2", "",
			"payer_card_number", pan, "payer_card_exp_month", "01", "payer_card_exp_year", "2038", "payer_card_cvv2", "000")},
	{name: "CARD RECURRING_SALE", asked: asked{Views: 6, Updates: 2, Key: 1, Revision: 1},
		make: later("RECURRING_SALE", "SALE")},
	{name: "CARD RECURRING_DEBIT", asked: asked{Views: 6, Updates: 2, Key: 1, Revision: 1},
		make: later("RECURRING_DEBIT", "DEBIT")},
	{name: "CARD CAPTURE", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SCard, "CAPTURE", signature.Card2, sale.with("auth", "Y"))},
	{name: "CARD CREDITVOID", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SCard, "CREDITVOID", signature.Card2, sale)},
	{name: "CARD VOID", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SCard, "VOID", signature.Card2, sale)},
	{name: "CARD RETRY", asked: asked{Views: 6, Updates: 2, Key: 1, Revision: 1},
		make: over(retried)},
	{name: "CARD STOP_SCHEDULE", asked: asked{Views: 3, Key: 1, Revision: 1},
		make: over(stopped)},
	{name: "CARD GET_TRANS_STATUS", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: about(store.S2SCard, "GET_TRANS_STATUS", signature.Card2, sale)},
	{name: "CARD GET_TRANS_STATUS_BY_ORDER", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: byOrder(store.S2SCard, sale)},
	{name: "CARD GET_TRANS_DETAILS", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: about(store.S2SCard, "GET_TRANS_DETAILS", signature.Card2, sale)},
	{name: "CARD CREATE_SCHEDULE", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: charges(store.S2SCard, createSchedule, signature.Card3)},
	{name: "CARD UPDATE_SCHEDULE", asked: asked{Views: 3, Updates: 1, Key: 1, Revision: 1},
		make: ofSchedule("UPDATE_SCHEDULE", "name", "Other")},
	{name: "CARD PAUSE_SCHEDULE", asked: asked{Views: 3, Updates: 1, Key: 1, Revision: 1},
		make: ofSchedule("PAUSE_SCHEDULE")},
	{name: "CARD RUN_SCHEDULE", asked: asked{Views: 3, Updates: 1, Key: 1, Revision: 1},
		make: over(resumed)},
	{name: "CARD DELETE_SCHEDULE", asked: asked{Views: 3, Updates: 1, Key: 1, Revision: 1},
		make: ofSchedule("DELETE_SCHEDULE")},
	{name: "CARD SCHEDULE_INFO", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: ofSchedule("SCHEDULE_INFO")},
	{name: "CARD DESCHEDULE", asked: asked{Views: 3, Updates: 1, Key: 1, Revision: 1},
		make: over(descheduled)},
}

// resumed runs a schedule that was paused.
func resumed(t testing.TB, s *countedShop) request {
	t.Helper()
	id := s.began(t, store.S2SCard, createSchedule)["schedule_id"]
	require.NoError(t, s.Shop().PauseSchedule(t.Context(), id))
	return fields{"action": "RUN_SCHEDULE", "client_key": gatewaytest.MerchantKey, "schedule_id": id}.
		signedBy(signature.Card4).form("/post")
}

var depositAPM = saleAPM.with("return_url", "", "payer_return_url", "https://shop.example/back",
	"action", "DEBIT2VIRTUAL_CALC")

var apmEntries = []entry{
	{name: "APM SALE", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("SALE")},
	{name: "APM CREDIT2VIRTUAL", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("CREDIT2VIRTUAL")},
	{name: "APM CREDIT2CRYPTO", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("CREDIT2CRYPTO")},
	{name: "APM DEBIT2VIRTUAL", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("DEBIT2VIRTUAL")},
	{name: "APM DEBIT2VIRTUAL_CALC", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: atDoor("DEBIT2VIRTUAL_CALC")},
	{name: "APM DEBIT2VIRTUAL_COMPLETE", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SAPM, "DEBIT2VIRTUAL_COMPLETE", signature.APMTrans, depositAPM)},
	{name: "APM CAPTURE", asked: asked{Views: 4, Key: 1, Revision: 1},
		make: refusedAPM("CAPTURE")},
	{name: "APM CREDITVOID", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SAPM, "CREDITVOID", signature.APMCreditvoid, saleAPM)},
	{name: "APM VOID", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: about(store.S2SAPM, "VOID", signature.APMTrans, saleAPM)},
	{name: "APM GET_TRANS_STATUS", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: about(store.S2SAPM, "GET_TRANS_STATUS", signature.APMTrans, saleAPM)},
	{name: "APM GET_TRANS_STATUS_BY_ORDER", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: byOrder(store.S2SAPM, saleAPM)},
	{name: "APM GET_TRANS_DETAILS", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: about(store.S2SAPM, "GET_TRANS_DETAILS", signature.APMTrans, saleAPM)},
}
