package methods

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Result is what a connector says of an operation: one of a closed set.
type Result string

// The closed set of results (architecture.md, "Ports").
const (
	ResultApproved Result = "approved"
	ResultDeclined Result = "declined"
	ResultRedirect Result = "redirect" // the payer has to go elsewhere
	ResultDisplay  Result = "display"  // the payer is shown a QR code or payment details
	ResultPrompt   Result = "prompt"   // the payer has to fill in more
	ResultPending  Result = "pending"  // accepted, the outcome comes later
	ResultNotSent  Result = "not sent" // certainly no effect
	ResultUnknown  Result = "unknown"  // something may have happened
	// ResultUnverified, from Complete and Notification: what came back is not proven to be the payer's or
	// the acquirer's own. Nothing was done and nothing is learned; the operation stays as it is.
	ResultUnverified Result = "unverified"
	ResultNotFound   Result = "not found" // only from Find: nothing is known under the key
)

// Results lists the closed set.
func Results() []Result {
	return []Result{ResultApproved, ResultDeclined, ResultRedirect, ResultDisplay, ResultPrompt,
		ResultPending, ResultNotSent, ResultUnknown, ResultUnverified, ResultNotFound}
}

// Answer is what a connector says of one operation. Amount, Currency and Key repeat the operation's: an
// answer that does not is in doubt, never believed. Use the constructors, which repeat them.
type Answer struct {
	Result   Result
	Amount   store.Amount
	Currency string
	Key      string

	Reference string // the acquirer's name for the transaction
	Reason    string // of a decline, for the merchant and the payer; at most 1024 characters
	Soft      bool   // of a decline: another try or another MID may succeed
	Facts     store.Facts
	Extras    []store.Extra // the acquirer's own facts, which no field of Facts has; see MaxExtras

	Redirect *store.Redirect // with ResultRedirect
	Display  *Display        // with ResultShow
	Prompts  []Prompt        // with ResultAsk
	// Continuation, with redirect, show, ask and pending, is handed back to Complete and Find. It is stored as it
	// is, and never holds card data or the links of the operation.
	Continuation []byte
	Again        time.Duration // with pending: when to ask again, zero for the usual back-off
	Cause        string        // for the log: what failed; never card data
}

// MaxExtras and MaxExtra bound the acquirer's own facts: so many pairs, values of so many characters. Names are 1 to 64
// of A-Z a-z 0-9 _ . and -, each once; values have no control characters. A pair that is not so is left out, and the
// log says so. Merchants who get extended data get them as extended_data[name] (SPEC1, extended_data).
const (
	MaxExtras = 20
	MaxExtra  = 255
)

func answer(result Result, op Operation) Answer {
	return Answer{Result: result, Amount: op.Amount, Currency: op.Currency, Key: op.Key}
}

// Approved says the acquirer did it; reference is the acquirer's name for it.
func Approved(op Operation, reference string) Answer {
	a := answer(ResultApproved, op)
	a.Reference = reference
	return a
}

// Declined says the acquirer refused for good.
func Declined(op Operation, reason string) Answer {
	a := answer(ResultDeclined, op)
	a.Reason = reason
	return a
}

// SoftDeclined says the acquirer refused, and another try or another MID may succeed.
func SoftDeclined(op Operation, reason string) Answer {
	a := Declined(op, reason)
	a.Soft = true
	return a
}

// Redirected says the payer has to go to next; continuation comes back in Complete.
func Redirected(op Operation, next store.Redirect, continuation []byte) Answer {
	a := answer(ResultRedirect, op)
	a.Redirect, a.Continuation = &next, continuation
	return a
}

// Displayed says the payer has to be shown a QR code or payment details; continuation comes back in Find.
func Displayed(op Operation, show Display, continuation []byte) Answer {
	a := answer(ResultDisplay, op)
	a.Display, a.Continuation = &show, continuation
	return a
}

// Prompted says the payer has to fill in fields; continuation comes back in Complete.
func Prompted(op Operation, fields []Prompt, continuation []byte) Answer {
	a := answer(ResultPrompt, op)
	a.Prompts, a.Continuation = fields, continuation
	return a
}

// Pending says the acquirer has it and will know later.
func Pending(op Operation, continuation []byte) Answer {
	a := answer(ResultPending, op)
	a.Continuation = continuation
	return a
}

// NotSent says the acquirer certainly did nothing: the connection was refused, the request was not
// complete. cause is for the log.
func NotSent(op Operation, cause string) Answer {
	a := answer(ResultNotSent, op)
	a.Cause = cause
	return a
}

// Unknown says that something may have happened. cause is for the log.
func Unknown(op Operation, cause string) Answer {
	a := answer(ResultUnknown, op)
	a.Cause = cause
	return a
}

// Unverified says, from Complete and Notification, that what came back proves nothing: it is forged,
// foreign or torn. cause is for the log.
func Unverified(op Operation, cause string) Answer {
	a := answer(ResultUnverified, op)
	a.Cause = cause
	return a
}

// NotFound says, from Find, that the acquirer knows nothing under the key.
func NotFound(op Operation) Answer { return answer(ResultNotFound, op) }

// Repeats reports whether the answer is about op: same key, amount and currency.
func (a Answer) Repeats(op Operation) bool {
	return a.Key == op.Key && a.Currency == op.Currency && a.Amount.Cmp(op.Amount) == 0
}
