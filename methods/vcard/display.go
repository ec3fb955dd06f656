package vcard

import (
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// PayHere is the label of the detail whose value is the URL of the page that plays the payer.
const PayHere = "Test: pay here"

// shown answers with what the payer sees: a QR code or details for the methods that have them. A payer who
// confirms in an app or gets a link is pending, with a hint of what to do.
func shown(op methods.Operation, e Entry, pay string, now time.Time) methods.Answer {
	content := showOf(op, e, pay)
	var a methods.Answer
	switch e.MethodKind {
	case methods.KindConfirmation, methods.KindLink:
		a = methods.Pending(op, e.continuation())
		a.Display = &content
	default:
		a = methods.Displayed(op, content, e.continuation())
	}
	a.Again = again(e, now)
	return a
}

// showOf returns the same for the same entry each time.
func showOf(op methods.Operation, e Entry, pay string) methods.Display {
	s := methods.Display{Until: e.Due}
	amount := methods.Detail{Label: "Amount", Value: e.amountText()}
	switch e.MethodKind {
	case methods.KindQR:
		s.QR, s.Details = qrText(op, e), []methods.Detail{amount}
	case methods.KindDetails:
		s.Details = []methods.Detail{{Label: "Account", Value: account(op)}, amount, {Label: "Reference", Value: e.Reference}}
	case methods.KindCrypto:
		s.QR, s.Details = walletText(e), append(cryptoDetails(op, e), amount)
	case methods.KindConfirmation:
		s.Details = []methods.Detail{{Label: "To do", Value: "Confirm the payment in your app"}, amount}
	case methods.KindLink:
		s.Details = append(linkDetails(op), amount)
	default: // whose payer chooses the amount
		s.Details = []methods.Detail{amount}
	}
	s.Details = append(s.Details, methods.Detail{Label: PayHere, Value: pay})
	return s
}
