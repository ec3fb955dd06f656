package methods

import (
	"context"
	"time"
)

// Connector performs one operation at one acquirer, once. It is the only port a connector author must
// implement; the optional powers below declare what else the acquirer can do, and
// package methodstest checks them all.
//
// The gateway has committed the operation's intent before it calls, holds no store transaction
// meanwhile, and gives a context that ends at Operation.Deadline. Perform must return by then and say
// what it knows: NotSent only when the acquirer certainly did nothing, Unknown whenever something may
// have happened. A panic counts as Unknown. Perform is called from many goroutines.
type Connector interface {
	Perform(ctx context.Context, op Operation) Answer
}

// Declarer declares what may be relied on. A connector that does not declare gets the zero value, which
// is the strictest: nothing is resent, nothing times out into a decline.
type Declarer interface {
	Capabilities() Capabilities
}

// Finder asks the acquirer what became of an operation, by our key.
type Finder interface {
	// Find answers what is known, or NotFound when the acquirer has seen nothing under the key. An
	// Unknown answer means the question itself failed, also because the context ended. It repeats the
	// acquirer's amount and currency, not those of op, so that a mismatch can be seen. op has no card.
	Find(ctx context.Context, op Operation) Answer
}

// Completer finishes an operation after the payer has been elsewhere.
type Completer interface {
	// Complete is given the operation with the Continuation of the answer that sent the payer away, and
	// what the payer's browser brought back. That is no evidence by itself: it has to be verified by the
	// acquirer's means or asked about. A return that is forged or another operation's is Unverified and
	// changes nothing. Two calls are never under way at once about one return. One whose answer is Unknown or was
	// never heard comes again only to a connector that is IdempotentByKey, which gives the same answer; another one
	// is asked by Find. The card is there until the payer's link ends, its security code with CodeAtReturn.
	Complete(ctx context.Context, op Operation, back Return) Answer
}

// Notified reads the acquirer's own notification about an operation. It must verify it by the
// acquirer's means; what does not verify is Unverified and changes nothing. Unknown is one that could not be read
// now, and that the acquirer is asked to send again.
type Notified interface {
	Notification(ctx context.Context, op Operation, note Note) Answer
}

// Stopper stops what an acquirer itself charges again and again: a schedule that it runs for a payment
// (s2s_card.md, STOP_SCHEDULE).
type Stopper interface {
	// StopSchedule is given the charge that began the schedule, with its key and reference. Approved says
	// that nothing more will be charged by it, also when it was stopped before; Declined that the acquirer
	// does not stop it, or runs none.
	StopSchedule(ctx context.Context, op Operation) Answer
}

// Capabilities is what a connector declares (architecture.md, "Ports").
type Capabilities struct {
	// IdempotentByKey: a second request with our key has no second effect and gives the first answer.
	IdempotentByKey bool
	// Lateness is how long after the deadline an unseen request may still take effect. Zero means not
	// declared: an operation that is not found then stays in doubt.
	Lateness time.Duration
	// ResendWithoutCode: a charge may be sent without the security code that the payer gave: again, or after another
	// MID had declined it, when the code is there no longer.
	ResendWithoutCode bool
	// CodeAtReturn: Complete needs the card with its security code, as an acquirer does that authorizes only after the
	// issuer's page. So has a Complete that brings what the payer was asked. Else the code is gone when the payer comes
	// back, unless another MID may need it. On S2S the callbacks of such an attempt do not say where the payer has to go,
	// to the issuer, to a bank or to the gateway's own page, since their bodies are kept; the answer does. Once the
	// payer's link has ended, a day after the attempt began at most, Complete is not called at all, and nothing is asked.
	CodeAtReturn bool
	// Holds: authorizations can be held and captured later (DMS).
	Holds bool
	// ZeroAmount: authorizations of nothing are accepted.
	ZeroAmount bool
	// Wallet: what of a wallet's token is taken (SPEC2, "Wallet tokens").
	Wallet WalletSupport
	// WalletHolds: a token that is taken as it is can be held and captured later, too (decision z).
	WalletHolds bool
	// BrowserFields are the browser attributes it cannot do without; a missing one declines with
	// INVALID_REQUEST before anything is sent (decision al).
	BrowserFields []string
	// Timeout bounds one call; zero means the gateway's own.
	Timeout time.Duration
}

// CapabilitiesOf is what a connector declares; nothing for one that declares nothing.
func CapabilitiesOf(connector Connector) Capabilities {
	if declarer, ok := connector.(Declarer); ok {
		return declarer.Capabilities()
	}
	return Capabilities{}
}
