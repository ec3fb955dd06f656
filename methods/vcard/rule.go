package vcard

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// rule returns why an acquirer refuses child on an approved charge, or nothing. It reads the charge in its own
// ledger, never the gateway's view of it.
func rule(charge, child *Entry, now time.Time) string {
	switch {
	case charge.Currency != child.Currency:
		return "Currency differs from the charge"
	case charge.Closed:
		return "Charge is voided or reversed"
	}
	check, ok := map[store.Operation]func(charge, child *Entry, now time.Time) string{
		store.OpCapture: captureRule, store.OpRefund: refundRule,
		store.OpVoid: voidRule, store.OpReversal: reversalRule,
	}[child.Kind]
	if !ok {
		return "Operation is not supported"
	}
	return check(charge, child, now)
}

func captureRule(charge, child *Entry, _ time.Time) string {
	switch {
	case charge.Kind != store.OpAuth:
		return "Charge is not an authorization"
	case !charge.CapturedAt.IsZero():
		return "Charge is captured already"
	case child.Amount.Cmp(charge.Amount) > 0:
		return "Amount is more than was authorized"
	case charge.RefuseCapture:
		return reasonDeclined
	}
	return ""
}

func refundRule(charge, child *Entry, _ time.Time) string {
	switch {
	case charge.Kind == store.OpTransfer || charge.Kind == store.OpCredit:
		return "Charge cannot be refunded"
	case charge.CapturedAt.IsZero():
		return "Charge is not captured"
	case child.Amount.IsZero():
		return "Amount is nothing"
	case charge.Refunded.Add(child.Amount).Cmp(charge.Captured) > 0:
		return "Amount is more than is left of what was captured"
	}
	return ""
}

// voidRule: the whole captured amount, on the day of the capture.
func voidRule(charge, child *Entry, now time.Time) string {
	switch {
	case charge.Kind == store.OpTransfer || charge.Kind == store.OpCredit || charge.CapturedAt.IsZero():
		return "Charge cannot be voided"
	case !charge.Refunded.IsZero():
		return "Charge is refunded"
	case child.Amount.Cmp(charge.Captured) != 0:
		return "Amount differs from what was captured"
	case now.Sub(charge.CapturedAt) > SettledAfter:
		return "Charge is settled"
	}
	return ""
}

// reversalRule: the whole authorization, or the whole of a debit. A debit that was authorized first is an
// authorization here, so a captured one may be reversed too.
func reversalRule(charge, child *Entry, _ time.Time) string {
	whole := charge.Amount
	switch {
	case charge.Kind != store.OpAuth && charge.Kind != store.OpDebit:
		return "Charge cannot be reversed"
	case !charge.Refunded.IsZero():
		return "Charge is refunded"
	case !charge.CapturedAt.IsZero():
		whole = charge.Captured
	}
	if child.Amount.Cmp(whole) != 0 {
		return "Amount differs from the charge"
	}
	return ""
}

// act changes the charge by an approved child.
func act(charge, child *Entry, now time.Time) {
	switch child.Kind {
	case store.OpCapture:
		charge.Captured, charge.CapturedAt = child.Amount, now
	case store.OpRefund:
		charge.Refunded = charge.Refunded.Add(child.Amount)
	case store.OpVoid, store.OpReversal:
		charge.Closed = true
	default: // a dispute changes the scheme's records, not the charge
	}
}
