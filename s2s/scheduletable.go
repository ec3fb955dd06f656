package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// recurringFields are the fields of a later payment of a chain. It has no currency: it is the chain's.
var recurringFields = slices.Concat(head, []field{
	orderID,
	orderAmount(isDecimal, isPositive),
	description,
	required("recurring_first_trans_id", isName).Says("the trans_id of the first payment"), required("recurring_token", isName),
	optional("schedule_id", isName).Says(fields.SaysSchedule),
	optional("auth").Says("Y holds the money until CAPTURE; a debit is never held"),
	freeForm("custom_data", maxCustomData),
	optional("callback_url", isURL(255)), hash,
})

// asTheFirst is what signs a later payment.
const asTheFirst = "It is signed with the e-mail address and the card of the first payment."

// chains are the later payments of chains.
var chains = []action{
	{name: "RECURRING_SALE", answers: saleAnswers,
		says:      "Charges a chain again, without the payer.",
		notes:     asTheFirst,
		protocols: onCard, limit: MaxCreate, fields: recurringFields, subject: byChain,
		absent: errChain,
		signed: by(signature.Card1), run: recur},
	{name: "RECURRING_DEBIT", answers: saleAnswers,
		says:      "Debits a chain again, without the payer.",
		notes:     asTheFirst,
		protocols: onCard, limit: MaxCreate, fields: recurringFields, subject: byChain,
		absent: errChain,
		signed: by(signature.Card1), run: recur},
}

// Bounds of schedules, our own.
const (
	maxInterval = 1000
	maxPayments = 10_000
)

// planFields returns the fields of a schedule; firstly says when a field is required, for a new schedule. Parts of
// the delay that an update leaves out may be stored (decision bz), so updateSchedule checks them.
func planFields(firstly need) []field {
	by := func(delay store.Delay) need {
		if firstly.When == nil {
			return never
		}
		return fields.If("when delayed_first_payment is "+spelled(delay),
			func(r *reading) bool { return delays[r.text("delayed_first_payment")] == delay })
	}
	return []field{
		needed(firstly, "name", atMost(100)).Says("for people"),
		needed(firstly, "interval_length", isNumber(1, maxInterval)).Says("how many units are from one payment to the next"),
		needed(firstly, "interval_unit", oneOf("day", "month")),
		optional("day_of_month", isNumber(1, 31), withMonths).
			Says("the last day of a shorter month; without it that of the first scheduled payment"),
		needed(firstly, "payments_count", isNumber(1, maxPayments)).Says("how many payments the gateway makes"),
		removedDelays,
		optional("delayed_first_payment", isDelay).Says(saysDelay),
		needed(by(store.DelayByInterval), "first_payment_interval_length", isNumber(1, maxInterval)),
		needed(by(store.DelayByInterval), "first_payment_interval_unit", oneOf("day", "month")),
		needed(by(store.DelayDayOfWeek), "first_payment_day_of_week", isNumber(1, 7)).Says("1 is Monday, 7 Sunday"),
		needed(by(store.DelayDayOfMonth), "first_payment_day_of_month", isNumber(1, 31)),
	}
}

var removedForm = fields.Form{Pattern: "^$", Words: "removed: send it empty or not at all"}

// howScheduled says how a schedule is used.
const howScheduled = "A chain joins it with the first payment: `schedule_id` beside `recurring_init` in a SALE, " +
	"AUTH or DEBIT, or in a session of Checkout or Hosted Payment Fields. `schedule_id` of a later payment moves the " +
	"chain to it.\nThe gateway charges the chain then, with a callback for each payment, and the shop sends nothing. " +
	"Each payment is for `payment_schedule_amount`, or else for as much as the payment with which the chain joined. " +
	"`payments_count` counts these payments alone, and not the one with which it joined."

// removedDelays is delays, removed in 6.7.0. Its fault is the only one, without its name (SPEC1, Errors; decision
// bi).
var removedDelays = field{Path: "delays", Form: removedForm, Check: func(r *reading) []gateway.Fault {
	tree := r.form.Tree("delays")
	if tree == nil || tree == "" {
		return nil
	}
	return []gateway.Fault{{Text: fields.TextDeprecated}}
}}

// withMonths: a day of the month is for schedules that count months. A unit that an update leaves out is not known
// here.
var withMonths = fields.Asks(fields.TextNeedsMonths, func(r *reading, _ string) string {
	return fields.Sound(r.text("interval_unit") != "day", fields.TextNeedsMonths)
})

// planOnly are the fields of a request that only names a schedule.
var planOnly = slices.Concat(head, []field{scheduleID, hash})

// schedules are the actions on schedules.
var schedules = []action{
	{name: "CREATE_SCHEDULE", answers: createdAnswers,
		says:      "Makes a schedule, by which chains are charged.",
		notes:     howScheduled,
		protocols: onCard, free: true, limit: MaxCreate, signed: by(signature.Card3),
		run:    createSchedule,
		fields: slices.Concat(head, planFields(always), []field{hash})},
	{name: "SCHEDULE_INFO", answers: planAnswers,
		says:      "Tells a schedule.",
		protocols: onCard, free: true, limit: MaxFollowUp, fields: planOnly, subject: bySchedule,
		absent: errSchedule,
		signed: by(signature.Card4), run: scheduleInfo},
	{name: "UPDATE_SCHEDULE", answers: doneAnswers,
		says:      "Changes what was sent of a schedule.",
		protocols: onCard, free: true, limit: MaxFollowUp, subject: bySchedule, absent: errSchedule,
		fields: slices.Concat(head, []field{scheduleID}, planFields(never), []field{hash}),
		signed: by(signature.Card4), run: updateSchedule},
	{name: "PAUSE_SCHEDULE", answers: doneAnswers,
		says:  "Pauses a schedule.",
		alias: "PAUSE", protocols: onCard, free: true, limit: MaxFollowUp, fields: planOnly,
		subject: bySchedule, absent: errSchedule,
		signed: by(signature.Card4), run: pauseSchedule},
	{name: "RUN_SCHEDULE", answers: doneAnswers,
		says:  "Runs a paused schedule again.",
		alias: "RUN", protocols: onCard, free: true, limit: MaxFollowUp, fields: planOnly,
		subject: bySchedule, absent: errSchedule,
		signed: by(signature.Card4), run: runSchedule},
	{name: "DESCHEDULE", answers: doneAnswers,
		says:      "Takes a chain off its schedule.",
		protocols: onCard, free: true, limit: MaxFollowUp, subject: bySchedule, absent: errSchedule,
		fields: slices.Concat(head, []field{required("recurring_token", isName), scheduleID, hash}),
		signed: by(signature.Card4), run: deschedule},
	{name: "DELETE_SCHEDULE", answers: doneAnswers,
		says:      "Deletes a schedule that no chain is on.",
		protocols: onCard, free: true, limit: MaxFollowUp, fields: planOnly, subject: bySchedule,
		absent: errSchedule,
		signed: by(signature.Card4), run: deleteSchedule},
}
