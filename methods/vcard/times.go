package vcard

import (
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// The times of the test cards.
const (
	// PayerTime is how long a payer may take on a simulated page; then the operation is declined.
	PayerTime = 20 * time.Minute
	// PendingFor is how long 07/2038 and 08/2038 stay pending.
	PendingFor = 5 * time.Minute
	// LateBy is how long 11/2038 is not found before it takes effect. It is less than the declared lateness.
	LateBy = 30 * time.Second
	// SettledAfter is when captured money can no longer be voided: the longest day of any time zone.
	SettledAfter = 25 * time.Hour
)

// How long a payer has to pay what is displayed, unless the method says it (Operation.Window). After that the
// payment is declined.
const (
	QRTime      = time.Minute     // a QR code (SPEC2, "Method behaviours")
	DetailsTime = 5 * time.Minute // payment details
)

// PollEvery is how long the gateway waits before it asks Find again about a payer who has to pay.
const PollEvery = 5 * time.Second

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

// again returns when to ask next: soon, and at the latest at the end of the window.
func again(e Entry, now time.Time) time.Duration {
	return max(min(PollEvery, e.Due.Sub(now)), time.Second)
}
