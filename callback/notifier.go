package callback

import (
	"context"
	"time"
)

// Notifier delivers one prepared callback. The host implements it (with a queue, a log) or uses HTTPNotifier.
// Deliver is called without an open store transaction and may be called more than once for one callback: delivery
// is at least once, and a redelivery has the same bytes. It returns when the outcome is known or ctx ends, and
// never panics on any content.
type Notifier interface {
	Deliver(ctx context.Context, d Delivery) Receipt
}

// Delivery is one attempt to deliver a callback to the merchant.
type Delivery struct {
	ID          string // the callback's id, equal on every attempt
	Attempt     int    // 1 for the first
	URL         string // the merchant's notification URL, or its target in a sink, like queue:orders
	ContentType string // "application/x-www-form-urlencoded; charset=utf-8"
	Body        []byte // byte-identical on every attempt
	RequireOK   bool   // S2S: a 2xx counts only with the body OK (callbacks.md, "Delivery"; decision g)

	// What the callback is about, for a queue or a log.
	MerchantID, PaymentID, TransactionID string
	Type                                 string    // sale, 3ds, refund, ...
	CreatedAt                            time.Time // when the payment moved, and the body was made
}

// Verdict is the result of an attempt.
type Verdict string

// The three verdicts. Only Accepted ends the deliveries of a callback.
const (
	Accepted Verdict = "accepted" // the merchant acknowledged it
	Refused  Verdict = "refused"  // an answer that is no acknowledgement, or a failed connection
	TimedOut Verdict = "timeout"  // no answer in time; five in five minutes block the URL (decision ak)
)

// Receipt reports an attempt. Detail is for the attempt log: a short text without card data.
type Receipt struct {
	Verdict Verdict
	Status  int // HTTP status, 0 without one
	Detail  string

	// RetryAfter is the wait that the merchant asked for in a Retry-After header, between 0 and MaxRetryAfter; 0
	// without one. Schedule.Next uses it.
	RetryAfter time.Duration
}
