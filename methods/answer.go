package methods

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Result is what a connector reports of an operation: one of a closed set.
type Result string

// The closed set of results (architecture.md, "Ports").
const (
	ResultApproved Result = "approved"
	ResultDeclined Result = "declined"
	ResultRedirect Result = "redirect" // the payer has to go to another page
	ResultDisplay  Result = "display"  // the payer sees a QR code or payment details
	ResultPrompt   Result = "prompt"   // the payer has to fill in fields
	ResultPending  Result = "pending"  // accepted; the outcome comes later
	ResultNotSent  Result = "not sent" // certainly no effect
	ResultUnknown  Result = "unknown"  // something may have happened
	// ResultUnverified, from Complete and Notification: what came back is not proven to be the payer's or the
	// acquirer's own. It changes nothing, and the operation stays open.
	ResultUnverified Result = "unverified"
	ResultNotFound   Result = "not found" // only from Find: nothing is known under the key
)

// Results returns the closed set.
func Results() []Result {
	return []Result{ResultApproved, ResultDeclined, ResultRedirect, ResultDisplay, ResultPrompt,
		ResultPending, ResultNotSent, ResultUnknown, ResultUnverified, ResultNotFound}
}

// Answer is a connector's answer about one operation. Amount, Currency and Key repeat the operation's; an answer
// that differs in one of them leaves the operation in doubt. Use the constructors, which repeat them.
type Answer struct {
	Result   Result
	Amount   store.Amount
	Currency string
	Key      string

	Reference string // the acquirer's reference of the transaction
	Reason    string // of a decline, for the merchant and the payer; at most 1024 characters
	Soft      bool   // of a decline: another attempt or another MID may succeed
	Facts     store.Facts
	Extras    []store.Extra // facts of the acquirer that no field of Facts has; see MaxExtras

	Redirect *store.Redirect // with ResultRedirect
	Display  *Display        // with ResultDisplay
	Prompts  []Prompt        // with ResultPrompt
	// Continuation, with redirect, display, prompt and pending, is passed back to Complete and Find. It is stored
	// unsealed and must never hold card data or the links of the operation.
	Continuation []byte
	Again        time.Duration // with pending: when to ask again, 1 s to 30 days; zero for the usual back-off
	Cause        string        // for the log: what failed; never card data
}

// MaxExtras and MaxExtra bound the acquirer's own facts: the number of pairs, and the characters of a value. Names
// have 1 to 64 of A-Z a-z 0-9 _ . and -, each name once; values have no control characters. Any other pair is left
// out, and the log says so. Merchants with extended data get them as extended_data[name] (SPEC1, extended_data).
const (
	MaxExtras = 20
	MaxExtra  = 255
)

func answer(result Result, op Operation) Answer {
	return Answer{Result: result, Amount: op.Amount, Currency: op.Currency, Key: op.Key}
}

// Approved: the acquirer did it. reference is the acquirer's name for it.
func Approved(op Operation, reference string) Answer {
	a := answer(ResultApproved, op)
	a.Reference = reference
	return a
}

// Declined: the acquirer refused for good.
func Declined(op Operation, reason string) Answer {
	a := answer(ResultDeclined, op)
	a.Reason = reason
	return a
}

// SoftDeclined: the acquirer refused, but another attempt or another MID may succeed.
func SoftDeclined(op Operation, reason string) Answer {
	a := Declined(op, reason)
	a.Soft = true
	return a
}

// Redirected: the payer has to go to next. continuation is passed to Complete.
func Redirected(op Operation, next store.Redirect, continuation []byte) Answer {
	a := answer(ResultRedirect, op)
	a.Redirect, a.Continuation = &next, continuation
	return a
}

// Displayed: the payer has to see a QR code or payment details. continuation is passed to Find.
func Displayed(op Operation, show Display, continuation []byte) Answer {
	a := answer(ResultDisplay, op)
	a.Display, a.Continuation = &show, continuation
	return a
}

// Prompted: the payer has to fill in fields. continuation is passed to Complete.
func Prompted(op Operation, fields []Prompt, continuation []byte) Answer {
	a := answer(ResultPrompt, op)
	a.Prompts, a.Continuation = fields, continuation
	return a
}

// Pending: the acquirer accepted it and decides later.
func Pending(op Operation, continuation []byte) Answer {
	a := answer(ResultPending, op)
	a.Continuation = continuation
	return a
}

// NotSent: the acquirer certainly did nothing, for example because the connection was refused or the request was
// not complete. cause is for the log.
func NotSent(op Operation, cause string) Answer {
	a := answer(ResultNotSent, op)
	a.Cause = cause
	return a
}

// Unknown: the acquirer may or may not have done it. cause is for the log.
func Unknown(op Operation, cause string) Answer {
	a := answer(ResultUnknown, op)
	a.Cause = cause
	return a
}

// Unverified, from Complete and Notification: what came back proves nothing, because it is forged, truncated or of
// another operation. cause is for the log.
func Unverified(op Operation, cause string) Answer {
	a := answer(ResultUnverified, op)
	a.Cause = cause
	return a
}

// NotFound, from Find: the acquirer knows nothing under the key.
func NotFound(op Operation) Answer { return answer(ResultNotFound, op) }

// Repeats reports whether the answer is about op: same key, amount and currency.
func (a Answer) Repeats(op Operation) bool {
	return a.Key == op.Key && a.Currency == op.Currency && a.Amount.Cmp(op.Amount) == 0
}
