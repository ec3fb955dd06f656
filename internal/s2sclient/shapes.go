package s2sclient

import "strings"

// shape is a row of the documents' tables: the statuses and fields that a result of an action may have. A question
// mark marks an optional field. No statuses means that there is no status.
type shape struct {
	protocol Protocol // "" is both
	actions  string
	result   string // or several
	statuses string
	fields   string
}

// Groups of fields. Empty values are omitted, so a descriptor is optional everywhere.
const (
	dated   = "order_id trans_id trans_date "
	paid    = dated + "descriptor? amount currency "
	refused = dated + "descriptor? amount? currency? decline_reason "
	chained = "recurring_token? schedule_id? card_token? first_recurring_date? " +
		"schedule_start_date? payment_schedule_amount? "
	purse    = "digital_wallet? pan_type? "
	away     = "redirect_url redirect_params redirect_method "
	awayBack = "redirect_url redirect_params? redirect_method " // empty params cannot be sent in a form
	charged  = paid + "commission total_amount "
	anyState = "3DS REDIRECT PENDING PREPARE SETTLED REVERSAL REFUND VOID CHARGEBACK DECLINED"
	left     = "SETTLED PENDING REFUND" // the status of a payment whose refund fails or waits
)

// Groups that settings of the merchant add.
const (
	extended = "connector_name? rrn? approval_code? gateway_id? extra_gateway_id? merchant_name? mid_name? " +
		"issuer_country? issuer_bank? "
	exchange = "exchange_rate? exchange_rate_base? exchange_currency? exchange_amount? "
	faces    = "card? card_expiration_date? "
	mapped   = faces + "custom_data? extended_data? brand? arn? initiator? source? sequence? checkout_payment_method? " +
		"moto_type? payer_first_name? payer_last_name? payer_middle_name? payer_birth_date? payer_address? " +
		"payer_address2? payer_house_number? payer_country? payer_state? payer_city? payer_district? payer_zip? " +
		"payer_email? payer_phone? payer_phone_country_code? threeDSServerTransID? dsTransID? acsTransID? xid? " +
		"transStatus? transStatusReason? eci? protocolVersion? authenticationFlow? browser_color_depth? " +
		"browser_screen_height? browser_screen_width? browser_java_enabled? browser_javascript_enabled? " +
		"browser_language? browser_timezone_offset? browser_user_agent? browser_accept_headers? browser_platform? "
)

// answers are the documented shapes of answers that are no errors, besides their action and result.
var answers = []shape{
	{CARD, "SALE AUTH RECURRING_SALE", "SUCCESS", "SETTLED PREPARE PENDING", paid + chained + purse},
	{CARD, "SALE AUTH RECURRING_SALE", "DECLINED", "DECLINED", refused + purse},
	{CARD, "SALE AUTH RECURRING_SALE", "REDIRECT", "3DS REDIRECT", paid + purse + away},
	{CARD, "SALE AUTH RECURRING_SALE", "UNDEFINED", "PREPARE PENDING", paid + purse},
	{CARD, "DEBIT", "SUCCESS", "3DS REDIRECT SETTLED PENDING", paid + chained + purse},
	{CARD, "RECURRING_DEBIT", "SUCCESS", "SETTLED PREPARE PENDING", paid + chained + purse},
	{CARD, "CARD2CARD", "SUCCESS", "SETTLED", paid},
	{CARD, "DEBIT RECURRING_DEBIT CARD2CARD", "DECLINED", "DECLINED", refused + purse},
	{CARD, "DEBIT RECURRING_DEBIT CARD2CARD", "REDIRECT", "3DS REDIRECT", paid + purse + away},
	{CARD, "DEBIT CARD2CARD", "UNDEFINED", "3DS REDIRECT PREPARE", paid + purse},
	{CARD, "RECURRING_DEBIT", "UNDEFINED", "PREPARE PENDING", paid + purse},
	{CARD, "CREDIT2CARD", "SUCCESS", "SETTLED", dated + "descriptor?"},
	{CARD, "CREDIT2CARD", "DECLINED", "DECLINED", dated + "descriptor? decline_reason"},
	{CARD, "CREDIT2CARD", "UNDEFINED", "PREPARE", dated + "descriptor?"},
	{CARD, "RETRY", "ACCEPTED", "", "order_id trans_id"},
	{CARD, "VOID", "UNDEFINED", "PENDING SETTLED", dated},
	{CARD, "GET_TRANS_DETAILS", "SUCCESS", anyState, "order_id trans_id name? mail? ip? amount currency card? " +
		"decline_reason? recurring_token? schedule_id? first_recurring_date? digital_wallet? pan_type? transactions " +
		mapped},

	{CARD, "CREATE_SCHEDULE", "SUCCESS", "", "schedule_id"},
	{CARD, "UPDATE_SCHEDULE PAUSE_SCHEDULE PAUSE RUN_SCHEDULE RUN DELETE_SCHEDULE DESCHEDULE", "SUCCESS", "", ""},
	{CARD, "SCHEDULE_INFO", "SUCCESS", "", "name interval_length interval_unit day_of_month? payments_count delays " +
		"paused delayed_first_payment? first_payment_interval_length? first_payment_interval_unit? " +
		"first_payment_day_of_week? first_payment_day_of_month?"},
	{CARD, "STOP_SCHEDULE", "SUCCESS", "", "order_id? trans_id?"},

	{APM, "SALE", "SUCCESS", "SETTLED PENDING", paid + "crypto_address? crypto_network?"},
	{APM, "SALE", "DECLINED", "DECLINED", refused},
	{APM, "SALE", "REDIRECT", "REDIRECT 3DS", paid + away},
	{APM, "SALE", "UNDEFINED", "REDIRECT PREPARE PENDING", paid},
	{APM, "VOID", "UNDEFINED", "SETTLED", dated},
	{APM, "CREDIT2VIRTUAL", "SUCCESS", "SETTLED", dated + "amount currency"},
	{APM, "CREDIT2VIRTUAL", "DECLINED", "DECLINED", dated + "amount? currency? decline_reason"},
	{APM, "CREDIT2VIRTUAL", "UNDEFINED", "PREPARE", dated + "amount currency"},
	{APM, "CREDIT2CRYPTO", "INIT", "PENDING", paid},
	{APM, "CREDIT2CRYPTO", "UNDEFINED", "PREPARE", paid},
	{APM, "CREDIT2CRYPTO", "DECLINED", "DECLINED", refused},
	{APM, "DEBIT2VIRTUAL DEBIT2VIRTUAL_COMPLETE", "SUCCESS", "3DS REDIRECT SETTLED", charged + optional(away)},
	{APM, "DEBIT2VIRTUAL_CALC", "SUCCESS", "PREPARE", charged},
	{APM, "DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL_COMPLETE", "DECLINED", "DECLINED",
		refused + optional("commission total_amount")},
	// In one step the commission is not known yet; in two it was reported.
	{APM, "DEBIT2VIRTUAL", "UNDEFINED", "REDIRECT PREPARE", paid + optional("commission total_amount")},
	{APM, "DEBIT2VIRTUAL_COMPLETE", "UNDEFINED", "REDIRECT PREPARE", charged},

	{"", "CAPTURE", "SUCCESS", "SETTLED", paid + " recurring_token? schedule_id? first_recurring_date?"}, // decision ar
	{"", "CAPTURE", "DECLINED", "PENDING", refused},
	{"", "CAPTURE", "UNDEFINED", "PENDING", paid},
	{"", "CREDITVOID", "ACCEPTED", "", "order_id trans_id"},
	{"", "VOID", "SUCCESS", "VOID", dated},
	{"", "VOID", "DECLINED", "SETTLED", dated + "decline_reason"},
	{APM, "GET_TRANS_STATUS GET_TRANS_STATUS_BY_ORDER", "SUCCESS", anyState, "order_id trans_id decline_reason? " +
		mapped + extended},
	{CARD, "GET_TRANS_STATUS GET_TRANS_STATUS_BY_ORDER", "SUCCESS", anyState, "order_id trans_id decline_reason? " +
		"recurring_token? schedule_id? first_recurring_date? digital_wallet? " + mapped},
}

// optional marks every field of a group as optional.
func optional(fields string) string {
	var b strings.Builder
	for name := range strings.FieldsSeq(fields) {
		b.WriteString(strings.TrimSuffix(name, "?") + "? ")
	}
	return b.String()
}

// find returns the row for an action and a result.
func find(shapes []shape, protocol Protocol, action, result string) (shape, bool) {
	for _, s := range shapes {
		if (s.protocol == "" || s.protocol == protocol) && has(s.result, result) && has(s.actions, action) {
			return s, true
		}
	}
	return shape{}, false
}
