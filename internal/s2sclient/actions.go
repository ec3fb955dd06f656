package s2sclient

import "strings"

// Protocol is S2S CARD or S2S APM.
type Protocol string

// The two protocols. They share the path /post.
const (
	CARD Protocol = "CARD"
	APM  Protocol = "APM"
)

// signing is a row of the table of request formulas.
type signing struct {
	protocol Protocol
	actions  string
	formula  Formula
}

// signings is how each request is signed. GET_TRANS_STATUS_BY_ORDER of an APM payment, STOP_SCHEDULE and
// RECURRING_DEBIT are in no document; they follow similar requests.
var signings = []signing{
	{CARD, "SALE AUTH DEBIT CARD2CARD RECURRING_SALE RECURRING_DEBIT RETRY", Formula1},
	{CARD, "CAPTURE CREDITVOID VOID GET_TRANS_STATUS GET_TRANS_DETAILS STOP_SCHEDULE", Formula2},
	{CARD, "CREATE_SCHEDULE", Formula3},
	{CARD, "UPDATE_SCHEDULE PAUSE_SCHEDULE PAUSE RUN_SCHEDULE RUN DELETE_SCHEDULE SCHEDULE_INFO DESCHEDULE", Formula4},
	{CARD, "CREDIT2CARD", Formula5},
	{CARD, "GET_TRANS_STATUS_BY_ORDER", Formula7},
	{APM, "SALE DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC", APMSale},
	{APM, "CREDITVOID", APMCreditVoid},
	{APM, "VOID CAPTURE GET_TRANS_STATUS GET_TRANS_DETAILS DEBIT2VIRTUAL_COMPLETE", TransID},
	{APM, "CREDIT2VIRTUAL CREDIT2CRYPTO", Payout},
	{APM, "GET_TRANS_STATUS_BY_ORDER", Formula7},
}

// RequestFormula returns the formula of a request. Of is the action of the payment that the request is about, ""
// for a new one. An undocumented action has no formula: "".
func RequestFormula(protocol Protocol, f Fields, of string) Formula {
	action := f["action"]
	switch {
	case protocol == CARD && action == "STOP_SCHEDULE" && f["trans_id"] == "":
		return Formula4
	case protocol == CARD && of == "CREDIT2CARD" && has("GET_TRANS_STATUS GET_TRANS_DETAILS", action):
		return Formula6
	case protocol == CARD && action == "SALE" && wallet(f):
		return Formula8
	}
	for _, row := range signings {
		if row.protocol == protocol && has(row.actions, action) {
			return row.formula
		}
	}
	return ""
}

// CallbackFormula returns the formula of a callback. byEmail says that the payment is a crypto SALE of a merchant
// whose mapping asks for the e-mail formula.
func CallbackFormula(protocol Protocol, action string, byEmail bool) Formula {
	switch {
	case protocol == CARD && action == "CREDIT2CARD":
		return Formula6
	case protocol == CARD:
		return Formula2
	case action == "CREDIT2VIRTUAL" || action == "CREDIT2CRYPTO":
		return PayoutBack
	case action == "SALE" && byEmail:
		return CryptoSaleBack
	}
	return WholeBody
}

// wallet reports whether a wallet token pays: card data and a card token win over it.
func wallet(f Fields) bool {
	return f["payment_token"] != "" && f["card_number"] == "" && f["card_token"] == ""
}

// apmOnly are the actions that S2S CARD does not have.
const apmOnly = "CREDIT2VIRTUAL CREDIT2CRYPTO DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL_COMPLETE"

// has reports whether a word is in a list of words.
func has(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
