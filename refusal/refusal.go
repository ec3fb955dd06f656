// Package refusal is the catalogue of errors. It has a value for every answer that the wire protocols give to a
// request that is refused.
package refusal

import (
	"errors"
	"strings"
)

// Error is an answer of the catalogue: what the wire protocols answer to a request that is refused. Code and
// Message are the platform's (errors.md), Status is HTTP's. Faults lists every field that failed when the code is
// that of a refused form. An Error is never changed: With and Fields return copies, which are the same error to
// errors.Is.
type Error struct {
	Code    int
	Status  int
	Message string
	Faults  []Fault
	cause   error
	origin  *Error // of a copy: the error that it was copied from
}

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
	if len(e.Faults) == 0 {
		return e.Message
	}
	texts := make([]string, len(e.Faults))
	for i, fault := range e.Faults {
		texts[i] = fault.String()
	}
	return e.Message + " " + strings.Join(texts, "; ")
}

// Unwrap returns the cause, for the log.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether both are copies of one error.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.original() == e.original()
}

func (e *Error) original() *Error {
	if e.origin != nil {
		return e.origin
	}
	return e
}

// With returns a copy that carries the cause. The cause is for the log and is never sent.
func (e *Error) With(cause error) *Error {
	other := *e
	other.cause, other.origin = cause, e.original()
	return &other
}

// Fields returns a copy with these faults.
func (e *Error) Fields(faults ...Fault) *Error {
	other := *e
	other.Faults, other.origin = faults, e.original()
	return &other
}

// The catalogue (errors.md, "Numeric codes with fixed messages", and SPEC1, Errors). Messages without
// a documented code carry 100000.
var (
	ErrInvalid   = &Error{Code: 100000, Status: 400, Message: "Request data is invalid."}
	ErrDuplicate = &Error{Code: 400, Status: 400, Message: "Duplicate request."}

	ErrNoMID            = &Error{Code: 204002, Status: 400, Message: "Enabled merchant mappings or MIDs not found."}
	ErrTypeRoute        = &Error{Code: 204003, Status: 400, Message: "Payment type not supported."}
	ErrMethodRoute      = &Error{Code: 204004, Status: 400, Message: "Payment method not supported."}
	ErrTypeAbsent       = &Error{Code: 204009, Status: 400, Message: "Payment type not found."}
	ErrMethodAbsent     = &Error{Code: 204010, Status: 400, Message: "Payment method not found."}
	ErrBrandAbsent      = &Error{Code: 204011, Status: 400, Message: "Payment system/brand not found."}
	ErrActionAbsent     = &Error{Code: 204013, Status: 400, Message: "Payment action not found."}
	ErrCurrencyRoute    = &Error{Code: 204012, Status: 400, Message: "Payment currency not found."}
	ErrBrandRoute       = &Error{Code: 204006, Status: 400, Message: "Payment system/brand not supported."}
	ErrDayLimit         = &Error{Code: 204007, Status: 400, Message: "Day MID limit is not set or exceeded."}
	ErrMappingDayLimit  = &Error{Code: 204008, Status: 400, Message: "Day Merchant mapping limit is not set or exceeded."}
	ErrMonthLimit       = &Error{Code: 204014, Status: 400, Message: "Month MID limit is exceeded."}
	ErrWeekLimit        = &Error{Code: 204015, Status: 400, Message: "Week Merchant mapping limit is exceeded."}
	ErrMOTORoute        = &Error{Code: 204025, Status: 400, Message: "Enabled MIDs for MOTO payments not found."}
	ErrCardToken        = &Error{Code: 205005, Status: 400, Message: "Card token is invalid or not found."}
	ErrCardTokenExpired = &Error{Code: 205006, Status: 400, Message: "Card token is expired."}
	ErrCardTokenOwner   = &Error{Code: 205007, Status: 400, Message: "Card token is not accessible."}
	ErrUseTestKey       = &Error{Code: 220002, Status: 400, Message: "Use merchant test key."}
	ErrChannelRoute     = ErrInvalid.Fields(Fault{"channel_id", "This value is not valid."})
	ErrZeroRoute        = ErrInvalid.Fields(Fault{"amount", "the payment provider does not accept zero amount"})
	ErrCaptureStatus    = &Error{Code: 208003, Status: 400,
		Message: "Not acceptable to request the capture for payment not in pending status."}
	ErrCaptureAmount = &Error{Code: 208004, Status: 400,
		Message: "Not acceptable to request the capture for amount bigger than auth amount."}
	ErrRefundAmount = &Error{Code: 208006, Status: 400,
		Message: "Not acceptable to request the refund for amount bigger than payment amount."}
	ErrReversalAmount = &Error{Code: 208008, Status: 400,
		Message: "Not acceptable to request the reversal for amount bigger than payment amount."}
	ErrReversalPart = &Error{Code: 208009, Status: 400,
		Message: "Not acceptable to request the reversal for partial amount."}
	ErrDisputeAmount = &Error{Code: 208010, Status: 400,
		Message: "Not acceptable to request the chargeback for amount bigger than payment's amount."}

	ErrNoMethods   = &Error{Code: 100000, Status: 400, Message: "Not found acceptable methods"}
	ErrWallet      = &Error{Code: 204004, Status: 400, Message: "Payment method not supported."}
	ErrNoChain     = &Error{Code: 100000, Status: 400, Message: "Incorrect transaction"}
	ErrNoSchedule  = &Error{Code: 100000, Status: 400, Message: "Schedule not found"}
	ErrSchedule    = &Error{Code: 100000, Status: 400, Message: "Schedule is in use or in another state."}
	ErrRetry       = &Error{Code: 100000, Status: 400, Message: "Retry is not allowed."}
	ErrComplete    = &Error{Code: 100000, Status: 400, Message: "Complete is not allowed."}
	ErrStop        = &Error{Code: 100000, Status: 400, Message: "Stop is not allowed."}
	ErrRefund      = &Error{Code: 100000, Status: 400, Message: "Refund is not allowed."}
	ErrVoid        = &Error{Code: 100000, Status: 400, Message: "Void is not allowed."}
	ErrChargeback  = &Error{Code: 100000, Status: 400, Message: "Chargeback is not allowed."}
	ErrBusy        = &Error{Code: 100000, Status: 400, Message: "Previous payment not completed."}
	ErrNoPayment   = &Error{Code: 101000, Status: 400, Message: "Payment does not exist."}
	ErrNoOrder     = &Error{Code: 101000, Status: 400, Message: "Order does not exist."}
	ErrToken       = &Error{Code: 100000, Status: 403, Message: "Session token is missing, not valid or expired."}
	ErrNoUpdate    = &Error{Code: 100000, Status: 400, Message: "Session can not be updated."}
	ErrSessionOver = &Error{Code: 100000, Status: 400, Message: "Session is closed."}
	ErrNoSession   = &Error{Code: 100000, Status: 404, Message: "Session does not exist."}
	ErrNoCallback  = &Error{Code: 100000, Status: 404, Message: "Callback does not exist."}
	ErrNoReview    = &Error{Code: 100000, Status: 400, Message: "Transaction is not in doubt."}
	ErrNoAside     = &Error{Code: 100000, Status: 404, Message: "Nothing of this name was set aside."}
	ErrAction      = &Error{Code: 204005, Status: 400, Message: "Payment action not supported."}
	ErrInternal    = &Error{Code: 100000, Status: 500, Message: "Internal error."}
	ErrUnavailable = &Error{Code: 100000, Status: 500, Message: "The gateway is shutting down."}
)

// AsError turns any error into one of the catalogue. An error that is not of the catalogue becomes ErrInternal
// with that error as its cause.
func AsError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	return ErrInternal.With(err)
}
