package checkout_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

const pathCredit = "/api/v1/payment/card/credit"

// testCard is the documented number.
const testCard = "4111111111111111"

// payout returns a card payout of 7.00 to a card's number, edited and then signed.
func payout(edits ...edit) object {
	return object{
		"merchant_key": gatewaytest.MerchantKey, "hash": toSign, "order_id": "ORD-7", "order_amount": "7.00",
		"order_currency": "USD", "order_description": "Your prize", "card_number": testCard,
	}.edited(edits)
}

// byToken changes a payout to one by card token.
func byToken(token string) edit {
	return func(o object) {
		delete(o, "card_number")
		o["card_token"] = token
	}
}

// token returns the card token of a payment of ORD-1.
func (s *shop) token(t testing.TB, edits ...edit) string {
	t.Helper()
	s.settled(t, append([]edit{set("req_token", true)}, edits...)...)
	token := s.callbackOf(t, "ORD-1").Get("card_token")
	require.Regexp(t, "^[0-9a-f]{64}$", token)
	return token
}

// The acquirer hears the payee's name as that of the cardholder.
func TestHolderOfCardCredit(t *testing.T) {
	t.Parallel()
	for want, edits := range map[string][]edit{
		"Jane Roe": {set("payee_first_name", "Jane"), set("payee_last_name", "Roe")},
		"Roe":      {set("payee_last_name", "Roe")},
		"":         nil,
	} {
		acquirer := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
		s := open(t, acquirer.Option)
		got := s.post(t, pathCredit, payout(edits...))
		require.Equal(t, 200, got.status, got.body)
		require.Equal(t, want, acquirer.Sent[0].Card.Holder)
	}
}

// "Card payout by token": the answer is {payment_id, result: accepted}; the result arrives as a callback
// of type credit.
func TestSPEC1CardCredit(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.token(t)
	for name, edits := range map[string][]edit{
		"token":  {byToken(token), set("order_id", "ORD-T")},
		"number": {set("order_id", "ORD-N")},
	} {
		got := s.post(t, pathCredit, payout(append(edits, set("payee_email", "roe@example.com"),
			set("payee_ip", "198.51.100.4"), set("custom_data", object{"a": "1"}))...))
		require.Equal(t, 200, got.status, got.body)
		p := s.Payment(t, edits[len(edits)-1].order())
		require.Equal(t, `{"payment_id":"`+p.ID+`","result":"accepted"}`, got.body, name)
		form := s.callbackOf(t, p.Order.Number)
		for field, want := range map[string]string{
			"type": "credit", "status": "success", "order_status": "settled", "order_amount": "7.00",
			"order_description": "Your prize",
			"card":              "411111******1111", "payee_email": "roe@example.com", "customer_ip": "198.51.100.4", "custom_data[a]": "1",
		} {
			require.Equal(t, want, form.Get(field), "%s: %s", name, field)
		}
		require.Equal(t, "settled", s.statusOf(t, p.ID))
	}
}

// order returns the order number that an edit sets.
func (e edit) order() string {
	o := object{}
	e(o)
	return o.at("order_id")
}

// "payee_first_name, payee_last_name (take priority over the name stored with the token)", each separately.
func TestSPEC1CardCreditNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"stored", nil, "John Doe"},
		{"both", []edit{set("payee_first_name", "Jane"), set("payee_last_name", "Roe")}, "Jane Roe"},
		{"first", []edit{set("payee_first_name", "Jane")}, "Jane Doe"},
		{"last", []edit{set("payee_last_name", "Roe")}, "John Roe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			ok[object](t, s, pathCredit, payout(append([]edit{byToken(s.token(t))}, c.edits...)...))
			require.Equal(t, c.want, s.callbackOf(t, "ORD-7").Get("payee_name"))
		})
	}
	t.Run("of a number", func(t *testing.T) {
		t.Parallel()
		s := open(t)
		ok[object](t, s, pathCredit, payout(set("payee_first_name", "Jane"), set("payee_last_name", "Roe")))
		require.Equal(t, "Jane Roe", s.callbackOf(t, "ORD-7").Get("payee_name"))
	})
}

// A payout that will be declined is accepted too; the callback reports the decline.
func TestSPEC1CardCreditDeclined(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Vcard.Next(vcard.Decline("Declined by processing"))
	id := ok[map[string]string](t, s, pathCredit, payout())["payment_id"]
	form := s.callbackOf(t, "ORD-7")
	require.Equal(t, []string{"credit", "fail", "decline", "Declined by processing."},
		[]string{form.Get("type"), form.Get("status"), form.Get("order_status"), form.Get("reason")})
	require.Equal(t, "decline", s.statusOf(t, id))
}

// A payout can be neither refunded, voided nor captured.
func TestSPEC1CardCreditIsFinal(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := ok[map[string]string](t, s, pathCredit, payout())["payment_id"]
	requireError(t, s.post(t, pathRefund, followUp(id, "7.00")), 100000, noRefund)
	requireError(t, s.post(t, pathVoid, followUp(id, "")), 100000, noVoid)
	requireError(t, s.post(t, pathCapture, followUp(id, "7.00")), 208003, captureStatus)
}

// 205005, 205006, 205007 (errors.md), and the duplicate window.
func TestSPEC1CardCreditErrors(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	token := s.token(t)
	requireError(t, s.post(t, pathCredit, payout(byToken(strings.Repeat("a", 64)))), 205005,
		"Card token is invalid or not found.")
	requireError(t, s.post(t, pathCredit, payout(byToken(token), asOther)), 205007, "Card token is not accessible.")
	requireError(t, s.post(t, pathCredit, payout(byToken(token), set("merchant_key", gatewaytest.TestKey))), 205007,
		"Card token is not accessible.")
	ok[object](t, s, pathCredit, payout(byToken(token)))
	requireError(t, s.post(t, pathCredit, payout(byToken(token))), 400, "Duplicate request.")
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	requireError(t, s.post(t, pathCredit, payout(byToken(token))), 400, "Duplicate request.")
	s.mid(t, func(m *store.MID) { m.Limits.Day = "16.99" })
	ok[object](t, s, pathCredit, payout(byToken(token), set("order_id", "ORD-8")))
	ok[object](t, s, pathCredit, payout(byToken(token), set("order_id", "ORD-9")))
	requireError(t, s.post(t, pathCredit, payout(byToken(token), set("order_id", "ORD-10"))), 204007,
		"Day MID limit is not set or exceeded.")
	s.Clock.Set(s.Clock.Now().AddDate(11, 0, 0))
	requireError(t, s.post(t, pathCredit, payout(byToken(token))), 205006, "Card token is expired.")
}

// CheckoutCredit, computed here from "Hash formulas" and not by the code under test.
func TestSPEC1CardCreditHash(t *testing.T) {
	t.Parallel()
	s := open(t)
	ok[object](t, s, pathCredit, payout(set("hash",
		plainHash(strings.ToUpper("ORD-7"+"7.00"+"USD"+"Your prize"+gatewaytest.Password)))))
}

// The fields are checked before the hash, including those that depend on the currency.
func TestSPEC1CardCreditHashAfterTheFields(t *testing.T) {
	t.Parallel()
	s := open(t)
	wrong := set("hash", strings.Repeat("0", 40))
	requireFaults(t, s.post(t, pathCredit, payout(wrong, set("order_currency", "XXQ"))), "order_currency"+invalid)
	requireFaults(t, s.post(t, pathCredit, payout(wrong, set("payee_ip", "nowhere"))), "payee_ip"+invalid)
	requireFaults(t, s.post(t, pathCredit, payout(wrong)), badHash)
}

// The hash of a payer's return link covers payment id, order number and the rest with nothing between. It is no
// valid signature of a payout or of a session, whatever the letter case of the id.
func TestSPEC1ReturnLinkSignsNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	next := s.Pay(t, s.link(t, set("req_token", true)), gatewaytest.Settles)
	u, err := url.Parse(next.URL)
	require.NoError(t, err)
	p, hash := s.Payment(t, "ORD-1"), set("hash", u.Query().Get("hash"))
	for _, id := range []string{p.ID, strings.ToUpper(p.ID), p.ID[:18] + strings.ToUpper(p.ID[18:])} {
		got := s.post(t, pathCredit, payout(hash, set("order_id", id+"ORD-1"), set("order_amount", "10.00"),
			set("order_description", "Important gift")))
		requireFaults(t, got, hashUsed)
		requireFaults(t, s.post(t, pathSession, purchase(hash, set("order.number", id+"ORD-1"))), hashUsed)
	}
	require.Len(t, s.Charges(t), 1)
}

// payee_billing_address has the "same shape as billing_address" (SPEC1): a state counts in five countries and is
// dropped elsewhere (decision bj), in sessions and in charges of Go callers.
func TestSPEC1PayeeState(t *testing.T) {
	t.Parallel()
	for country, state := range map[string]string{"US": "CA", "DE": ""} {
		s := open(t)
		link := s.link(t, set("operation", "credit"), set("payee", object{"name": "Jane Roe"}),
			set("payee_billing_address", object{"country": country, "state": "CA"}))
		require.Equal(t, gateway.ReturnPaid, s.Pay(t, link, gatewaytest.Settles).Status)
		_, err := s.Shop().Charge(t.Context(), gateway.ChargeRequest{Kind: store.Credit, Card: new(gatewaytest.Settles),
			Order: store.Order{Number: "ORD-2", Amount: "10.00", Currency: "USD", Description: "Payout"},
			Payee: &store.Payer{Name: "Jane Roe", Address: store.Address{Country: country, State: "CA"}}})
		require.NoError(t, err)
		for _, order := range []string{"ORD-1", "ORD-2"} {
			form := s.callbackOf(t, order)
			require.Equal(t, []string{country, state}, []string{form.Get("payee_country"), form.Get("payee_state")}, order)
		}
	}
}

// A session of operation credit (version 6.6.4): the payer is asked for number and expiry, never for a code;
// "result arrives as type credit callback" with the payee.
func TestSPEC1CreditSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t, set("operation", "credit"), set("payee", object{"name": "Jane Roe", "email": "roe@example.com"}),
		set("payee_billing_address", object{"country": "US", "state": "CA", "city": "Los Angeles", "address": "1 Main St"}),
		set("custom_data", object{"a": "1"}))
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, gateway.CodeNone, next.Code)
	require.Equal(t, gateway.ReturnPaid, s.Pay(t, link, gatewaytest.Settles).Status)
	form := s.callbackOf(t, "ORD-1")
	for field, want := range map[string]string{
		"type": "credit", "status": "success", "order_status": "settled", "payee_name": "Jane Roe",
		"payee_email":   "roe@example.com",
		"payee_country": "US", "payee_state": "CA", "payee_city": "Los Angeles", "payee_address": "1 Main St",
		"custom_data[a]": "1",
	} {
		require.Equal(t, want, form.Get(field), field)
	}
}
