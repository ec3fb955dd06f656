package callback

import (
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// The types of a Checkout callback (checkout.md, "Callback parameters").
const (
	succeeded = "success"
	failed    = "fail"
	awaited   = "waiting"

	type3DS       = "3ds"
	typeRedirect  = "redirect"
	typeInit      = "init"
	typeRecurring = "recurring"
)

// Results of S2S callbacks (s2s_card.md, "Results and statuses"; s2s_apm.md, "Actions, results, statuses").
const (
	success   = "SUCCESS"
	declined  = "DECLINED"
	redirect  = "REDIRECT"
	started   = "INIT"
	waiting   = "WAITING"
	undefined = "UNDEFINED"
)

// Actions of S2S callbacks.
const (
	sale           = "SALE"
	debit          = "DEBIT"
	recurringSale  = "RECURRING_SALE"
	recurringDebit = "RECURRING_DEBIT"
	card2Card      = "CARD2CARD"
	credit2Card    = "CREDIT2CARD"
	credit2Virtual = "CREDIT2VIRTUAL"
	credit2Crypto  = "CREDIT2CRYPTO"
	debit2Virtual  = "DEBIT2VIRTUAL"
	debitCalc      = "DEBIT2VIRTUAL_CALC"
	capture        = "CAPTURE"
	creditvoid     = "CREDITVOID"
	void           = "VOID"
	chargeback     = "CHARGEBACK"
)

// action returns the S2S action that a callback reports: the one that made the payment, or the follow-up.
func action(e *Event) string {
	switch e.Transaction.Operation {
	case store.OpCapture:
		return capture
	case store.OpVoid:
		return void
	case store.OpRefund, store.OpReversal:
		return creditvoid
	case store.OpChargeback:
		return chargeback
	case store.OpCalc:
		return debitCalc
	default:
		return chargeAction(e)
	}
}

// chargeAction returns the name under which the outcome of a charge is reported: SALE for an AUTH, DEBIT2VIRTUAL
// for a completed CALC, and the recurring action for a payment of a schedule or its RETRY (s2s_card.md,
// RECURRING_SALE).
func chargeAction(e *Event) string {
	name := e.Payment.Action
	switch name {
	case "AUTH":
		name = sale
	case "RETRY":
		name = recurringSale
	case debitCalc, "DEBIT2VIRTUAL_COMPLETE":
		name = debit2Virtual
	case "":
		name = kindAction(e.Payment)
	}
	if e.Type == typeRecurring && !strings.HasPrefix(name, "RECURRING_") {
		name = "RECURRING_" + name
	}
	return name
}

// kindAction returns the action for a payment that no S2S action made.
func kindAction(p *store.Payment) string {
	virtual := p.Protocol == store.S2SAPM
	switch {
	case p.Kind == store.Debit && virtual:
		return debit2Virtual
	case p.Kind == store.Debit:
		return debit
	case p.Kind == store.Credit && virtual:
		return credit2Virtual
	case p.Kind == store.Credit:
		return credit2Card
	case p.Kind == store.Transfer && !virtual:
		return card2Card
	}
	return sale
}

// result returns the result of the action. Only a CREDITVOID can be waiting; any other is undefined until the
// outcome is known.
func result(e *Event) string {
	switch {
	case e.Status == succeeded && (e.Type == type3DS || e.Type == typeRedirect):
		return redirect
	case e.Status == succeeded && e.Type == typeInit:
		return started
	case e.Status == succeeded:
		return success
	case e.Status == failed:
		return declined
	case e.Status == awaited && e.action == creditvoid:
		return waiting
	}
	return undefined
}
