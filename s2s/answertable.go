package s2s

// answers are the parameters of an action's answer, by result, in the order of the samples.
type answers map[string]string

// Groups of parameters that come together in the samples.
const (
	top     = "action result status order_id trans_id trans_date "
	paid    = top + "descriptor amount currency "
	plain   = top + "amount currency "
	wallets = "digital_wallet pan_type "
	away    = "redirect_url redirect_params redirect_method "
	reason  = "decline_reason "
	fees    = "commission total_amount "
	chain   = "recurring_token schedule_id first_recurring_date "
)

// saleAnswers are the answers of SALE, AUTH, DEBIT and the later payments of chains (s2s_card.md, SALE).
var saleAnswers = answers{
	success:   paid + chain + "card_token " + wallets,
	declined:  paid + reason + wallets,
	redirect:  paid + away + wallets,
	started:   paid,
	undefined: paid,
}

// transferAnswers are the answers of CARD2CARD.
var transferAnswers = answers{
	success:   paid,
	declined:  paid + reason,
	redirect:  paid + away,
	started:   paid,
	undefined: paid,
}

// apmSaleAnswers are the answers of s2s_apm.md, SALE. In crypto an address that is ready is a SUCCESS.
var apmSaleAnswers = answers{
	success:   paid,
	declined:  plain + reason,
	redirect:  plain + away,
	started:   paid + "crypto_address crypto_network ", // reported as a SUCCESS
	undefined: paid,
}

// depositAnswers are the answers of DEBIT2VIRTUAL and its two steps. A payer who has to go to another page is
// reported as SUCCESS with status 3DS or REDIRECT.
var depositAnswers = answers{
	success:   paid + fees,
	declined:  paid + fees + reason,
	redirect:  paid + fees + away,
	started:   paid + fees,
	undefined: paid + fees,
}

// payoutAnswers are the answers of CREDIT2VIRTUAL; a payee is never redirected.
var payoutAnswers = answers{
	success:   plain,
	declined:  plain + reason,
	redirect:  plain + away,
	started:   plain,
	undefined: plain,
}

// cryptoPayoutAnswers are the answers of CREDIT2CRYPTO.
var cryptoPayoutAnswers = answers{
	success:   paid,
	declined:  paid + reason,
	redirect:  paid + away,
	started:   paid,
	undefined: paid,
}

// cardPayoutAnswers are the answers of CREDIT2CARD.
var cardPayoutAnswers = answers{
	success:   top + "descriptor ",
	declined:  top + reason,
	redirect:  top + "descriptor " + away,
	started:   top + "descriptor ",
	undefined: top + "descriptor ",
}

// captured is the order of the CAPTURE table: amount comes before order_id.
const captured = "action result status amount order_id trans_id trans_date descriptor currency "

var captureAnswers = answers{
	success:   captured + chain,
	declined:  captured + reason,
	undefined: captured,
}

var voidAnswers = answers{
	success:   top,
	declined:  top + reason,
	undefined: top,
}

// acceptance is the answer of actions whose outcome is reported by callback.
var acceptance = answers{accepted: "action result order_id trans_id "}

// The answers of lookups and schedules; their own files write them, in this order (status.go, schedule.go).
var (
	statusAnswers  = answers{success: found + outcomes}
	detailsAnswers = answers{success: found + "name mail ip amount currency card " + outcomes + "pan_type transactions "}
	doneAnswers    = answers{success: done}
	createdAnswers = answers{success: done + "schedule_id "}
	planAnswers    = answers{success: done + "name interval_length interval_unit day_of_month payments_count delays " +
		"paused delayed_first_payment first_payment_interval_length first_payment_interval_unit " +
		"first_payment_day_of_week first_payment_day_of_month "}
)

const (
	done     = "action result "
	found    = done + "status order_id trans_id "
	outcomes = "decline_reason recurring_token schedule_id first_recurring_date digital_wallet "
)
