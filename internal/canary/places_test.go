package canary

import (
	"net/url"
	"os"
	"strings"
)

// wrongPlaces: a card number in fields for something else, if they have a form or are inspected (order description,
// addresses, custom data, parameters). Most are refused; what is accepted must not keep it. Numbers and names that
// merchants and payers get back unchanged, such as order numbers and phones, are not among them.
func (f *flows) wrongPlaces() {
	c := f.next()
	numbers := append(grouped(c.number, " ")[:1], c.number)
	if os.Getenv("TOLLGATE_SHARE") != "" {
		numbers = numbers[1:] // one spelling is enough if only races are tested
	}
	for _, number := range numbers {
		f.sessions(number)
		f.hostedPlaces(number)
		f.s2sPlaces(number)
	}
	f.call("POST", "/api/v1/session", "application/json", `{"order":{"number":"`+c.number+`"}`)
	f.call("POST", "/api/v1/session", "application/json", c.number)
	f.call("POST", "/api/v1/session", "text/plain", c.number, "X-Card", c.number)
	f.call("POST", "/api/v1/session?card="+c.number, "application/json", "{}")
	f.call("POST", "/post?card_number="+c.number, "application/x-www-form-urlencoded",
		"card_number="+c.number+"&card_cvv2="+c.code)
	f.call("POST", "/post", "application/x-www-form-urlencoded", "action=SALE&"+c.number+"="+c.number)
	f.call("POST", "/post", "application/x-www-form-urlencoded", "action="+c.number)
	f.call("POST", "/post", "text/"+c.number, c.number)
	f.call("POST", "/"+c.number, "application/json", "{}")
}

// sessionPlaces are texts of a session.
var sessionPlaces = []string{
	"channel_id", "operation", "merchant_key", "methods", "url_target", "session_expiry", "moto_type", "form_id",
	"schedule_id", "card_token", "parameters", "custom_data", "whatever",
}

func (f *flows) sessions(number string) {
	for _, place := range sessionPlaces {
		f.call("POST", "/api/v1/session", "application/json", text(f.purchase(f.order(), object{place: number})))
		f.call("POST", "/api/v1/session", "application/json", text(f.purchase(f.order(), object{place: []string{number}})))
		f.call("POST", "/api/v1/session", "application/json",
			text(f.purchase(f.order(), object{place: object{"card": object{"note": number}}})))
	}
	for _, place := range []string{"name", "birth_date", "email"} {
		f.call("POST", "/api/v1/session", "application/json",
			text(f.purchase(f.order(), object{"customer": object{place: number}})))
	}
	mailbox := strings.ReplaceAll(number, " ", ".") + "@shop.example"
	f.call("POST", "/api/v1/session", "application/json",
		text(f.purchase(f.order(), object{"customer": object{"email": mailbox}})))
	for _, place := range []string{
		"country", "state", "phone_country_code", "city", "address", "district", "zip", "language",
	} {
		f.call("POST", "/api/v1/session", "application/json",
			text(f.purchase(f.order(), object{"billing_address": object{place: number}})))
	}
	for _, place := range []string{"amount", "currency", "description"} {
		order := object{"number": f.order(), "amount": "10.00", "currency": "USD", "description": "Important gift"}
		order[place] = "for " + number
		f.call("POST", "/api/v1/session", "application/json", text(f.purchase("", object{"order": order})))
	}
	f.call("POST", "/api/v1/session", "application/json",
		strings.Replace(text(f.purchase(f.order(), nil)), `"customer"`, `"`+url.QueryEscape(number)+`":1,"customer"`, 1))
}

func (f *flows) hostedPlaces(number string) {
	token := f.collect(f.order(), f.next(), "01/38")
	for _, name := range []string{
		"order_amount", "order_currency", "schedule_id", "recurring_init", "custom_data", "parameters",
	} {
		f.call("PUT", "/api/v1/session/update", "application/json", text(object{name: number}), "Token", token)
		f.call("PUT", "/api/v1/session/update", "application/json",
			text(object{name: object{"card": object{"note": number}}}), "Token", token)
	}
	for _, name := range []string{
		"name", "birth_date", "expected_amount", "with_hosted_fields", "email", "selected_language",
	} {
		body := object{"name": "John Doe", "with_hosted_fields": true}
		body[name] = number
		f.call("POST", "/api/v1/processing/purchase/card", "application/json", text(body), "Token", token)
	}
	for _, place := range []string{"city", "address", "district", "zip"} {
		f.call("POST", "/api/v1/processing/purchase/card", "application/json",
			text(object{"name": "John Doe", "with_hosted_fields": true,
				"billing_address": object{place: number}}), "Token", token)
	}
	f.call("POST", "/api/v1/processing/purchase/card", "application/json",
		text(object{"name": number, "with_hosted_fields": true}), "Token", number)
}

// s2sFields are texts of an S2S request.
var s2sFields = []string{
	"client_key", "channel_id", "order_amount", "order_currency", "order_description", "card_exp_month", "card_exp_year",
	"payer_country", "payer_ip",
	"payer_first_name", "payer_last_name", "payer_middle_name", "payer_email", "payer_city", "payer_address",
	"payer_address2", "payer_district", "payer_zip", "payer_language", "payer_present", "payer_birth_date",
	"term_url_3ds", "callback_url", "recurring_init", "schedule_id", "moto_type", "mpi_data[eci]", "custom_data[note]",
	"parameters[card][note]", "hash", "whatever",
}

func (f *flows) s2sPlaces(number string) {
	for _, place := range s2sFields {
		f.charge(f.sale("SALE", f.order(), f.next(), "01", place, number), "")
	}
	for _, action := range []string{"CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS", "GET_TRANS_DETAILS"} {
		f.follow(action, number, card{}, "ERROR")
	}
}
