package s2sclient

// Groups of fields of callbacks.
const (
	settled = paid + chained + purse + exchange + extended
	billed  = dated + "descriptor? amount? currency? commission? total_amount? "
	final   = "trans_date? descriptor? amount? currency? decline_reason "
)

// callbacks are the documented shapes of callbacks, besides action, result and hash and besides what settings of
// the merchant may add to every one of them (mapped).
var callbacks = []shape{
	{CARD, "SALE RECURRING_SALE RETRY", "SUCCESS", "PENDING PREPARE SETTLED", settled},
	{CARD, "SALE", "DECLINED", "DECLINED", "trans_date decline_reason order_id trans_id card_token? " + purse},
	{CARD, "RECURRING_SALE RETRY", "DECLINED", "DECLINED", "order_id trans_id card_token? " + final + purse},
	{CARD, "SALE RECURRING_SALE", "REDIRECT", "3DS REDIRECT", paid + "card_token? " + purse + awayBack},
	{CARD, "SALE RECURRING_SALE", "UNDEFINED", "3DS REDIRECT PENDING PREPARE", paid + "card_token? " + purse},
	{CARD, "DEBIT", "SUCCESS", "3DS REDIRECT SETTLED PENDING", settled},
	{CARD, "RECURRING_DEBIT", "SUCCESS", "SETTLED PREPARE PENDING", settled},
	{CARD, "DEBIT RECURRING_DEBIT", "DECLINED", "DECLINED", "order_id trans_id card_token? " + final + purse},
	{CARD, "DEBIT RECURRING_DEBIT", "REDIRECT", "3DS REDIRECT", paid + "card_token? " + purse + awayBack},
	{CARD, "DEBIT", "UNDEFINED", "3DS REDIRECT PREPARE", paid + "card_token? " + purse},
	{CARD, "RECURRING_DEBIT", "UNDEFINED", "PREPARE PENDING", paid + "card_token? " + purse},
	{CARD, "CARD2CARD", "SUCCESS", "3DS SETTLED", paid + extended},
	{CARD, "CARD2CARD", "DECLINED", "DECLINED", dated + "decline_reason"},
	{CARD, "CARD2CARD", "REDIRECT", "3DS REDIRECT", paid + awayBack},
	{CARD, "CARD2CARD", "UNDEFINED", "3DS REDIRECT PREPARE", paid},
	{CARD, "CREDIT2CARD", "SUCCESS", "SETTLED", dated + "descriptor? " + extended},
	{CARD, "CREDIT2CARD", "DECLINED", "DECLINED", dated + "descriptor? decline_reason"},
	{CARD, "CREDIT2CARD", "UNDEFINED", "PREPARE", dated + "descriptor?"},
	{CARD, "VOID", "UNDEFINED", "PENDING SETTLED", dated},

	{APM, "SALE", "INIT", "PENDING", paid + "crypto_address? crypto_network?"},
	{APM, "SALE", "SUCCESS", "SETTLED PENDING", paid + "crypto_address? crypto_network? " + exchange + extended},
	{APM, "SALE", "DECLINED", "DECLINED", refused},
	{APM, "SALE", "REDIRECT", "REDIRECT 3DS", paid + awayBack},
	{APM, "SALE", "UNDEFINED", "REDIRECT PREPARE PENDING", paid},
	{APM, "VOID", "UNDEFINED", "SETTLED", dated},
	{APM, "CREDIT2VIRTUAL", "SUCCESS", "SETTLED", dated + "amount currency " + extended},
	{APM, "CREDIT2VIRTUAL", "DECLINED", "DECLINED", dated + "amount? currency? decline_reason"},
	{APM, "CREDIT2VIRTUAL", "UNDEFINED", "PREPARE", dated + "amount currency"},
	{APM, "CREDIT2CRYPTO", "INIT", "PENDING DECLINED", paid},
	{APM, "CREDIT2CRYPTO", "SUCCESS", "SETTLED", paid + extended},
	{APM, "CREDIT2CRYPTO", "DECLINED", "DECLINED", refused},
	{APM, "CREDIT2CRYPTO", "UNDEFINED", "PREPARE PENDING", paid},
	{APM, "DEBIT2VIRTUAL", "SUCCESS", "3DS REDIRECT SETTLED", billed + optional(away) + extended},
	// The guide has SUCCESS for the answer; of callbacks it says only that REDIRECT is one of their results.
	{APM, "DEBIT2VIRTUAL", "REDIRECT", "3DS REDIRECT", billed + awayBack},
	{APM, "DEBIT2VIRTUAL_CALC", "SUCCESS", "PREPARE", billed},
	{APM, "DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC", "DECLINED", "DECLINED",
		refused + optional("commission total_amount")},
	{APM, "DEBIT2VIRTUAL", "UNDEFINED", "REDIRECT PREPARE", billed},

	{"", "CAPTURE", "SUCCESS", "SETTLED", paid + extended + " recurring_token? schedule_id?"}, // decision ar
	{"", "CAPTURE", "DECLINED", "PENDING", "order_id trans_id decline_reason"},
	{"", "CAPTURE", "UNDEFINED", "PENDING", paid},
	{"", "VOID", "SUCCESS", "VOID", dated + extended},
	{"", "VOID", "DECLINED", "SETTLED", dated + "decline_reason"},
	{"", "CREDITVOID", "SUCCESS", "REFUND REVERSAL SETTLED",
		"order_id trans_id creditvoid_date amount creditvoid_id " + extended},
	{"", "CREDITVOID", "DECLINED", left, "order_id trans_id decline_reason creditvoid_id"},
	{"", "CREDITVOID", "UNDEFINED WAITING", left, "order_id trans_id creditvoid_date amount creditvoid_id"},
	{"", "CHARGEBACK", "SUCCESS", "CHARGEBACK",
		"order_id trans_id amount chargeback_date bank_date? reason_code? " + extended},
}
