package gateway

import "github.com/tollgatepay/gateway/refusal"

// Error is an answer of the error catalogue to a refused request.
type Error = refusal.Error

// Fault is one field that failed: its dotted path as the caller spells it, and the rule in words.
type Fault = refusal.Fault

// The errors of the catalogue in package refusal.
var (
	ErrInvalid   = refusal.ErrInvalid
	ErrDuplicate = refusal.ErrDuplicate
	ErrKeyUsed   = refusal.ErrKeyUsed

	ErrNoMID            = refusal.ErrNoMID
	ErrTypeRoute        = refusal.ErrTypeRoute
	ErrMethodRoute      = refusal.ErrMethodRoute
	ErrTypeAbsent       = refusal.ErrTypeAbsent
	ErrMethodAbsent     = refusal.ErrMethodAbsent
	ErrBrandAbsent      = refusal.ErrBrandAbsent
	ErrActionAbsent     = refusal.ErrActionAbsent
	ErrCurrencyRoute    = refusal.ErrCurrencyRoute
	ErrBrandRoute       = refusal.ErrBrandRoute
	ErrDayLimit         = refusal.ErrDayLimit
	ErrMappingDayLimit  = refusal.ErrMappingDayLimit
	ErrMonthLimit       = refusal.ErrMonthLimit
	ErrWeekLimit        = refusal.ErrWeekLimit
	ErrMOTORoute        = refusal.ErrMOTORoute
	ErrCardToken        = refusal.ErrCardToken
	ErrCardTokenExpired = refusal.ErrCardTokenExpired
	ErrCardTokenOwner   = refusal.ErrCardTokenOwner
	ErrUseTestKey       = refusal.ErrUseTestKey
	ErrChannelRoute     = refusal.ErrChannelRoute
	ErrZeroRoute        = refusal.ErrZeroRoute
	ErrCaptureStatus    = refusal.ErrCaptureStatus
	ErrCaptureAmount    = refusal.ErrCaptureAmount
	ErrRefundAmount     = refusal.ErrRefundAmount
	ErrReversalAmount   = refusal.ErrReversalAmount
	ErrReversalPart     = refusal.ErrReversalPart
	ErrDisputeAmount    = refusal.ErrDisputeAmount

	ErrNoMethods   = refusal.ErrNoMethods
	ErrWallet      = refusal.ErrWallet
	ErrNoChain     = refusal.ErrNoChain
	ErrNoSchedule  = refusal.ErrNoSchedule
	ErrSchedule    = refusal.ErrSchedule
	ErrRetry       = refusal.ErrRetry
	ErrComplete    = refusal.ErrComplete
	ErrStop        = refusal.ErrStop
	ErrRefund      = refusal.ErrRefund
	ErrVoid        = refusal.ErrVoid
	ErrChargeback  = refusal.ErrChargeback
	ErrBusy        = refusal.ErrBusy
	ErrNoPayment   = refusal.ErrNoPayment
	ErrNoOrder     = refusal.ErrNoOrder
	ErrToken       = refusal.ErrToken
	ErrNoUpdate    = refusal.ErrNoUpdate
	ErrSessionOver = refusal.ErrSessionOver
	ErrNoSession   = refusal.ErrNoSession
	ErrNoCallback  = refusal.ErrNoCallback
	ErrNoReview    = refusal.ErrNoReview
	ErrNoAside     = refusal.ErrNoAside
	ErrAction      = refusal.ErrAction
	ErrInternal    = refusal.ErrInternal
	ErrUnavailable = refusal.ErrUnavailable
)

// AsError returns any error as one of the catalogue. An error from outside the catalogue becomes ErrInternal, with the
// whole error as its cause. Do not pass nil, which becomes ErrInternal too.
func AsError(err error) *Error { return refusal.AsError(err) }
