package s2sclient

// CardData is a card as a merchant sends it: month of two digits, year of four.
type CardData struct{ Number, Month, Year, CVV string }

// TestCard is the documented card of the test engine with an expiry that chooses the outcome: "01", "2038" settles.
func TestCard(month, year string) CardData {
	return CardData{"4111111111111111", month, year, "000"}
}

// payer is the payer of the published samples.
func payer() Fields {
	return Fields{
		"payer_first_name": "John", "payer_last_name": "Doe", "payer_address": "Big street",
		"payer_country": "US", "payer_state": "CA", "payer_city": "City", "payer_zip": "123456",
		"payer_email": "doe@example.com", "payer_phone": "199999999", "payer_ip": "123.123.123.123",
	}
}

func order(action, orderID, amount, currency string) Fields {
	return Fields{
		"action": action, "order_id": orderID, "order_amount": amount, "order_currency": currency,
		"order_description": "Product",
	}
}

func purchase(action, orderID, amount, currency string) Fields {
	f := payer().With("term_url_3ds", "http://client.site.com/return.php")
	for name, value := range order(action, orderID, amount, currency) {
		f[name] = value
	}
	return f
}

// On puts a card into card_number and its companions.
func (f Fields) On(c CardData) Fields {
	return f.With("card_number", c.Number, "card_exp_month", c.Month, "card_exp_year", c.Year, "card_cvv2", c.CVV)
}

// Sale is a SALE by card, on /post or /v2/post.
func Sale(orderID, amount, currency string, c CardData) Fields {
	return purchase("SALE", orderID, amount, currency).On(c)
}

// SaleByToken is a SALE by the card_token of an earlier payment.
func SaleByToken(orderID, amount, currency, cardToken string) Fields {
	return purchase("SALE", orderID, amount, currency).With("card_token", cardToken)
}

// SaleByWallet is a SALE by a wallet token; digitalWallet is googlepay or applepay.
func SaleByWallet(orderID, amount, currency, digitalWallet, paymentToken string) Fields {
	return purchase("SALE", orderID, amount, currency).With("digital_wallet", digitalWallet, "payment_token", paymentToken)
}

// Auth is the action AUTH with auth=Y. A held SALE is Sale(...).With("auth", "Y").
func Auth(orderID, amount, currency string, c CardData) Fields {
	return purchase("AUTH", orderID, amount, currency).With("auth", "Y").On(c)
}

// Debit is a DEBIT by card.
func Debit(orderID, amount, currency string, c CardData) Fields {
	return purchase("DEBIT", orderID, amount, currency).On(c)
}

// Card2Card is a transfer from a card to the number of another.
func Card2Card(orderID, amount, currency string, from CardData, to string) Fields {
	return purchase("CARD2CARD", orderID, amount, currency).With("payee_card_number", to,
		"payer_card_number", from.Number, "payer_card_exp_month", from.Month, "payer_card_exp_year", from.Year,
		"payer_card_cvv2", from.CVV)
}

// Credit2Card is a payout to a card number.
func Credit2Card(orderID, amount, currency, number string) Fields {
	return order("CREDIT2CARD", orderID, amount, currency).With("card_number", number)
}

// RecurringSale is a secondary payment of a chain; it has no currency.
func RecurringSale(orderID, amount, firstTransID, recurringToken string) Fields {
	return recurring("RECURRING_SALE", orderID, amount, firstTransID, recurringToken)
}

// RecurringDebit is a secondary debit of a chain.
func RecurringDebit(orderID, amount, firstTransID, recurringToken string) Fields {
	return recurring("RECURRING_DEBIT", orderID, amount, firstTransID, recurringToken)
}

func recurring(action, orderID, amount, firstTransID, recurringToken string) Fields {
	return order(action, orderID, amount, "").With("order_currency", "",
		"recurring_first_trans_id", firstTransID, "recurring_token", recurringToken)
}

// SaleAPM is a SALE of a brand, on /post or /post-va.
func SaleAPM(orderID, amount, currency, brand, identifier string) Fields {
	return purchase("SALE", orderID, amount, currency).With("term_url_3ds", "",
		"brand", brand, "identifier", identifier, "return_url", "http://client.site.com/return.php")
}

// Credit2Virtual is a payout of a brand.
func Credit2Virtual(orderID, amount, currency, brand string) Fields {
	return order("CREDIT2VIRTUAL", orderID, amount, currency).With("brand", brand)
}

// Credit2Crypto is a payout in crypto of a brand.
func Credit2Crypto(orderID, amount, currency, brand string) Fields {
	return order("CREDIT2CRYPTO", orderID, amount, currency).With("brand", brand)
}

// Debit2Virtual is a deposit in one step.
func Debit2Virtual(orderID, amount, currency, brand, identifier string) Fields {
	return payer().With("action", "DEBIT2VIRTUAL", "order_id", orderID, "order_amount", amount,
		"order_currency", currency, "order_description", "Product", "brand", brand, "identifier", identifier,
		"payer_return_url", "http://client.site.com/return.php")
}

// Debit2VirtualCalc is the first of two steps; FollowUp("DEBIT2VIRTUAL_COMPLETE", id) is the second.
func Debit2VirtualCalc(orderID, amount, currency, brand, identifier string) Fields {
	return Debit2Virtual(orderID, amount, currency, brand, identifier).With("action", "DEBIT2VIRTUAL_CALC")
}

// FollowUp is an action on a payment: CAPTURE, VOID, CREDITVOID, RETRY, GET_TRANS_STATUS,
// GET_TRANS_DETAILS, STOP_SCHEDULE, DEBIT2VIRTUAL_COMPLETE. A part is .With("amount", "1.00").
func FollowUp(action, transID string) Fields {
	return Fields{"action": action, "trans_id": transID}
}

// StatusByOrder is GET_TRANS_STATUS_BY_ORDER.
func StatusByOrder(orderID string) Fields {
	return Fields{"action": "GET_TRANS_STATUS_BY_ORDER", "order_id": orderID}
}

// CreateSchedule is CREATE_SCHEDULE with what it needs; unit is day or month.
func CreateSchedule(name, intervalLength, intervalUnit, paymentsCount string) Fields {
	return Fields{
		"action": "CREATE_SCHEDULE", "name": name, "interval_length": intervalLength,
		"interval_unit": intervalUnit, "payments_count": paymentsCount,
	}
}

// Schedule is an action on a schedule: UPDATE_SCHEDULE, PAUSE_SCHEDULE, PAUSE, RUN_SCHEDULE, RUN,
// DELETE_SCHEDULE, SCHEDULE_INFO.
func Schedule(action, scheduleID string) Fields {
	return Fields{"action": action, "schedule_id": scheduleID}
}

// Deschedule takes a chain off its schedule.
func Deschedule(recurringToken, scheduleID string) Fields {
	return Schedule("DESCHEDULE", scheduleID).With("recurring_token", recurringToken)
}
