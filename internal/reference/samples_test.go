package reference_test

import (
	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// sample is a request that a page of the reference shows; one with a name and no title is only sent, for those after
// it.
type sample struct {
	call   string
	name   string // of one that no page shows, and of a second one of its call
	title  string // of a second one: what it shows
	signs  int    // which of the formulas of the call
	values [][2]string
	signed map[string]string // what the hash has beside them: of the payment
	token  string            // of a session
	before func(*stage)
}

func (s sample) as() string {
	if s.name != "" {
		return s.name
	}
	return s.call
}

func (s sample) shown() bool { return s.name == "" || s.title != "" }

func pairs(list ...string) (values [][2]string) {
	for i := 0; i < len(list); i += 2 {
		values = append(values, [2]string{list[i], list[i+1]})
	}
	return values
}

func with(values [][2]string, more ...string) [][2]string { return append(values, pairs(more...)...) }

func order(n string) [][2]string {
	return pairs("order.number", n, "order.amount", "10.00", "order.currency", "USD",
		"order.description", "Important gift")
}

func session(n string, more ...string) [][2]string {
	return with(with(order(n), "operation", "purchase", "success_url", "https://shop.example/thanks",
		"cancel_url", "https://shop.example/cart", "customer.name", "John Doe", "customer.email", "doe@example.com"), more...)
}

// paid pays the session of an answer as the payer does on the page.
func paid(of string) func(*stage) {
	return func(s *stage) {
		s.Pay(s.t, s.kept[of+".redirect_url"], gatewaytest.Settles)
		s.Work(s.t)
		s.callbacks()
		for _, name := range []string{"payment_id", "recurring_token", "recurring_init_trans_id"} {
			s.kept[of+"."+name] = s.kept["told."+name]
		}
	}
}

var checkoutSamples = []sample{
	{call: "session", values: session("CHECKOUT-1")},
	{call: "status", values: pairs("payment_id", "{session.payment_id}"), before: paid("session")},
	{call: "status", name: "by order", title: "By the order number of the session", signs: 1,
		values: pairs("order_id", "CHECKOUT-1")},
	{call: "refund", values: pairs("payment_id", "{session.payment_id}", "amount", "4.00")},
	{call: "session", name: "held", values: session("CHECKOUT-2", "auth", "Y")},
	{call: "capture", values: pairs("payment_id", "{held.payment_id}", "amount", "10.00"), before: paid("held")},
	{call: "session", name: "undone", values: session("CHECKOUT-3")},
	{call: "void", values: pairs("payment_id", "{undone.payment_id}"), before: paid("undone")},
	{call: "session", name: "first", values: session("CHECKOUT-4", "recurring_init", "=true")},
	{call: "recurring", before: paid("first"), values: pairs("recurring_init_trans_id", "{first.recurring_init_trans_id}",
		"recurring_token", "{first.recurring_token}", "order.number", "CHECKOUT-5", "order.amount", "5.00",
		"order.description", "Second month")},
	{call: "recurring", name: "soft", before: func(s *stage) { s.Vcard.Next(vcard.SoftDecline("Insufficient funds")) },
		values: pairs("recurring_init_trans_id", "{first.recurring_init_trans_id}",
			"recurring_token", "{first.recurring_token}", "order.number", "CHECKOUT-6", "order.amount", "5.00",
			"order.description", "Third month")},
	{call: "retry", values: pairs("payment_id", "{soft.payment_id}")},
	{call: "credit", values: pairs("order_id", "CHECKOUT-7", "order_amount", "25.00", "order_currency", "USD",
		"order_description", "Your prize", "card_number", "4111111111111111")},
}

// collected types a card into the fields of a session.
func collected(of string) func(*stage) {
	return func(s *stage) {
		require.NoError(s.t, s.HostedFields().Collect(s.t.Context(), s.kept[of+".token"], gatewaytest.Settles))
	}
}

func token(n, operation string) [][2]string {
	return with(order(n), "operation", operation, "return_url", "https://shop.example/return", "customer.name", "John Doe",
		"customer.email", "doe@example.com", "customer.ip", "203.0.113.7")
}

var hostedSamples = []sample{
	{call: "token", values: token("FIELDS-1", "purchase")},
	{call: "update", token: "{token.token}", values: pairs("order_amount", "12.00", "order_currency", "USD")},
	{call: "purchase", token: "{token.token}", before: collected("token"),
		values: pairs("name", "John Doe", "with_hosted_fields", "=true", "email", "doe@example.com")},
	{call: "token", name: "other", values: token("FIELDS-2", "debit")},
	{call: "debit", token: "{other.token}", before: collected("other"),
		values: pairs("name", "John Doe", "with_hosted_fields", "=true")},
}

func bought(action, id string, more ...string) [][2]string {
	return with(pairs("action", action, "order_id", id, "order_amount", "10.00", "order_currency", "USD",
		"order_description", "Important gift"), more...)
}

var (
	number = "4111111111111111"
	card   = []string{"card_number", number, "card_exp_month", "01", "card_exp_year", "2038", "card_cvv2", "000"}
	payer  = []string{"payer_first_name", "John", "payer_last_name", "Doe", "payer_email", "doe@example.com",
		"payer_phone", "199999999", "payer_ip", "203.0.113.7"}
	back = []string{"term_url_3ds", "https://shop.example/return"}
	// ofPayment is what the hash of a follow-up has of its payment.
	ofPayment = map[string]string{"payer_email": "doe@example.com", "card_number": number}
)

func sale(action, id string, more ...string) [][2]string {
	return with(with(with(bought(action, id, card...), payer...), back...), more...)
}

var plan = pairs("action", "CREATE_SCHEDULE", "name", "Monthly", "interval_length", "1", "interval_unit", "month",
	"payments_count", "12")

var cardSamples = []sample{
	{call: "SALE", values: sale("SALE", "CARD-1")},
	{call: "GET_TRANS_STATUS", values: pairs("action", "GET_TRANS_STATUS", "trans_id", "{SALE.trans_id}"), signed: ofPayment},
	{call: "GET_TRANS_STATUS_BY_ORDER", values: pairs("action", "GET_TRANS_STATUS_BY_ORDER", "order_id", "CARD-1"), signed: ofPayment},
	{call: "CREDITVOID", values: pairs("action", "CREDITVOID", "trans_id", "{SALE.trans_id}", "amount", "4.00"), signed: ofPayment},
	{call: "GET_TRANS_DETAILS", values: pairs("action", "GET_TRANS_DETAILS", "trans_id", "{SALE.trans_id}"), signed: ofPayment},
	{call: "AUTH", values: sale("AUTH", "CARD-2")},
	{call: "CAPTURE", values: pairs("action", "CAPTURE", "trans_id", "{AUTH.trans_id}", "amount", "10.00"), signed: ofPayment},
	{call: "SALE", name: "undone", values: sale("SALE", "CARD-3")},
	{call: "VOID", values: pairs("action", "VOID", "trans_id", "{undone.trans_id}"), signed: ofPayment},
	{call: "DEBIT", values: sale("DEBIT", "CARD-4")},
	{call: "CREDIT2CARD", values: bought("CREDIT2CARD", "CARD-5", "card_number", number)},
	{call: "CARD2CARD", values: with(with(bought("CARD2CARD", "CARD-6", "payer_card_number", number, "payer_card_exp_month", "01",
		"payer_card_exp_year", "2038", "payer_card_cvv", "000", "payee_card_number", number), payer...), back...)},
	{call: "CREATE_SCHEDULE", values: plan},
	{call: "SCHEDULE_INFO", values: pairs("action", "SCHEDULE_INFO", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "UPDATE_SCHEDULE", values: pairs("action", "UPDATE_SCHEDULE", "schedule_id", "{CREATE_SCHEDULE.schedule_id}", "payments_count", "24")},
	{call: "PAUSE_SCHEDULE", values: pairs("action", "PAUSE_SCHEDULE", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "RUN_SCHEDULE", values: pairs("action", "RUN_SCHEDULE", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "SALE", name: "first", values: sale("SALE", "CARD-7", "recurring_init", "Y", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "RECURRING_SALE", signed: ofPayment, values: pairs("action", "RECURRING_SALE", "order_id", "CARD-8", "order_amount", "5.00",
		"order_description", "Second month", "recurring_first_trans_id", "{first.trans_id}", "recurring_token", "{first.recurring_token}")},
	{call: "RECURRING_SALE", name: "soft", before: func(s *stage) { s.Vcard.Next(vcard.SoftDecline("Insufficient funds")) },
		signed: ofPayment, values: pairs("action", "RECURRING_SALE", "order_id", "CARD-9", "order_amount", "5.00",
			"order_description", "Third month", "recurring_first_trans_id", "{first.trans_id}", "recurring_token", "{first.recurring_token}")},
	{call: "RETRY", signed: ofPayment, values: pairs("action", "RETRY", "trans_id", "{soft.trans_id}")},
	{call: "STOP_SCHEDULE", signed: ofPayment, values: pairs("action", "STOP_SCHEDULE", "trans_id", "{first.trans_id}")},
	{call: "DESCHEDULE", values: pairs("action", "DESCHEDULE", "recurring_token", "{first.recurring_token}",
		"schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "DELETE_SCHEDULE", values: pairs("action", "DELETE_SCHEDULE", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "DEBIT", name: "debited", values: sale("DEBIT", "CARD-10", "recurring_init", "Y")},
	{call: "RECURRING_DEBIT", signed: ofPayment, values: pairs("action", "RECURRING_DEBIT", "order_id", "CARD-11", "order_amount", "5.00",
		"order_description", "Second month", "recurring_first_trans_id", "{debited.trans_id}", "recurring_token", "{debited.recurring_token}")},
}

func byBrand(action, id string, more ...string) [][2]string {
	return with(with(bought(action, id, "brand", "vcard", "identifier", "success@gmail.com"), payer...), more...)
}

func about(action, of string, more ...string) sample {
	return sample{call: action, values: with(pairs("action", action, "trans_id", "{"+of+".trans_id}"), more...)}
}

var apmSamples = []sample{
	{call: "SALE", values: byBrand("SALE", "APM-1", "return_url", "https://shop.example/return")},
	about("GET_TRANS_STATUS", "SALE"),
	{call: "GET_TRANS_STATUS_BY_ORDER", values: pairs("action", "GET_TRANS_STATUS_BY_ORDER", "order_id", "APM-1"),
		signed: map[string]string{"payer_email": "doe@example.com"}},
	about("CREDITVOID", "SALE", "amount", "4.00"), about("GET_TRANS_DETAILS", "SALE"),
	{call: "SALE", name: "held", values: byBrand("SALE", "APM-2", "return_url", "https://shop.example/return", "auth", "Y")},
	about("CAPTURE", "held", "amount", "10.00"),
	{call: "SALE", name: "undone", values: byBrand("SALE", "APM-3", "return_url", "https://shop.example/return")},
	about("VOID", "undone"),
	{call: "CREDIT2VIRTUAL", values: bought("CREDIT2VIRTUAL", "APM-4", "brand", "vcard")},
	{call: "CREDIT2CRYPTO", values: pairs("action", "CREDIT2CRYPTO", "order_id", "APM-5", "order_amount", "25.000000",
		"order_currency", "USDT", "order_description", "Your prize", "brand", "crypto-btg", "crypto_network", "TRC20",
		"parameters[address]", "TQ1")},
	{call: "DEBIT2VIRTUAL", values: byBrand("DEBIT2VIRTUAL", "APM-6", "payer_return_url", "https://shop.example/return")},
	{call: "DEBIT2VIRTUAL_CALC", values: byBrand("DEBIT2VIRTUAL_CALC", "APM-7", "payer_return_url", "https://shop.example/return")},
	about("DEBIT2VIRTUAL_COMPLETE", "DEBIT2VIRTUAL_CALC"),
}
