package reference_test

import "strings"

// sample is a request that a page of the reference shows, in the part of its call or of another.
type sample struct {
	call   string
	under  string // the call in whose part it is shown; "" for its own
	name   string // what others call it; "" for the name of the call
	title  string // what it shows; "" for an only one
	signs  int    // which of the formulas of the call
	values [][2]string
	signed map[string]string // what the hash has beside them: of the payment
	token  string            // of a session
	payer  string            // the expiry of the card with which the payer pays then; "" without a payer
	made   bool              // of the fields of its call, which has no other
}

func (s sample) as() string {
	if s.name != "" {
		return s.name
	}
	return s.call
}

// part is the call in whose part of the page it is shown.
func (s sample) part() string {
	if s.under != "" {
		return s.under
	}
	return s.call
}

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

// settles is the expiry of a card that pays, and short that of one whose later payments are declined at first.
const (
	settles = "01/2038"
	short   = "02/2039"
)

func later(of, n, description string) [][2]string {
	return pairs("recurring_init_trans_id", "{"+of+".recurring_init_trans_id}",
		"recurring_token", "{"+of+".recurring_token}", "order.number", n, "order.amount", "5.00",
		"order.description", description)
}

var checkoutSamples = []sample{
	{call: "session", values: session("CHECKOUT-1"), payer: settles},
	{call: "session", under: "recurring", name: "first", title: "A session whose payment begins a chain",
		values: session("CHECKOUT-2", "recurring_init", "=true"), payer: settles},
	{call: "recurring", title: "Its next payment", values: later("first", "CHECKOUT-3", "Second month")},
	{call: "credit", values: pairs("order_id", "CHECKOUT-4", "order_amount", "25.00", "order_currency", "USD",
		"order_description", "Your prize", "card_number", "4111111111111111")},
	{call: "status", values: pairs("payment_id", "{session.payment_id}")},
	{call: "status", name: "by order", title: "By the order number of the session", signs: 1,
		values: pairs("order_id", "CHECKOUT-1")},
	{call: "session", under: "capture", name: "held", title: "A session whose payment is held",
		values: session("CHECKOUT-5", "auth", "Y"), payer: settles},
	{call: "capture", title: "Its capture", values: pairs("payment_id", "{held.payment_id}", "amount", "10.00")},
	{call: "refund", values: pairs("payment_id", "{session.payment_id}", "amount", "4.00")},
	{call: "session", under: "void", name: "undone", title: "A session", values: session("CHECKOUT-6"), payer: settles},
	{call: "void", title: "Its payment is undone", values: pairs("payment_id", "{undone.payment_id}")},
	{call: "session", under: "retry", name: "poor", title: "A chain by a card that is short of money later",
		values: session("CHECKOUT-7", "recurring_init", "=true"), payer: short},
	{call: "recurring", under: "retry", name: "soft", title: "Its next payment, which is declined",
		values: later("poor", "CHECKOUT-8", "Second month")},
	{call: "retry", title: "The same payment is tried again", values: pairs("payment_id", "{soft.payment_id}")},
}

func token(n, operation string) [][2]string {
	return with(order(n), "operation", operation, "return_url", "https://shop.example/return", "customer.name", "John Doe",
		"customer.email", "doe@example.com", "customer.ip", "203.0.113.7")
}

var hostedSamples = []sample{
	{call: "token", values: token("FIELDS-1", "purchase")},
	{call: "update", token: "{token.token}", values: pairs("order_amount", "12.00", "order_currency", "USD"), payer: settles},
	{call: "purchase", token: "{token.token}",
		values: pairs("name", "John Doe", "with_hosted_fields", "=true", "email", "doe@example.com")},
	{call: "token", under: "debit", name: "other", title: "A session", values: token("FIELDS-2", "debit"),
		token: "{other.token}", payer: settles},
	{call: "debit", title: "Its payment", token: "{other.token}",
		values: pairs("name", "John Doe", "with_hosted_fields", "=true")},
}

func bought(action, id string, more ...string) [][2]string {
	return with(pairs("action", action, "order_id", id, "order_amount", "10.00", "order_currency", "USD",
		"order_description", "Important gift"), more...)
}

var (
	number = "4111111111111111"
	payer  = []string{"payer_first_name", "John", "payer_last_name", "Doe", "payer_email", "doe@example.com",
		"payer_phone", "199999999", "payer_ip", "203.0.113.7"}
	back = []string{"term_url_3ds", "https://shop.example/return"}
	// ofPayment is what the hash of a follow-up has of its payment.
	ofPayment = map[string]string{"payer_email": "doe@example.com", "card_number": number}
)

func sale(action, id string, more ...string) [][2]string { return saleBy(settles, action, id, more...) }

func saleBy(expiry, action, id string, more ...string) [][2]string {
	month, year, _ := strings.Cut(expiry, "/")
	card := []string{"card_number", number, "card_exp_month", month, "card_exp_year", year, "card_cvv2", "000"}
	return with(with(with(bought(action, id, card...), payer...), back...), more...)
}

// again are the values of a later payment of a chain.
func again(action, of, id, description string) [][2]string {
	return pairs("action", action, "order_id", id, "order_amount", "5.00", "order_description", description,
		"recurring_first_trans_id", "{"+of+".trans_id}", "recurring_token", "{"+of+".recurring_token}")
}

// about is a request that names a payment by a sample. That of a card is signed with what the card's payment has.
func about(action, of string, more ...string) sample {
	return sample{call: action, values: with(pairs("action", action, "trans_id", "{"+of+".trans_id}"), more...)}
}

func ofCard(action, of, title string, more ...string) sample {
	s := about(action, of, more...)
	s.title, s.signed = title, ofPayment
	return s
}

func planned(action string, more ...string) sample {
	named := pairs("action", action, "schedule_id", "{CREATE_SCHEDULE.schedule_id}")
	return sample{call: action, values: with(named, more...)}
}

var cardSamples = []sample{
	{call: "SALE", values: sale("SALE", "CARD-1")},
	{call: "SALE", name: "away", title: "By a card that asks for 3-D Secure: the payer has to go to another page",
		values: saleBy("05/2038", "SALE", "CARD-14")},
	{call: "AUTH", values: sale("AUTH", "CARD-2")},
	{call: "DEBIT", values: sale("DEBIT", "CARD-3")},
	{call: "CREDIT2CARD", values: bought("CREDIT2CARD", "CARD-4", "card_number", number)},
	{call: "CARD2CARD", values: with(with(bought("CARD2CARD", "CARD-5", "payer_card_number", number, "payer_card_exp_month", "01",
		"payer_card_exp_year", "2038", "payer_card_cvv", "000", "payee_card_number", number), payer...), back...)},
	ofCard("CAPTURE", "AUTH", "Of the payment of the AUTH above", "amount", "10.00"),
	ofCard("CREDITVOID", "AUTH", "A part of the payment that AUTH held and CAPTURE took", "amount", "4.00"),
	{call: "SALE", under: "CREDITVOID", name: "returned", title: "A SALE", values: sale("SALE", "CARD-15")},
	ofCard("CREDITVOID", "returned", "All of it is given back"),
	{call: "SALE", under: "VOID", name: "undone", title: "A payment", values: sale("SALE", "CARD-6")},
	ofCard("VOID", "undone", "It is undone"),
	{call: "SALE", under: "RETRY", name: "poor", title: "A chain by a card that is short of money later",
		values: saleBy(short, "SALE", "CARD-7", "recurring_init", "Y")},
	{call: "RECURRING_SALE", under: "RETRY", name: "soft", title: "Its next payment, which is declined", signed: ofPayment,
		values: again("RECURRING_SALE", "poor", "CARD-8", "Second month")},
	ofCard("RETRY", "soft", "The same payment is tried again"),
	ofCard("STOP_SCHEDULE", "poor", "The acquirer of the demo runs no schedules"),
	ofCard("GET_TRANS_STATUS", "SALE", "Of the SALE at the top of the page"),
	{call: "GET_TRANS_STATUS_BY_ORDER", title: "Of the order of the SALE at the top of the page", signed: ofPayment,
		values: pairs("action", "GET_TRANS_STATUS_BY_ORDER", "order_id", "CARD-1")},
	ofCard("GET_TRANS_DETAILS", "AUTH", "Of the AUTH above, with its capture and its refund"),
	{call: "SALE", under: "RECURRING_SALE", name: "first", title: "The first payment of a chain",
		values: sale("SALE", "CARD-9", "recurring_init", "Y")},
	{call: "RECURRING_SALE", title: "The next one", signed: ofPayment,
		values: again("RECURRING_SALE", "first", "CARD-10", "Second month")},
	{call: "DEBIT", under: "RECURRING_DEBIT", name: "debited", title: "The first payment of a chain",
		values: sale("DEBIT", "CARD-11", "recurring_init", "Y")},
	{call: "RECURRING_DEBIT", title: "The next one", signed: ofPayment,
		values: again("RECURRING_DEBIT", "debited", "CARD-12", "Second month")},
	{call: "CREATE_SCHEDULE", values: pairs("action", "CREATE_SCHEDULE", "name", "Monthly", "interval_length", "1",
		"interval_unit", "month", "payments_count", "12")},
	planned("SCHEDULE_INFO"), planned("UPDATE_SCHEDULE", "payments_count", "24"), planned("PAUSE_SCHEDULE"),
	planned("RUN_SCHEDULE"),
	{call: "SALE", under: "DESCHEDULE", name: "scheduled", title: "A payment that begins a chain on the schedule",
		values: sale("SALE", "CARD-13", "recurring_init", "Y", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	{call: "DESCHEDULE", title: "The chain is taken off it", values: pairs("action", "DESCHEDULE",
		"recurring_token", "{scheduled.recurring_token}", "schedule_id", "{CREATE_SCHEDULE.schedule_id}")},
	planned("DELETE_SCHEDULE"),
}

func byBrand(action, id string, more ...string) [][2]string {
	return with(with(bought(action, id, "brand", "vcard", "identifier", "success@gmail.com"), payer...), more...)
}

func ofMethod(action, of, title string, more ...string) sample {
	s := about(action, of, more...)
	s.title = title
	return s
}

const returns, deposits = "return_url", "payer_return_url"

var apmSamples = []sample{
	{call: "SALE", values: byBrand("SALE", "APM-1", returns, "https://shop.example/return")},
	{call: "SALE", name: "away", title: "By a method on whose own page the payer pays",
		values: with(with(bought("SALE", "APM-8", "brand", "astropay", "identifier", "doe@example.com"), payer...), returns,
			"https://shop.example/return")},
	{call: "CREDIT2VIRTUAL", values: bought("CREDIT2VIRTUAL", "APM-2", "brand", "vcard")},
	{call: "CREDIT2CRYPTO", values: pairs("action", "CREDIT2CRYPTO", "order_id", "APM-3", "order_amount", "25.000000",
		"order_currency", "USDT", "order_description", "Your prize", "brand", "crypto-btg", "crypto_network", "TRC20",
		"parameters[address]", "TQ1")},
	{call: "DEBIT2VIRTUAL", values: byBrand("DEBIT2VIRTUAL", "APM-4", deposits, "https://shop.example/return")},
	{call: "DEBIT2VIRTUAL_CALC", values: byBrand("DEBIT2VIRTUAL_CALC", "APM-5", deposits, "https://shop.example/return")},
	{call: "SALE", under: "CAPTURE", name: "held", title: "A payment that is held",
		values: byBrand("SALE", "APM-6", returns, "https://shop.example/return", "auth", "Y")},
	ofMethod("CAPTURE", "held", "Its capture", "amount", "10.00"),
	ofMethod("CREDITVOID", "held", "A part of the payment of the CAPTURE above", "amount", "4.00"),
	{call: "SALE", under: "CREDITVOID", name: "returned", title: "A SALE",
		values: byBrand("SALE", "APM-9", returns, "https://shop.example/return")},
	ofMethod("CREDITVOID", "returned", "All of it is given back"),
	{call: "SALE", under: "VOID", name: "undone", title: "A payment",
		values: byBrand("SALE", "APM-7", returns, "https://shop.example/return")},
	ofMethod("VOID", "undone", "It is undone"),
	ofMethod("DEBIT2VIRTUAL_COMPLETE", "DEBIT2VIRTUAL_CALC", "Of the DEBIT2VIRTUAL_CALC above"),
	ofMethod("GET_TRANS_STATUS", "SALE", "Of the SALE at the top of the page"),
	{call: "GET_TRANS_STATUS_BY_ORDER", title: "Of the order of the SALE at the top of the page", signed: map[string]string{"payer_email": "doe@example.com"},
		values: pairs("action", "GET_TRANS_STATUS_BY_ORDER", "order_id", "APM-1")},
	ofMethod("GET_TRANS_DETAILS", "held", "Of the payment that was captured, with its refund"),
}
