package checkout_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// statusFields returns the fields of the newest payment of ORD-1 that not every answer has.
func (s *shop) statusFields(t testing.TB) map[string]any {
	t.Helper()
	got := ok[map[string]any](t, s, pathStatus, byOrder("ORD-1"))
	for _, always := range []string{"payment_id", "date", "status", "order", "customer"} {
		require.Contains(t, got, always)
		delete(got, always)
	}
	delete(got, "captured_amount") // another test checks it
	return got
}

// everyAddition turns every switch on.
func everyAddition(m *store.Mapping) {
	m.Add = store.Additions{Card: true, Brand: true, ARN: true, COF: true, Payer: true, Method: true, ThreeDS: true,
		Browser: true, Extended: true}
}

// "Protocol Mapping options (off by default)": each adds its own fields to status answers, and no others.
func TestSPEC1StatusAdditions(t *testing.T) {
	t.Parallel()
	browser := map[string]string{
		"color_depth": "24", "screen_height": "900", "screen_width": "1440", "java_enabled": "false",
		"javascript_enabled": "true",
		"language":           "en-GB", "timezone_offset": "-60", "user_agent": "Mozilla/5.0", "accept_headers": "text/html",
		"platform": "Linux",
	}
	attributes := map[string]any{}
	for name, value := range browser {
		attributes["browser_"+name] = value
	}
	for _, c := range []struct {
		name string
		add  store.Additions
		want map[string]any
	}{
		{"none", store.Additions{}, map[string]any{}},
		{"card", store.Additions{Card: true}, map[string]any{"card": "411111******1111", "card_expiration_date": "01/2038"}},
		{"brand", store.Additions{Brand: true}, map[string]any{"brand": "visa"}},
		{"checkout_payment_method", store.Additions{Method: true}, map[string]any{"checkout_payment_method": "card"}},
		{"payer fields", store.Additions{Payer: true}, map[string]any{
			"payer_first_name": "John", "payer_last_name": "Doe", "payer_email": "doe@example.com",
			"payer_birth_date": "1990-01-05",
			"payer_country":    "US", "payer_state": "CA", "payer_city": "Los Angeles", "payer_address": "1 Main St",
			"payer_house_number": "5a",
			"payer_zip":          "90210", "payer_phone": "5551234", "payer_phone_country_code": "1-809",
			"payer_district": "Center",
		}},
		{"browser_*", store.Additions{Browser: true}, attributes},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mapping(t, func(m *store.Mapping) { m.Add = c.add })
			link := s.link(t, set("customer.birth_date", "1990-01-05"), set("billing_address", object{
				"country": "US", "state": "CA", "city": "Los Angeles", "address": "1 Main St", "house_number": "5a", "zip": "90210",
				"phone": "5551234", "phone_country_code": "1-809", "district": "Center",
			}))
			s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles, Browser: browser})
			require.Equal(t, c.want, s.statusFields(t))
			form := s.callbackOf(t, "ORD-1")
			for name, value := range c.want {
				require.Equal(t, value, form.Get(name), "%s is in the callback as well", name)
			}
		})
	}
}

// "3DS result attributes", an ARN and extended data, of a payment that has them.
func TestSPEC1StatusOf3DS(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, everyAddition)
	next := s.Pay(t, s.link(t), gatewaytest.ThreeDSPasses)
	s.ComeBack(t, next.Redirect)
	got := s.statusFields(t)
	for _, name := range []string{"threeDSServerTransID", "dsTransID", "acsTransID", "xid", "transStatus", "eci",
		"protocolVersion", "authenticationFlow"} {
		require.NotEmpty(t, got[name], name)
	}
	for name, want := range map[string]string{"transStatus": "Y", "connector_name": "vcard", "merchant_name": "Test Shop",
		"mid_name": "Live"} {
		require.Equal(t, want, got[name], name)
	}
	form := s.callbackOf(t, "ORD-1")
	for name, value := range got {
		require.Equal(t, value, form.Get(name), "%s is in the callback as well", name)
	}
}

// "ARN (sent empty when missing)" in callbacks, "(omitted when missing)" in status answers.
func TestSPEC1StatusARN(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		declines bool
		edit     func(*store.Mapping)
		want     []bool // in the callback, and in the answer
	}{
		"there":   {false, everyAddition, []bool{true, true}},
		"missing": {true, everyAddition, []bool{true, false}},
		"off":     {false, func(*store.Mapping) {}, []bool{false, false}},
	} {
		s := open(t)
		s.mapping(t, c.edit)
		card := gatewaytest.Settles
		if c.declines {
			card = gatewaytest.Declines
		}
		s.Pay(t, s.link(t), card)
		form, got := s.callbackOf(t, "ORD-1"), s.statusFields(t)
		require.Equal(t, c.want, []bool{form.Has("ARN"), got["ARN"] != nil}, name)
		if c.declines {
			require.Empty(t, form.Get("ARN"))
		} else if c.want[1] {
			require.Equal(t, form.Get("ARN"), got["ARN"])
		}
	}
}

// An answer with every field keeps the order of the table, in arrays too, and is valid JSON whatever the merchant
// sent.
func TestSPEC1StatusOrderOfFields(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.Add = store.Additions{Card: true, Brand: true} })
	p := s.chain(t, set("order.description", `<a>"}&`+"\u2028"), set("schedule_id", s.schedule(t)))
	one := `{"payment_id":"` + p.ID + `","date":"2027-03-10 12:00:00","status":"settled","recurring_token":"` +
		p.RecurringToken +
		`","recurring_init_trans_id":"` + p.ID + `","schedule_id":"` + p.ScheduleID + `","shedule_id":"` + p.ScheduleID +
		`","first_recurring_date":"2027-03-17","captured_amount":"10.00",` +
		`"order":{"number":"ORD-1","amount":"10.00","currency":"USD","description":"<a>\"}&\u2028"},` +
		`"customer":{"name":"John Doe","email":"doe@example.com"},` +
		`"card":"411111******1111","card_expiration_date":"01/2038","brand":"visa"}`
	require.Equal(t, one, s.post(t, pathStatus, byOrder("ORD-1")).body)
	require.Equal(t, "["+one+"]", s.post(t, pathStatus, byOrder("ORD-1", set("size", 5))).body)
	require.True(t, json.Valid([]byte(one)))
}

// schedule creates a schedule of the merchant and returns its id.
func (s *shop) schedule(t testing.TB) string {
	t.Helper()
	made, err := s.Shop().CreateSchedule(t.Context(), store.Schedule{
		Name: "Weekly", IntervalLength: 7, IntervalUnit: store.Day, PaymentsCount: 4,
	})
	require.NoError(t, err)
	return made.ID
}

// reason: "only when unsuccessful"; the outcome of a refund does not change it.
func TestSPEC1StatusReason(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	s.Vcard.Next(vcard.Decline("Refunds are closed"))
	require.Equal(t, "settled", s.refund(t, p.ID, "1.00"))
	require.Empty(t, s.statusFields(t))
	require.Equal(t, []string{"refund", "fail", "settled"}, s.callbacks(t)[1])
}

// Every status has its word of CO662's list.
func TestSPEC1StatusWords(t *testing.T) {
	t.Parallel()
	for want, make := range map[string]func(*shop) string{
		"settled":  func(s *shop) string { return s.settled(t).ID },
		"pending":  func(s *shop) string { return s.held(t).ID },
		"decline":  func(s *shop) string { s.Pay(t, s.link(t), gatewaytest.Declines); return s.Payment(t, "ORD-1").ID },
		"3ds":      func(s *shop) string { s.Pay(t, s.link(t), gatewaytest.ThreeDSPasses); return s.Payment(t, "ORD-1").ID },
		"redirect": func(s *shop) string { s.Pay(t, s.link(t), gatewaytest.BankPasses); return s.Payment(t, "ORD-1").ID },
		"prepare":  func(s *shop) string { s.Pay(t, s.link(t), gatewaytest.Card(7, 2038)); return s.Payment(t, "ORD-1").ID },
		"void": func(s *shop) string {
			id := s.settled(t).ID
			ok[object](t, s, pathVoid, followUp(id, ""))
			return id
		},
		"chargeback": func(s *shop) string {
			id := s.settled(t).ID
			_, err := s.Chargeback(t.Context(), gateway.Dispute{PaymentID: id})
			require.NoError(t, err)
			return id
		},
	} {
		s := open(t)
		s.requireStatus(t, make(s), want)
	}
}
