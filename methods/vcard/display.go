package vcard

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// How long a payer has to pay what is displayed, unless the method says it (Operation.Window). After that the
// payment is declined.
const (
	QRTime      = time.Minute     // a QR code (SPEC2, "Method behaviours")
	DetailsTime = 5 * time.Minute // payment details
)

// PollEvery is how long the gateway waits before it asks Find again about a payer who has to pay.
const PollEvery = 5 * time.Second

// AccountSetting names the setting of the MID with the account for bank transfers. TestAccount is its default; no
// bank has it.
const (
	AccountSetting = "destination_account"
	TestAccount    = "000000000000000000"
)

// PayHere is the label of the detail whose value is the URL of the page that plays the payer.
const PayHere = "Test: pay here"

// windowOf returns how long the payer of op has to pay.
func windowOf(op methods.Operation) time.Duration {
	switch {
	case op.Window > 0:
		return op.Window
	case op.MethodKind == methods.KindQR:
		return QRTime
	case op.MethodKind == methods.KindDetails:
		return DetailsTime
	}
	return PayerTime
}

// present starts the payer's time to pay.
func (e *Entry) present(op methods.Operation, now time.Time) {
	e.State, e.Payer, e.ThreeDS = StateShown, "", false
	e.Due = now.Add(windowOf(op))
	if e.PayerID == "" {
		e.PayerID = payerID(op)
	}
}

// shown answers with what the payer sees: a QR code or details for the methods that have them. A payer who
// confirms in an app or gets a link is pending, with a hint of what to do.
func (c *Connector) shown(op methods.Operation, e Entry) methods.Answer {
	shown := c.showOf(op, e)
	var a methods.Answer
	switch e.MethodKind {
	case methods.KindConfirmation, methods.KindLink:
		a = methods.Pending(op, e.continuation())
		a.Display = &shown
	default:
		a = methods.Displayed(op, shown, e.continuation())
	}
	a.Again = c.again(e)
	return a
}

// again returns when to ask next: soon, and at the latest at the end of the window.
func (c *Connector) again(e Entry) time.Duration {
	return max(min(PollEvery, e.Due.Sub(c.now())), time.Second)
}

// showOf returns the same for the same entry each time.
func (c *Connector) showOf(op methods.Operation, e Entry) methods.Display {
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
	s.Details = append(s.Details, methods.Detail{Label: PayHere, Value: c.payURL(e)})
	return s
}

func account(op methods.Operation) string {
	if set := op.MID.Settings[AccountSetting]; set != "" {
		return set
	}
	return TestAccount
}

// linkDetails say where the link was sent, if the request named an address.
func linkDetails(op methods.Operation) []methods.Detail {
	to, other := op.Payer.Email, op.Payer.Address.Phone
	if strings.Contains(op.Method, "sms") {
		to, other = other, to
	}
	if to == "" {
		to = other
	}
	if to == "" {
		return nil
	}
	return []methods.Detail{{Label: "Link sent to", Value: to}}
}

// texts returns the parameters of an operation that are text at the top level; none when they are not JSON.
func texts(op methods.Operation) map[string]string {
	var sent map[string]any
	_ = json.Unmarshal(op.Parameters, &sent)
	all := map[string]string{}
	for name, value := range sent {
		if text, ok := value.(string); ok {
			all[name] = text
		}
	}
	return all
}

func payerID(op methods.Operation) string {
	sent := texts(op)
	if id := sent[askCUIL]; id != "" {
		return id
	}
	return sent[askCURP]
}

// BankState is the state of a payment at a bank, for a payment that is displayed as a QR code or as details.
type BankState string

// The states of a bank (SPEC2, "Method behaviours").
const (
	BankExecuted BankState = "executed"
	BankRejected BankState = "rejected"
	BankPending  BankState = "pending"
)

// BankState returns the state of the entry as a bank names it: executed is approved, rejected is declined.
func (e Entry) BankState() BankState {
	switch e.State {
	case StateApproved:
		return BankExecuted
	case StateDeclined:
		return BankRejected
	}
	return BankPending
}
