// Package refusal is the catalogue of errors. It has a value for every answer that the wire protocols give to a
// request that is refused, and docs/errors.md lists them.
package refusal

//go:generate go test . -run ^TestCatalogue$ -rewrite
//go:generate go test . -run "^(TestPage|TestProtocolPage)$" -rewrite

import (
	"errors"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/release"
)

// Error is an answer of the catalogue: what the wire protocols answer to a request that is refused. It never changes:
// With and Fields return copies. errors.Is matches a copy with the error that it was made from, but not that error with
// the copy. So errors.Is(err, ErrInvalid) holds for every refused field, and errors.Is(err, ErrChannelRoute) for that
// one alone.
type Error struct {
	kind         Kind
	code, status int
	message      string
	faults       []Fault
	cause        error
	origin       *Error // of a copy: the error that it was copied from
	since        string // the release that brought it; "" for the first
}

// Kind is the class of an error: what a caller can do about it.
type Kind string

// The kinds.
const (
	Invalid     Kind = "invalid"     // a field of the request is wrong; Faults names it
	Refused     Kind = "refused"     // the request is sound, and state, routing or settings do not allow it
	NotFound    Kind = "not found"   // what the request names does not exist, or is another merchant's
	Duplicate   Kind = "duplicate"   // the same was asked for a moment ago
	Unavailable Kind = "unavailable" // nothing was done; the same request may be sent again later
	Internal    Kind = "internal"    // the cause is in the log, and it is unknown what was done
)

// New returns an error of its own: its kind, the platform's code, the status of HTTP, and the message that is sent.
func New(kind Kind, code, status int, message string) *Error {
	return &Error{kind: kind, code: code, status: status, message: message}
}

// Kind returns the class of the error.
func (e *Error) Kind() Kind { return e.kind }

// Code returns the code of the platform (errors.md).
func (e *Error) Code() int { return e.code }

// Status returns the status of HTTP.
func (e *Error) Status() int { return e.status }

// AddedIn returns an error of the catalogue that came in a later release than the first. It is for the catalogue
// itself: to errors.Is the result is another error than e.
func (e *Error) AddedIn(version string) *Error {
	added := *e
	added.since = version
	return &added
}

// Since returns the release that brought the error to the catalogue.
func (e *Error) Since() string { return release.Since(e.since) }

// Message returns the text that is sent, without the faults.
func (e *Error) Message() string { return e.message }

// Faults returns every field that failed, of a refused form.
func (e *Error) Faults() []Fault { return slices.Clone(e.faults) }

// Fault is one field that failed: its dotted path as the caller spells it, and the rule in words.
type Fault struct {
	Path string
	Text string
}

// String returns the fault as the wire protocols carry it: "<path>: <text>".
func (f Fault) String() string {
	if f.Path == "" {
		return f.Text
	}
	return f.Path + ": " + f.Text
}

// Error returns the message with the faults. It holds no card data and no secret.
func (e *Error) Error() string {
	if len(e.faults) == 0 {
		return e.message
	}
	texts := make([]string, len(e.faults))
	for i, fault := range e.faults {
		texts[i] = fault.String()
	}
	return e.message + " " + strings.Join(texts, "; ")
}

// Unwrap returns the cause, for the log.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is this error, or one that it is a copy of.
func (e *Error) Is(target error) bool {
	for ; e != nil; e = e.origin {
		if target == error(e) {
			return true
		}
	}
	return false
}

// With returns a copy that carries the cause. The cause is for the log and is never sent.
func (e *Error) With(cause error) *Error {
	other := *e
	other.cause, other.origin = cause, e
	return &other
}

// Fields returns a copy with these faults.
func (e *Error) Fields(faults ...Fault) *Error {
	other := *e
	other.faults, other.origin = slices.Clone(faults), e
	return &other
}

// The catalogue (errors.md, "Numeric codes with fixed messages", and SPEC1, Errors). Messages without
// a documented code carry 100000. The comment of an error of our own says where it comes; errors.md repeats it.
var (
	// fields are wrong, each with an entry in `errors`
	ErrInvalid = New(Invalid, 100000, 400, "Request data is invalid.")
	// the same came a moment ago: an order number within 15 seconds, a refund that still runs
	ErrDuplicate = New(Duplicate, 400, 400, "Duplicate request.")
	// Go callers only: `Merchant.Once`
	ErrKeyUsed = New(Duplicate, 100000, 409, "The idempotency key was used for another request.")

	// the protocol is off, or no MID is on for the key that was used
	ErrNoMID = New(Refused, 204002, 400, "Enabled merchant mappings or MIDs not found.")
	// no MID that is left takes a purchase with `auth`, or without it
	ErrTypeRoute = New(Refused, 204003, 400, "Payment type not supported.")
	// the method is not for this protocol, or the MIDs that list it cannot be used here
	ErrMethodRoute = New(Refused, 204004, 400, "Payment method not supported.")
	// no MID of the merchant takes a purchase with `auth`, or without it
	ErrTypeAbsent = New(Refused, 204009, 400, "Payment type not found.")
	// the method is unknown, or no MID of the merchant lists it
	ErrMethodAbsent = New(Refused, 204010, 400, "Payment method not found.")
	// no MID of the merchant takes the brand of the card; on S2S APM: `brand` is unknown, or no MID lists it
	ErrBrandAbsent = New(Refused, 204011, 400, "Payment system/brand not found.")
	// no MID of the merchant performs the operation
	ErrActionAbsent = New(Refused, 204013, 400, "Payment action not found.")
	// the method, or every MID that lists it, is for other currencies
	ErrCurrencyRoute = New(Refused, 204012, 400, "Payment currency not found.")
	// the MIDs that take the brand cannot be used here; on S2S APM: those that list `brand`
	ErrBrandRoute = New(Refused, 204006, 400, "Payment system/brand not supported.")
	// what the MID takes in a day would be exceeded
	ErrDayLimit = New(Refused, 204007, 400, "Day MID limit is not set or exceeded.")
	// what the merchant takes by this protocol in a day would be exceeded
	ErrMappingDayLimit = New(Refused, 204008, 400, "Day Merchant mapping limit is not set or exceeded.")
	// what the MID takes in a month would be exceeded
	ErrMonthLimit = New(Refused, 204014, 400, "Month MID limit is exceeded.")
	// what the merchant takes by this protocol in a week would be exceeded
	ErrWeekLimit = New(Refused, 204015, 400, "Week Merchant mapping limit is exceeded.")
	// `moto_type` without a MID that takes telephone and mail orders
	ErrMOTORoute = New(Refused, 204025, 400, "Enabled MIDs for MOTO payments not found.")
	// `card_token` is of no saved card
	ErrCardToken = New(NotFound, 205005, 400, "Card token is invalid or not found.")
	// the saved card has expired
	ErrCardTokenExpired = New(Refused, 205006, 400, "Card token is expired.")
	// the saved card is another merchant's, or was saved with the other key, live or test
	ErrCardTokenOwner = New(Refused, 205007, 400, "Card token is not accessible.")
	// the live key, where only test MIDs are
	ErrUseTestKey = New(Refused, 220002, 400, "Use merchant test key.")
	// no MID has the channel
	ErrChannelRoute = ErrInvalid.Fields(Fault{"channel_id", "This value is not valid."})
	// no MID takes an amount of zero
	ErrZeroRoute = ErrInvalid.Fields(Fault{"amount", "the payment provider does not accept zero amount"})
	// the payment holds no money
	ErrCaptureStatus = New(Refused, 208003, 400,
		"Not acceptable to request the capture for payment not in pending status.")
	// more than is held
	ErrCaptureAmount = New(Refused, 208004, 400,
		"Not acceptable to request the capture for amount bigger than auth amount.")
	// more than is left to give back
	ErrRefundAmount = New(Refused, 208006, 400,
		"Not acceptable to request the refund for amount bigger than payment amount.")
	// more than is held, or was debited
	ErrReversalAmount = New(Refused, 208008, 400,
		"Not acceptable to request the reversal for amount bigger than payment amount.")
	// less than is held, or was debited: a reversal is whole
	ErrReversalPart = New(Refused, 208009, 400,
		"Not acceptable to request the reversal for partial amount.")
	// Go callers only: more than the payment has
	ErrDisputeAmount = New(Refused, 208010, 400,
		"Not acceptable to request the chargeback for amount bigger than payment's amount.")

	// no method is left that could pay the session
	ErrNoMethods = New(Refused, 100000, 400, "Not found acceptable methods")
	// the wallet cannot be used here
	ErrWallet = New(Refused, 204004, 400, "Payment method not supported.")
	// a chain that is none, or has ended
	ErrNoChain = New(NotFound, 100000, 400, "Incorrect transaction")
	// `schedule_id` is of no schedule
	ErrNoSchedule = New(NotFound, 100000, 400, "Schedule not found")
	// deleting a schedule that is used, pausing a paused one, running one that runs, joining a paused one
	ErrSchedule = New(Refused, 100000, 400, "Schedule is in use or in another state.")
	ErrRetry    = New(Refused, 100000, 400, "Retry is not allowed.")    // by status
	ErrComplete = New(Refused, 100000, 400, "Complete is not allowed.") // by status
	ErrStop     = New(Refused, 100000, 400, "Stop is not allowed.")     // by status
	// by status, or nothing is left to give back
	ErrRefund = New(Refused, 100000, 400, "Refund is not allowed.")
	// by status, or the financial day is over
	ErrVoid       = New(Refused, 100000, 400, "Void is not allowed.")
	ErrChargeback = New(Refused, 100000, 400, "Chargeback is not allowed.") // Go callers only: by status
	// another operation on the payment, or an attempt to pay the session, still runs
	ErrBusy = New(Refused, 100000, 400, "Previous payment not completed.")
	// `payment_id` is of no payment of the merchant
	ErrNoPayment = New(NotFound, 101000, 400, "Payment does not exist.")
	// the order has no payment
	ErrNoOrder = New(NotFound, 101000, 400, "Order does not exist.")
	ErrToken   = New(Refused, 100000, 403, "Session token is missing, not valid or expired.") // an HTML page
	// the session has had an attempt to pay, or has ended
	ErrNoUpdate    = New(Refused, 100000, 400, "Session can not be updated.")
	ErrSessionOver = New(Refused, 100000, 400, "Session is closed.")                   // sessions that have ended
	ErrNoSession   = New(NotFound, 100000, 404, "Session does not exist.")             // links of nothing
	ErrNoCallback  = New(NotFound, 100000, 404, "Callback does not exist.")            // an operator's calls
	ErrNoReview    = New(Refused, 100000, 400, "Transaction is not in doubt.")         // an operator's calls
	ErrNoAside     = New(NotFound, 100000, 404, "Nothing of this name was set aside.") // an operator's calls
	// the method, or every MID that lists it, does not perform the operation
	ErrAction      = New(Refused, 204005, 400, "Payment action not supported.")
	ErrInternal    = New(Internal, 100000, 500, "Internal error.")                  // what was done is unknown
	ErrUnavailable = New(Unavailable, 100000, 500, "The gateway is shutting down.") // nothing was done
)

// AsError turns any error into one of the catalogue. An error that is not of the catalogue becomes ErrInternal with
// that error as its cause. Do not pass nil, which becomes ErrInternal too.
func AsError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return ErrInternal.With(err)
}
