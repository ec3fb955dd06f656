package methods

import (
	"context"
	"time"
)

// Connector performs one operation at one acquirer, once. It is the only interface that a connector must
// implement. The optional interfaces below declare what else the acquirer can do, and package methodstest checks
// them all.
//
// The gateway has stored the operation before it calls, holds no store transaction during the call, and passes a
// context that ends at Operation.Deadline. Perform must return by then and report what it knows: NotSent only when
// the acquirer certainly did nothing, Unknown whenever it may have done something. A panic counts as Unknown.
// Perform is called from many goroutines.
type Connector interface {
	Perform(ctx context.Context, op Operation) Answer
}

// Declarer declares what the gateway may rely on. A connector that does not declare gets the zero value, which is
// the strictest: nothing is sent again, and no timeout becomes a decline.
type Declarer interface {
	Capabilities() Capabilities
}

// Finder asks the acquirer for the outcome of an operation, by our key.
type Finder interface {
	// Find returns what the acquirer has, or NotFound when it has nothing under the key. Unknown means that the
	// question itself failed, for example because the context ended. The answer has the acquirer's amount and
	// currency, not those of op, so that a mismatch can be seen. op has no card.
	Find(ctx context.Context, op Operation) Answer
}

// Completer finishes an operation after the payer has been on another page. A payment that waits at a connector without
// Finder gets a person to look at it: at once if it has no Completer and no Notified either, else when the payer's link
// has ended, within two days, and with Notified within eight.
type Completer interface {
	// Complete gets the operation with the Continuation of the answer that sent the payer away, and what the payer's
	// browser brought back. That alone is no evidence: the connector has to verify it, or ask the acquirer. A return
	// that is forged or of another operation is Unverified and changes nothing. Two calls never run at once for one
	// return. A call whose answer was Unknown or never arrived is repeated only for a connector that is
	// IdempotentByKey, which gives the same answer. Any other connector is asked by Find instead. It does not get that
	// return again, also if different ones come in between. A different return is sent when Find says Pending, which
	// means that the acquirer still waits for the payer, or when the first was answered Pending. A decline of it may be
	// of the return alone, so Find is asked. A return whose answer was a next step may come again in that step. A return
	// that is NotSent is in doubt, and may come again; an answer to a prompt that is NotSent is asked for again. The card
	// is present until the payer's link ends; its security code is present only with CodeAtReturn.
	Complete(ctx context.Context, op Operation, back Return) Answer
}

// Notified reads the acquirer's own notification about an operation. It must verify the notification by the
// acquirer's means; one that does not verify is Unverified and changes nothing. Unknown means that it could not be
// read now; the acquirer is asked to send it again.
type Notified interface {
	Notification(ctx context.Context, op Operation, note Note) Answer
}

// Stopper stops a schedule that the acquirer itself runs for a payment (s2s_card.md, STOP_SCHEDULE).
type Stopper interface {
	// StopSchedule gets the charge that began the schedule, with its key and reference. Approved means that the
	// schedule charges no more, even if it was stopped before; Declined that the acquirer does not stop it or runs
	// none.
	StopSchedule(ctx context.Context, op Operation) Answer
}

// Power is a method of a connector.
type Power string

// The powers: Perform, which every connector has, and those of the optional interfaces.
const (
	Performs       Power = "Perform"
	Finds          Power = "Find"
	Completes      Power = "Complete"
	ReadsNotes     Power = "Notification"
	StopsSchedules Power = "StopSchedule"
)

// Capabilities is what a connector declares (architecture.md, "Ports").
type Capabilities struct {
	// Powers are the optional interfaces that the connector is written to have. gateway.New refuses a connector that
	// lacks one of them, as a decorator does that hides it (Wrap). Empty: what it has is not compared.
	Powers []Power
	// IdempotentByKey: a second request with our key has no second effect and returns the first answer.
	IdempotentByKey bool
	// Lateness is how long after the deadline a request that was not found may still take effect. Zero means not
	// declared: an operation that is not found then stays in doubt.
	Lateness time.Duration
	// ResendWithoutCode: a charge may be sent without the security code that the payer entered. The code is gone when
	// a charge is sent again, or to another MID after a decline.
	ResendWithoutCode bool
	// CodeAtReturn: Complete needs the card with its security code, because the acquirer authorizes only after the
	// issuer's page. That includes a Complete with the payer's answers. Without it the code is erased before the
	// payer comes back, unless another MID may need it. On S2S the callbacks of such an attempt do not say where the
	// payer has to go (to the issuer, to a bank or to the gateway's own page), because callback bodies are stored;
	// the answer to the request says it. Once the payer's link has ended, at most a day after the attempt began,
	// Complete is not called, and nothing is asked.
	CodeAtReturn bool
	// Holds: authorizations can be held and captured later (DMS).
	Holds bool
	// ZeroAmount: authorizations of amount zero are accepted.
	ZeroAmount bool
	// Wallet: which part of a wallet's token is accepted (SPEC2, "Wallet tokens").
	Wallet WalletSupport
	// WalletHolds: a token that is passed on unopened can be authorized and captured later, too (decision z).
	WalletHolds bool
	// BrowserFields are the browser attributes that it requires. When one is missing the gateway declines with
	// INVALID_REQUEST and sends nothing (decision al).
	BrowserFields []string
	// Timeout bounds one call; zero means the gateway's own.
	Timeout time.Duration
	// InProcess: every call returns at once, without waiting for anything outside the process. The gateway then calls
	// on the caller's goroutine. A call that waits all the same holds up its caller, also beyond its deadline.
	InProcess bool
}

// CapabilitiesOf returns what a connector declares; the zero value for one that does not declare.
func CapabilitiesOf(connector Connector) Capabilities {
	if declarer, ok := connector.(Declarer); ok {
		return declarer.Capabilities()
	}
	return Capabilities{}
}
