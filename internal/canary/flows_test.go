package canary

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// flows runs everything against a site.
type flows struct {
	*site
	used   int
	orders int
}

// order is a new number.
func (f *flows) order() string {
	f.orders++
	return fmt.Sprintf("ORD-%d", f.orders)
}

// all are the flows in their order; each begins with nothing open.
func (f *flows) all() []func() {
	return []func(){
		f.page, f.pageThreeDS, f.pageMistakes, f.hosted, f.s2s, f.s2sThreeDS, f.followUps, f.chain,
		f.tokens, f.faults, f.wrongPlaces, f.acrossRestart,
	}
}

// page: paid, declined and paid with another card, abandoned.
func (f *flows) page() {
	f.pay(f.link(f.order(), object{"req_token": true, "recurring_init": true}), f.next(), "01/38")
	link := f.link(f.order(), nil)
	f.pay(link, f.next(), "02/38")
	f.pay(link, f.next(), "01/38")
	f.pay(f.link(f.order(), object{"auth": "Y"}), f.next(), "01/38")
	link = f.link(f.order(), nil)
	f.call("POST", link+"/cancel", "application/x-www-form-urlencoded", "")
}

// pageThreeDS: by the issuer's page and the bank's, confirmed and rejected, and without a return.
func (f *flows) pageThreeDS() {
	for _, expiry := range []string{"05/38", "06/38", "12/38", "12/39"} {
		link := f.link(f.order(), nil)
		f.pay(link, f.next(), expiry)
		f.back(link)
	}
	f.pay(f.link(f.order(), nil), f.next(), "05/38")
}

// pageMistakes: a card number in the wrong field is never shown again.
func (f *flows) pageMistakes() {
	link := f.link(f.order(), nil)
	c := f.next()
	for _, changes := range [][]string{
		{"card_number", c.number[:14]}, {"expiry", "13/38"}, {"cvv", "12"}, {"expiry", c.number}, {"cvv", c.number}, {"card_number", c.number + c.code},
		{"name", c.number}, {"card_number", c.code}, {"expiry", c.code}, {"method", c.number}, {"attempt", c.number}, {"terms", c.code},
	} {
		f.submit(link, c, "01/38", changes...)
	}
	f.call("GET", link+"?card_number="+c.number+"&cvv="+c.code, "", "")
	f.call("POST", link, "application/x-www-form-urlencoded", "card_number="+c.number+"&%zz", "Origin",
		"https://evil.example")
	f.call("GET", "/auth/"+c.number, "", "")
	f.call("GET", "/return/"+c.number+"?PaRes="+c.number, "", "")
	f.call("POST", "/notify/"+c.number, "application/json", text(object{"pan": c.number, "cvv": c.code}))
}

// collect is a session of Hosted Payment Fields with a card.
func (f *flows) collect(order string, c card, expiry string) (token string) {
	f.t.Helper()
	token = f.ask("POST", "/api/v1/session/token", f.purchase(order, object{"req_token": true}))["token"].(string)
	f.ask("POST", "/sdk/collect", object{"card_number": c.number, "expiry": expiry, "cvv": c.code}, "Token", token,
		"Sec-Fetch-Site", "same-origin")
	return token
}

func (f *flows) hosted() {
	for _, expiry := range []string{"01/38", "02/38", "05/38", "10/38"} {
		token := f.collect(f.order(), f.next(), expiry)
		f.ask("PUT", "/api/v1/session/update", object{"order_amount": "12.00"}, "Token", token)
		f.ask("POST", "/api/v1/processing/purchase/card", object{"name": "John Doe", "with_hosted_fields": true}, "Token",
			token)
		f.Work(f.t)
	}
	f.collect(f.order(), f.next(), "01/38") // never paid
	c := f.next()
	token := f.collect(f.order(), c, "01/38")
	for _, body := range []string{
		text(object{"card_number": c.number + c.code}), text(object{"cvv": c.number}), `{"card_number":` + c.number + `}`,
		c.number,
	} {
		f.call("POST", "/sdk/collect", "application/json", body, "Token", token, "Sec-Fetch-Site", "same-origin")
	}
	f.call("POST", "/sdk/collect", "application/json",
		text(object{"card_number": c.number, "expiry": "01/38", "cvv": c.code}), "Token", c.number)
}

// s2s: every action with a card, and its follow-ups.
func (f *flows) s2s() {
	for _, month := range []string{"01", "02", "07", "08", "09", "10", "11"} {
		f.charge(f.sale("SALE", f.order(), f.next(), month), "")
		f.charge(f.sale("SALE", f.order(), f.next(), month, "auth", "Y"), "")
	}
	f.charge(f.sale("AUTH", f.order(), f.next(), "01", "auth", "Y"), "SUCCESS")
	f.charge(f.sale("DEBIT", f.order(), f.next(), "01"), "SUCCESS")
	payer, payee := f.next(), f.next()
	f.charge(f.sale("CARD2CARD", f.order(), payer, "", "card_number", "", "card_exp_month", "", "card_exp_year", "",
		"card_cvv2", "", "payer_card_number", payer.number,
		"payer_card_exp_month", "01", "payer_card_exp_year", "2038", "payer_card_cvv2", payer.code,
		"payee_card_number", payee.number), "SUCCESS")
	c := f.next()
	f.post(signature.Card5, signature.Inputs{Card: c.number},
		f.sale("CREDIT2CARD", f.order(), c, "01", "card_cvv2", "", "term_url_3ds", "", "payer_ip", ""), "SUCCESS")
	wrong := f.sale("SALE", f.order(), c, "01", "card_number", c.number+"0", "card_cvv2", c.code+"00")
	f.charge(wrong, "ERROR")
	f.post(signature.Card1, signature.Inputs{Email: email, Card: "4111111111111111"}, f.sale("SALE", f.order(), c, "01"),
		"ERROR")
}

func (f *flows) s2sThreeDS() {
	for _, month := range []string{"05", "06", "12"} {
		answer := f.charge(f.sale("SALE", f.order(), f.next(), month), "REDIRECT")
		if params, ok := answer["redirect_params"].(map[string]any); ok && params["TermUrl"] != nil {
			back := strings.TrimPrefix(params["TermUrl"].(string), gatewaytest.PublicURL)
			f.call("POST", back, "application/x-www-form-urlencoded", "PaRes=forged&MD=x")
		}
	}
}

func (f *flows) followUps() {
	c := f.next()
	held := f.charge(f.sale("AUTH", f.order(), c, "01", "auth", "Y"), "SUCCESS")["trans_id"]
	f.follow("CAPTURE", held, c, "SUCCESS", "amount", "6.00")
	f.follow("GET_TRANS_DETAILS", held, c, "")
	f.follow("CREDITVOID", held, c, "ACCEPTED")
	sold := f.charge(f.sale("SALE", f.order(), c, "01"), "SUCCESS")["trans_id"]
	f.follow("GET_TRANS_STATUS", sold, c, "SUCCESS")
	f.follow("VOID", sold, c, "SUCCESS")
	f.follow("CREDITVOID", sold, c, "ERROR")
	order := f.order()
	f.pay(f.link(order, nil), c, "01/38")
	id := f.Payment(f.t, order).ID
	f.checkout("/api/v1/payment/status", signature.CheckoutPayment, signature.Inputs{PaymentID: id},
		object{"payment_id": id})
	f.checkout("/api/v1/payment/refund", signature.CheckoutAmount, signature.Inputs{PaymentID: id, Amount: "4.00"},
		object{"payment_id": id, "amount": "4.00"})
	f.Work(f.t)
}

// checkout signs a JSON request and sends it.
func (f *flows) checkout(path string, formula signature.Formula, in signature.Inputs, body object) map[string]any {
	f.t.Helper()
	body["merchant_key"] = gatewaytest.MerchantKey
	body["hash"] = signature.Sign(formula, signature.MD5, in, gatewaytest.Password)
	return f.ask("POST", path, body)
}

// chain: later payments by both protocols, one declined softly and retried.
func (f *flows) chain() {
	c, order := f.next(), f.order()
	first := f.charge(f.sale("SALE", order, c, "01", "recurring_init", "Y"), "SUCCESS")["trans_id"].(string)
	later := url.Values{"action": {"RECURRING_SALE"}, "client_key": {gatewaytest.MerchantKey}, "order_id": {f.order()},
		"order_amount": {"5.00"}, "order_description": {"Second month"}, "recurring_first_trans_id": {first},
		"recurring_token": {f.Payment(f.t, order).RecurringToken}}
	f.post(signature.Card1, signature.Inputs{Email: email, Card: c.number}, later, "SUCCESS")

	order = f.order()
	f.pay(f.link(order, object{"recurring_init": true}), f.next(), "01/38")
	begun, number := f.Payment(f.t, order), f.order()
	f.Vcard.On(number, vcard.SoftDecline("No funds"))
	in := signature.Inputs{RecurringInitTransID: begun.ID, RecurringToken: begun.RecurringToken, OrderNumber: number,
		Amount: "5.00", Description: "Second month"}
	answer := f.checkout("/api/v1/payment/recurring", signature.CheckoutRecurring, in, object{
		"order":                   object{"number": number, "amount": "5.00", "description": "Second month"},
		"recurring_init_trans_id": begun.ID, "recurring_token": begun.RecurringToken,
	})
	id := answer["payment_id"].(string)
	f.checkout("/api/v1/payment/retry", signature.CheckoutPayment, signature.Inputs{PaymentID: id},
		object{"payment_id": id})
	f.Work(f.t)
}

// tokens: a card is saved, charged by its token, offered on the page, and paid out to.
func (f *flows) tokens() {
	f.charge(f.sale("SALE", f.order(), f.next(), "01", "req_token", "Y"), "SUCCESS")
	token := ""
	for _, form := range f.Inbox.Fields(f.t) {
		if form.Get("card_token") != "" {
			token = form.Get("card_token")
		}
	}
	require.NotEmpty(f.t, token)
	f.charge(f.sale("SALE", f.order(), card{}, "", "card_number", "", "card_exp_month", "", "card_exp_year", "",
		"card_cvv2", "", "card_token", token), "SUCCESS")
	link := f.link(f.order(), object{"card_token": []string{token}})
	f.submit(link, f.next(), "", "card_number", "", "saved", "1")
	order := f.order()
	f.checkout("/api/v1/payment/card/credit", signature.CheckoutCredit,
		signature.Inputs{OrderID: order, Amount: "7.00", Currency: "USD", Description: "Your prize"},
		object{"order_id": order, "order_amount": "7.00", "order_currency": "USD", "order_description": "Your prize",
			"card_token": token})
	order = f.order()
	f.checkout("/api/v1/payment/card/credit", signature.CheckoutCredit,
		signature.Inputs{OrderID: order, Amount: "7.00", Currency: "USD", Description: "Your prize"},
		object{"order_id": order, "order_amount": "7.00", "order_currency": "USD", "order_description": "Your prize",
			"card_number": f.next().number})
}

// faults: every fault of the acquirer, and a connector that panics with all its data.
func (f *flows) faults() {
	for _, outcome := range []vcard.Outcome{
		vcard.NotSent(), vcard.UnknownBefore(), vcard.UnknownAfter(), vcard.Panic(), vcard.PanicAfter(),
		vcard.WrongCurrency("EUR"), vcard.Pending(), vcard.Absent(),
	} {
		f.Vcard.Next(outcome)
		f.charge(f.sale("SALE", f.order(), f.next(), "01"), "")
		f.Vcard.Next(outcome)
		f.submit(f.link(f.order(), nil), f.next(), "01/38")
	}
	f.tells = true
	f.charge(f.sale("SALE", f.order(), f.next(), "01"), "UNDEFINED")
	f.submit(f.link(f.order(), nil), f.next(), "01/38")
	f.Work(f.t)
	f.tells = false
	f.Advance(f.t, time.Hour)
}

// acrossRestart: at the issuer's page and between the fields and the payment, the gateway is restarted; then under
// a new key, and once more.
func (f *flows) acrossRestart() {
	for range 2 {
		link := f.link(f.order(), nil)
		f.pay(link, f.next(), "05/38")
		token := f.collect(f.order(), f.next(), "01/38")
		f.charge(f.sale("SALE", f.order(), f.next(), "10"), "")
		f.restart()
		f.back(link)
		f.ask("POST", "/api/v1/processing/purchase/card", object{"name": "John Doe", "with_hosted_fields": true}, "Token",
			token)
		f.keys.rotate()
		f.Advance(f.t, 2*time.Hour) // a data key lasts an hour
		f.page()
		f.chain()
	}
}
