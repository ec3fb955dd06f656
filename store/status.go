package store

import "strings"

// Status is the status of a payment, in the spelling of S2S (lifecycle.md, "Payment statuses").
type Status string

// Every status. New is the empty status of a payment before its first event.
const (
	New        Status = ""
	Prepare    Status = "PREPARE"  // undetermined; the final status follows
	ThreeDS    Status = "3DS"      // waits for 3-D Secure
	Redirected Status = "REDIRECT" // the payer is on a third-party page
	Pending    Status = "PENDING"  // authorized and waits for capture, or waits for the payer (APM)
	Settled    Status = "SETTLED"
	Declined   Status = "DECLINED"
	Reversed   Status = "REVERSAL" // an authorization was voided, or a debit reversed
	Refunded   Status = "REFUND"   // refunded in full or in part
	Voided     Status = "VOID"
	Disputed   Status = "CHARGEBACK"
)

// Statuses returns every status that a stored payment may have.
func Statuses() []Status {
	return []Status{Prepare, ThreeDS, Redirected, Pending, Settled, Declined, Reversed, Refunded, Voided, Disputed}
}

// Checkout returns the status in the spelling of Checkout (lifecycle.md): lower case, and decline for DECLINED.
func (s Status) Checkout() string {
	if s == Declined {
		return "decline"
	}
	return strings.ToLower(string(s))
}
