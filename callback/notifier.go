package callback

import (
	"context"
	"time"
)

// Notifier delivers one prepared callback. It is a port: the host brings its own (a queue, a log) or
// uses HTTPNotifier. Deliver is called with no store transaction open and may be called more than once
// for one callback: delivery is at least once, and a redelivery carries the same bytes. It returns when
// the outcome is known or ctx ends, and never panics on any content.
type Notifier interface {
	Deliver(ctx context.Context, d Delivery) Receipt
}

// Delivery is one attempt to hand a callback to the merchant.
type Delivery struct {
	ID          string // the callback's id, equal on every attempt
	Attempt     int    // 1 for the first
	URL         string // where the merchant wants it
	ContentType string // "application/x-www-form-urlencoded; charset=utf-8"
	Body        []byte // byte-identical on every attempt
	RequireOK   bool   // S2S: a 2xx counts only with the body OK (callbacks.md, "Delivery"; decision g)
}

// Verdict is what came of an attempt.
type Verdict string

// The three verdicts. Only Accepted ends the deliveries of a callback.
const (
	Accepted Verdict = "accepted" // the merchant acknowledged it
	Refused  Verdict = "refused"  // an answer that is no acknowledgement, or a connection that failed
	TimedOut Verdict = "timeout"  // no answer in time; five in five minutes block the URL (decision ak)
)

// Receipt reports an attempt. Detail is for the attempt log: a short text without card data.
type Receipt struct {
	Verdict Verdict
	Status  int // HTTP status, 0 without one
	Detail  string

	// RetryAfter is what the merchant asked for in a Retry-After header, between 0 and MaxRetryAfter; 0
	// when it did not ask. Schedule.Next takes it.
	RetryAfter time.Duration
}
