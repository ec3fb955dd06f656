package vcard

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// stage is the point in a call at which a fault occurs.
type stage int

const (
	never  stage = iota
	before       // the acquirer has seen nothing
	after        // the acquirer has booked
)

// Outcome is a scripted result of one call. Make one with the functions below.
type Outcome struct {
	name  string
	plan  *plan // replaces the test card's plan; nil keeps it
	stage stage
	// fault occurs at stage; the call goes on unless stop.
	fault func(ctx context.Context, op methods.Operation) (a methods.Answer, stop bool)
	spoil func(*methods.Answer)
}

// String returns the name of the outcome, for messages of tests.
func (o Outcome) String() string { return o.name }

func (o Outcome) halt(ctx context.Context, op methods.Operation, s stage) (methods.Answer, bool) {
	if o.fault == nil || o.stage != s {
		return methods.Answer{}, false
	}
	return o.fault(ctx, op)
}

func (o Outcome) spoiled(a methods.Answer) methods.Answer {
	if o.spoil != nil {
		o.spoil(&a)
	}
	return a
}

// claim returns the scripted answer of Find, which ignores the ledger.
func (p plan) claim(op methods.Operation) methods.Answer {
	switch p.verdict {
	case decline:
		a := methods.Declined(op, p.reason)
		a.Soft = p.soft
		return a
	case wait, threeDS, bank, show, inquire:
		return methods.Pending(op, op.Continuation)
	case unseen:
		return methods.NotFound(op)
	}
	return methods.Approved(op, "claimed-"+op.Key)
}

// Normal leaves the call unchanged; it holds a place in a queue.
func Normal() Outcome { return Outcome{name: "normal"} }

// Approve approves, as far as the acquirer's rules allow.
func Approve() Outcome { return Outcome{name: "approve", plan: &plan{}} }

// Decline declines for good.
func Decline(reason string) Outcome {
	return Outcome{name: "decline", plan: &plan{verdict: decline, reason: reason}}
}

// SoftDecline declines in a way that another attempt or another MID may change.
func SoftDecline(reason string) Outcome {
	return Outcome{name: "soft decline", plan: &plan{verdict: decline, reason: reason, soft: true}}
}

// Pending leaves the operation pending until Resolve.
func Pending() Outcome { return Outcome{name: "pending", plan: &plan{verdict: wait}} }

// ThreeDS sends the payer to the simulated 3-D Secure page. approved is the result of Confirm there.
func ThreeDS(approved bool) Outcome {
	return Outcome{name: "3-D Secure", plan: &plan{verdict: threeDS, refused: !approved, reason: reasonDeclined}}
}

// Redirect sends the payer to the simulated bank page. approved is the result of Confirm there.
func Redirect(approved bool) Outcome {
	return Outcome{name: "redirect", plan: &plan{verdict: bank, refused: !approved, reason: reasonDeclined}}
}

// Late answers unknown and takes effect after d; until then Find does not find it.
func Late(d time.Duration) Outcome {
	return Outcome{name: "late", plan: &plan{verdict: unseen, lost: true, after: max(d, time.Nanosecond)}}
}

// Absent, for CallFind, answers not found whatever the ledger has.
func Absent() Outcome { return Outcome{name: "absent", plan: &plan{verdict: unseen}} }

// NotSent fails before anything was sent, like a refused connection.
func NotSent() Outcome {
	return stopped("not sent", before, func(op methods.Operation) methods.Answer {
		return methods.NotSent(op, "scripted: not sent")
	})
}

// UnknownBefore loses the request: the answer is unknown, and nothing was booked.
func UnknownBefore() Outcome {
	return stopped("unknown before effect", before, func(op methods.Operation) methods.Answer {
		return methods.Unknown(op, "scripted: the request was lost")
	})
}

// UnknownAfter loses the answer: it is unknown, and the acquirer has booked.
func UnknownAfter() Outcome {
	return stopped("unknown after effect", after, func(op methods.Operation) methods.Answer {
		return methods.Unknown(op, "scripted: the answer was lost")
	})
}

// Panic panics before the acquirer has decided.
func Panic() Outcome {
	return stopped("panic", before, func(methods.Operation) methods.Answer { panic("vcard: scripted panic") })
}

// PanicAfter panics after the acquirer has decided.
func PanicAfter() Outcome {
	return stopped("panic after effect", after, func(methods.Operation) methods.Answer { panic("vcard: scripted panic") })
}

// Block waits until release is closed or gets a value, and then goes on. When the context ends first the answer is
// unknown and nothing was booked. With a nil release it waits for the context alone.
func Block(release <-chan struct{}) Outcome { return blocked("block", before, release) }

// BlockAfter is Block with the acquirer's decision made before the wait.
func BlockAfter(release <-chan struct{}) Outcome {
	return blocked("block after effect", after, release)
}

// WrongAmount changes the amount that the answer repeats; the ledger stays right.
func WrongAmount(amount store.Amount) Outcome {
	return Outcome{name: "wrong amount", spoil: func(a *methods.Answer) { a.Amount = amount }}
}

// WrongCurrency answers in another currency.
func WrongCurrency(currency string) Outcome {
	return Outcome{name: "wrong currency", spoil: func(a *methods.Answer) { a.Currency = currency }}
}

// WrongKey answers about another operation.
func WrongKey(key string) Outcome {
	return Outcome{name: "wrong key", spoil: func(a *methods.Answer) { a.Key = key }}
}

func stopped(name string, s stage, say func(methods.Operation) methods.Answer) Outcome {
	return Outcome{name: name, stage: s, fault: func(_ context.Context, op methods.Operation) (methods.Answer, bool) {
		return say(op), true
	}}
}

func blocked(name string, s stage, release <-chan struct{}) Outcome {
	return Outcome{name: name, stage: s, fault: func(ctx context.Context, op methods.Operation) (methods.Answer, bool) {
		select {
		case <-release:
			return methods.Answer{}, false
		case <-ctx.Done():
			return methods.Unknown(op, "scripted: the context ended while waiting"), true
		}
	}}
}
