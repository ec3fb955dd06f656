package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
)

var (
	transID    = required("trans_id", isName)
	transOnly  = slices.Concat(head, []field{transID, hash})
	transPart  = slices.Concat(head, []field{transID, optional("amount", isDecimal, isPositive), hash})
	orderOnly  = slices.Concat(head, []field{orderID, hash})
	scheduleID = required("schedule_id", isName)
)

// The formulas of follow-ups. SPEC2's, which is APM's, is valid for card payments too when SPEC2 names the action
// (decision a).
var (
	byEither = signed{
		card: []signature.Formula{signature.Card2, signature.APMTrans},
		apm:  []signature.Formula{signature.APMTrans},
	}
	byOwn = signed{
		card: []signature.Formula{signature.Card2},
		apm:  []signature.Formula{signature.APMTrans},
	}
	byCreditvoid = signed{
		card: []signature.Formula{signature.Card2},
		apm:  []signature.Formula{signature.APMCreditvoid},
	}
)

// followUps are the actions on an existing payment. Their errors for an unknown trans_id are SPEC1's table; APM
// follows the rows of CARD (s2s_apm.md).
var followUps = []action{
	{name: "CAPTURE", answers: captureAnswers,
		says:      "Captures an authorized payment, or a part of it.",
		protocols: onBoth, limit: MaxFollowUp, fields: transPart, subject: byTransID, absent: errTransaction,
		signed: byEither, run: follow((*gateway.Client).Capture)},
	{name: "CREDITVOID", answers: acceptance,
		says: "Refunds a payment or a part of it, releases an authorization, or reverses a debit. A callback tells the " +
			"outcome.",
		notes: "Without `amount` it gives back all that is left; a hold and a debit are given back whole. The status is " +
			"REFUND after a part too; `transactions` of GET_TRANS_DETAILS has each refund and its outcome.\n" +
			fields.SaysRefundAgain + "look at `transactions` of GET_TRANS_DETAILS before you send it again.",
		protocols: onBoth, limit: MaxFollowUp, fields: transPart, subject: byTransID, absent: errPayment,
		signed: byCreditvoid, run: accept((*gateway.Client).CreditVoid)},
	{name: "VOID", answers: voidAnswers,
		says:      "Undoes a settled payment on its financial day.",
		protocols: onBoth, limit: MaxFollowUp, fields: transOnly, subject: byTransID, absent: errPayment,
		signed: byEither, run: follow((*gateway.Client).Void)},
	{name: "RETRY", answers: acceptance,
		says:      "Tries a declined later payment of a chain again. A callback tells the outcome.",
		protocols: onCard, limit: MaxFollowUp, fields: transOnly, subject: byRecurring, absent: errTransaction,
		signed: by(signature.Card1), run: accept((*gateway.Client).Retry)},
	{name: "DEBIT2VIRTUAL_COMPLETE", answers: depositAnswers,
		says:      "Makes a deposit whose commission was computed.",
		protocols: onAPM, limit: MaxFollowUp, fields: transOnly, subject: byTransID,
		absent: errTransaction,
		signed: by(signature.APMTrans), run: follow((*gateway.Client).CompleteDebit)},
	{name: "STOP_SCHEDULE", answers: doneAnswers,
		says:      "Stops a schedule that the provider runs.",
		protocols: onCard, limit: MaxFollowUp, fields: transOnly, subject: byTransID,
		absent: errPayment,
		signed: by(signature.Card2), run: stopSchedule},
}

// lookups are the actions that change nothing.
var lookups = []action{
	{name: "GET_TRANS_STATUS", answers: statusAnswers,
		says: "Tells how a payment stands.",
		notes: "`result` SUCCESS says that the question was answered, and nothing of the payment. Its outcome is `status`: " +
			"a declined payment answers SUCCESS with DECLINED.",
		protocols: onBoth, limit: MaxFollowUp, fields: transOnly, subject: byTransID,
		absent: errTransaction,
		signed: byEither, run: status},
	{name: "GET_TRANS_STATUS_BY_ORDER", answers: statusAnswers,
		says: "Tells how the newest payment of an order stands.",
		notes: "Email of the formula is the `payer_email` that was sent, and card the first six and last four digits of " +
			"the card. What the payment does not have is empty: an alternative method has no card.",
		protocols: onBoth, limit: MaxFollowUp, fields: orderOnly, subject: byOrderID,
		absent: errOrder,
		signed: by(signature.Card7), run: status},
	{name: "GET_TRANS_DETAILS", answers: detailsAnswers,
		says:      "Tells a payment with its payer and its transactions.",
		protocols: onBoth, limit: MaxFollowUp, fields: transOnly, subject: byTransID,
		absent: errTransaction,
		signed: byOwn, run: details},
}
