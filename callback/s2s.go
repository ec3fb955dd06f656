package callback

import (
	"github.com/tollgatepay/gateway/store"
)

// Values and rows that the tables of the two S2S protocols share.

func s2sAction(e *Event) string { return e.action }
func s2sResult(e *Event) string { return e.result }
func s2sStatus(e *Event) string { return string(e.Payment.Status) }

// amount returns the order's amount as it was sent, or the transaction's when it has its own or the payer chose
// it.
func amount(e *Event) string {
	switch e.Transaction.Operation {
	case store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal, store.OpChargeback:
		return e.Payment.AmountText(e.Transaction.Amount)
	default: // of the charge
	}
	if e.Payment.Order.Amount == "" && !e.Transaction.Amount.IsZero() {
		return e.Transaction.Amount.String()
	}
	return e.Payment.Order.Amount
}

func declineReason(e *Event) string { return e.Transaction.Reason }

// next returns the parameters of the page where the payer has to go.
func next(sent when) []row {
	return []row{
		{name: "redirect_url", when: sent, value: nextOf(func(n *store.Redirect) string { return n.URL })},
		{name: "redirect_params", when: sent, tree: redirectParams},
		{name: "redirect_method", when: sent, value: nextOf(func(n *store.Redirect) string { return n.Method })},
	}
}

func nextOf(value func(*store.Redirect) string) func(*Event) string {
	return func(e *Event) string {
		if e.Redirect == nil {
			return ""
		}
		return value(e.Redirect)
	}
}

// redirectParams returns the fields of a form that the payer's browser posts unchanged, so empty ones are sent
// too.
func redirectParams(e *Event, name string) []Field {
	if e.Redirect == nil {
		return nil
	}
	fields := make([]Field, len(e.Redirect.Params))
	for i, param := range e.Redirect.Params {
		fields[i] = Field{name + "[" + escapeKey(param.Name) + "]", param.Value}
	}
	return fields
}

// dispute returns the parameters of a CHARGEBACK, except for its amount.
func dispute() []row {
	sent := on([]string{chargeback})
	return []row{
		{name: "chargeback_date", when: sent, value: date},
		{name: "bank_date", when: sent, value: fact(func(f *store.Facts) string { return f.BankDate })},
		{name: "reason_code", when: sent, value: fact(func(f *store.Facts) string { return f.ReasonCode })},
	}
}

// succeededOnly: extended data comes with the result SUCCESS only, whatever the action.
var succeededOnly = given("with result SUCCESS", func(e *Event) bool { return e.result == success })
