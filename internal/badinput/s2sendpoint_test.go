package badinput_test

import (
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

const email = "doe@example.com"

// saleBase is the SALE of the documents' sample.
func saleBase(*world) object {
	return object{
		"action": "SALE", "client_key": gatewaytest.MerchantKey, "order_id": "O-1", "order_amount": "10.00",
		"order_currency": "USD", "order_description": "Product", "card_number": pan, "card_exp_month": "01",
		"card_exp_year": "2038", "card_cvv2": "739", "payer_first_name": "John", "payer_last_name": "Doe",
		"payer_address": "Big street", "payer_country": "US", "payer_state": "CA", "payer_city": "City",
		"payer_zip": "123456", "payer_email": email, "payer_phone": "199999999", "payer_ip": "123.123.123.123",
		"term_url_3ds": "http://client.site.com/return.php", "hash": toSign,
	}
}

// sale is saleBase with changes; nil removes a field.
func sale(pairs ...any) func(*world) object {
	return func(w *world) object { return saleBase(w).with(pairs...) }
}

var mpi = []any{
	"mpi_data[eci]", "05", "mpi_data[authentication_value]", "AAABBBCCCDDDEEEFFFGGGHHHIII=",
	"mpi_data[ds_trans_id]", "9d0f5cc4-f07b-11ec-abf4-0242ac120006", "mpi_data[3ds_version]", "2.2.0",
}

var cardEndpoints = []endpoint{
	{name: "SALE", method: "POST", path: "/post", form: true, base: saleBase, sign: by(signature.Card1)},
	{name: "SALE on v2", method: "POST", path: "/v2/post", form: true, base: saleBase, sign: by(signature.Card1)},
	{name: "SALE with mpi_data", method: "POST", path: "/post", form: true, base: sale(mpi...), sign: by(signature.Card1)},
	{name: "AUTH", method: "POST", path: "/post", form: true, base: sale("auth", "Y"), sign: by(signature.Card1)},
	{name: "DEBIT", method: "POST", path: "/post", form: true, base: sale("action", "DEBIT"), sign: by(signature.Card1)},
	{name: "CREDIT2CARD", method: "POST", path: "/post", form: true, sign: by(signature.Card5),
		base: sale("action", "CREDIT2CARD", "term_url_3ds", nil, "card_cvv2", nil, "payer_ip", nil)},
	{name: "CARD2CARD", method: "POST", path: "/post", form: true, sign: by(signature.Card1),
		base: sale("action", "CARD2CARD", "payee_card_number", pan, "card_number", nil, "card_exp_month", nil,
			"card_exp_year", nil,
			"card_cvv2", nil, "payer_card_number", pan, "payer_card_exp_month", "01", "payer_card_exp_year", "2038",
			"payer_card_cvv2", "739")},
	{name: "RECURRING_SALE", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card1), base: chained("RECURRING_SALE")},
	{name: "RECURRING_DEBIT", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card1), base: chained("RECURRING_DEBIT")},
}

// chained is a later payment of a chain that a SALE began.
func chained(action string) func(*world) object {
	return func(w *world) object {
		first := w.transaction(beginsChain[action], "SUCCESS", "order_id", "O-CHAIN", "recurring_init", "Y")
		return object{
			"action": action, "client_key": gatewaytest.MerchantKey, "order_id": "O-2", "order_amount": "5.00",
			"order_description":        "Second month",
			"recurring_first_trans_id": first, "recurring_token": w.Payment(w.t, "O-CHAIN").RecurringToken, "hash": toSign,
		}
	}
}

// beginsChain is the action of the first payment of a chain: a chain of debits is charged by debits.
var beginsChain = map[string]string{"RECURRING_SALE": "SALE", "RECURRING_DEBIT": "DEBIT"}

// of is a request about a payment.
func of(action string, payment func(*world) string) func(*world) object {
	return func(w *world) object {
		return object{"action": action, "client_key": gatewaytest.MerchantKey, "trans_id": payment(w), "hash": toSign}
	}
}

func sold(w *world) string { return w.transaction("SALE", "SUCCESS", "order_id", "O-SOLD") }

func reserved(w *world) string { return w.transaction("AUTH", "SUCCESS", "order_id", "O-HELD") }

func debited(w *world) string { return w.transaction("DEBIT", "SUCCESS", "order_id", "O-DEBIT") }

func sunk(w *world) string {
	return w.transaction("SALE", "DECLINED", "order_id", "O-DECLINED", "card_exp_month", "02")
}

// plan is a request about an existing schedule.
func plan(action string, pairs ...any) func(*world) object {
	return func(w *world) object {
		id := w.transaction("CREATE_SCHEDULE", "SUCCESS")
		return object{"action": action, "client_key": gatewaytest.MerchantKey, "schedule_id": id,
			"hash": toSign}.with(pairs...)
	}
}

var followUpEndpoints = []endpoint{
	{name: "CAPTURE", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("CAPTURE", reserved)},
	{name: "CREDITVOID", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("CREDITVOID", sold)},
	{name: "VOID", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("VOID", sold)},
	{name: "RETRY", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card1), base: of("RETRY", sunk)},
	{name: "STOP_SCHEDULE", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("STOP_SCHEDULE", sold)},
	{name: "GET_TRANS_STATUS", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("GET_TRANS_STATUS", sold)},
	{name: "GET_TRANS_DETAILS", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card2), base: of("GET_TRANS_DETAILS", sold)},
	{name: "GET_TRANS_STATUS_BY_ORDER", method: "POST", path: "/post", form: true, sign: ofPayment(signature.Card7), base: func(w *world) object {
		sold(w)
		return object{"action": "GET_TRANS_STATUS_BY_ORDER", "client_key": gatewaytest.MerchantKey, "order_id": "O-SOLD",
			"hash": toSign}
	}},
	{name: "CREATE_SCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card3), base: func(*world) object {
		return object{"action": "CREATE_SCHEDULE", "client_key": gatewaytest.MerchantKey, "name": "Monthly",
			"interval_length": "1",
			"interval_unit":   "month", "payments_count": "3", "hash": toSign}
	}},
	{name: "UPDATE_SCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("UPDATE_SCHEDULE", "name", "Other")},
	{name: "PAUSE_SCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("PAUSE_SCHEDULE")},
	{name: "RUN_SCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("RUN_SCHEDULE")},
	{name: "DELETE_SCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("DELETE_SCHEDULE")},
	{name: "SCHEDULE_INFO", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("SCHEDULE_INFO")},
	{name: "DESCHEDULE", method: "POST", path: "/post", form: true, sign: by(signature.Card4), base: plan("DESCHEDULE", "recurring_token", "x")},
}

// apm is a SALE of the test brand with changes.
func apm(pairs ...any) func(*world) object {
	return func(*world) object {
		return object{
			"action": "SALE", "client_key": gatewaytest.MerchantKey, "brand": "vcard", "order_id": "O-1",
			"order_amount": "10.00", "order_currency": "USD", "order_description": "Product",
			"identifier": "success@gmail.com", "payer_ip": "123.123.123.123", "payer_email": email,
			"return_url": "http://client.site.com/return.php", "hash": toSign,
		}.with(pairs...)
	}
}

func soldAPM(w *world) string { return w.transaction("APM SALE", "SUCCESS", "order_id", "O-APM") }

var apmEndpoints = []endpoint{
	{name: "APM SALE", method: "POST", path: "/post-va", form: true, sign: by(signature.APMSale), base: apm()},
	{name: "CREDIT2VIRTUAL", method: "POST", path: "/post-va", form: true, sign: by(signature.APMCredit), base: apm("action", "CREDIT2VIRTUAL")},
	{name: "mobile money", method: "POST", path: "/post-va", form: true, sign: by(signature.APMCredit),
		base: apm("action", "CREDIT2VIRTUAL", "brand", "mobile-money", "order_currency", "KES", "order_amount", "100.00",
			"payee_first_name", "Awa",
			"payee_last_name", "Diop", "payee_email", "awa@example.com", "parameters[mobile_money_operator]", "mpesa-ke",
			"parameters[mobile_number]", "+254712345678", "parameters[customer_email]", "awa@example.com")},
	{name: "CREDIT2CRYPTO", method: "POST", path: "/post-va", form: true, sign: by(signature.APMCredit),
		base: apm("action", "CREDIT2CRYPTO", "brand", "crypto-btg", "order_currency", "USDT", "order_amount", "10.000000",
			"parameters[address]", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "parameters[currency]", "USDT", "parameters[network]",
			"TRX")},
	{name: "DEBIT2VIRTUAL", method: "POST", path: "/post-va", form: true, sign: by(signature.APMSale),
		base: apm("action", "DEBIT2VIRTUAL", "return_url", nil, "payer_return_url", "https://a.example/")},
	{name: "DEBIT2VIRTUAL_CALC", method: "POST", path: "/post-va", form: true, sign: by(signature.APMSale),
		base: apm("action", "DEBIT2VIRTUAL_CALC", "return_url", nil, "payer_return_url", "https://a.example/")},
	{name: "DEBIT2VIRTUAL_COMPLETE", method: "POST", path: "/post-va", form: true, sign: by(signature.APMTrans), base: of("DEBIT2VIRTUAL_COMPLETE", soldAPM)},
	{name: "APM CAPTURE", method: "POST", path: "/post-va", form: true, sign: by(signature.APMTrans), base: of("CAPTURE", soldAPM)},
	{name: "APM CREDITVOID", method: "POST", path: "/post-va", form: true, sign: by(signature.APMCreditvoid), base: of("CREDITVOID", soldAPM)},
	{name: "APM VOID", method: "POST", path: "/post-va", form: true, sign: by(signature.APMTrans), base: of("VOID", soldAPM)},
	{name: "APM GET_TRANS_STATUS", method: "POST", path: "/post-va", form: true, sign: by(signature.APMTrans), base: of("GET_TRANS_STATUS", soldAPM)},
}
