package vcard

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// How long a payer has to pay what he is shown, where the method does not say (Operation.Window). After
// that the payment is declined.
const (
	QRTime      = time.Minute     // a QR code (SPEC2, "Method behaviours")
	DetailsTime = 5 * time.Minute // payment details
)

// PollEvery is how long Find asks the gateway to wait before it asks again about a payer who is to pay.
const PollEvery = 5 * time.Second

// AccountSetting names the setting of the MID that holds the account bank transfers go to, TestAccount
// stands in for an absent one. No bank has it.
const (
	AccountSetting = "destination_account"
	TestAccount    = "000000000000000000"
)

// PayHere is the label of the detail whose value is the URL of the page that plays the payer.
const PayHere = "Test: pay here"

// windowOf is how long the payer of op has to pay.
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

// present lets the payer's time begin.
func (e *Entry) present(op methods.Operation, now time.Time) {
	e.State, e.Payer, e.ThreeDS = StateShown, "", false
	e.Due = now.Add(windowOf(op))
	if e.PayerID == "" {
		e.PayerID = payerID(op)
	}
}

// shown answers what the payer sees: a QR code or details for those who pay by them. Who confirms in an
// app or gets a link is pending, with a word of what to do.
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

// again is when to ask: soon, and at the end of the window at the latest.
func (c *Connector) again(e Entry) time.Duration {
	return max(min(PollEvery, e.Due.Sub(c.now())), time.Second)
}

// showOf makes the same of the same entry whenever it is asked for.
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

// linkDetails say where the link went, if the payer told.
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

// texts are the parameters of an operation that are text at the top. What is not JSON holds none.
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

// BankState is what a bank says of a payment that is shown as a QR code or as details.
type BankState string

// The states of a bank (SPEC2, "Method behaviours").
const (
	BankExecuted BankState = "executed"
	BankRejected BankState = "rejected"
	BankPending  BankState = "pending"
)

// BankState is the entry in the words of a bank: executed is approved, rejected is declined.
func (e Entry) BankState() BankState {
	switch e.State {
	case StateApproved:
		return BankExecuted
	case StateDeclined:
		return BankRejected
	}
	return BankPending
}
