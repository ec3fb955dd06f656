package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// Merchant is one merchant as the host acts for it: its methods are the verbs, and need no signature. Every verb looks
// the merchant up anew, so a Merchant may be kept. An unknown key has no payments, and can make none.
type Merchant struct {
	gw   *Gateway
	key  string
	once *string // the idempotency key of one request; nil for none
}

// Merchant names a merchant by a key: the live key of its payments, or its test key.
func (gw *Gateway) Merchant(key string) Merchant { return Merchant{gw: made(gw), key: key} }

// client finds the merchant for a verb that creates nothing, and so takes no idempotency key.
func (m Merchant) client(ctx context.Context) *Client {
	if m.once != nil {
		return &Client{gw: made(m.gw), lost: errKeyless}
	}
	return m.caller(ctx)
}

// caller finds the merchant. The verb returns the error of the search.
func (m Merchant) caller(ctx context.Context) *Client {
	c, err := made(m.gw).Client(ctx, m.key)
	if err != nil {
		return &Client{gw: m.gw, lost: err}
	}
	c.host = true
	return c
}

// Payment returns one of the merchant's payments. Error: ErrNoPayment.
func (m Merchant) Payment(ctx context.Context, id string) (*store.Payment, error) {
	c := m.client(ctx)
	if c.lost != nil {
		return nil, c.lost
	}
	return c.Payment(ctx, id)
}

// Charge makes a payment and performs its first operation. A second charge or session of the same merchant and order
// number within 15 seconds is ErrDuplicate (SPEC1, Limits). On S2S an order number is good for one payment (decision
// u). A nil error means that the outcome in the result is stored, whatever it is: a decline is an outcome, not an
// error.
func (m Merchant) Charge(ctx context.Context, r ChargeRequest) (*Result, error) {
	return create(ctx, m, "Charge", r, madePayment, (*Client).Charge)
}

// Capture takes the money of a held authorization once, all or a part (SPEC1, "States and
// transitions"). Errors: ErrNoPayment, ErrCaptureStatus, ErrCaptureAmount, ErrBusy.
func (m Merchant) Capture(ctx context.Context, f FollowUp) (*Result, error) {
	return create(ctx, m, "Capture", f, madePayment, (*Client).Capture)
}

// Void cancels a settled payment on the financial day of its MID on which it was captured. Errors:
// ErrNoPayment, ErrVoid, ErrBusy.
func (m Merchant) Void(ctx context.Context, f FollowUp) (*Result, error) {
	return create(ctx, m, "Void", f, madePayment, (*Client).Void)
}

// CreditVoid gives money back. A held authorization or a debit is reversed in full. A settled payment is refunded in
// full or in part, several times until nothing is left (decision n). While a refund is not finished, another one of the
// same amount is ErrDuplicate (decision cg). The transaction of the result is the refund or reversal; its id is the
// creditvoid_id. Errors: ErrNoPayment, ErrDuplicate, ErrRefund, ErrRefundAmount, ErrReversalPart, ErrReversalAmount,
// ErrBusy.
func (m Merchant) CreditVoid(ctx context.Context, f FollowUp) (*Result, error) {
	return create(ctx, m, "CreditVoid", f, madePayment, (*Client).CreditVoid)
}

// CompleteDebit takes the money of a debit whose commission was reported before (s2s_apm.md,
// DEBIT2VIRTUAL_COMPLETE). Errors: ErrNoPayment, ErrComplete, ErrBusy.
func (m Merchant) CompleteDebit(ctx context.Context, f FollowUp) (*Result, error) {
	return create(ctx, m, "CompleteDebit", f, madePayment, (*Client).CompleteDebit)
}

// Recur charges the card of a chain once more. Errors: ErrNoChain if there is no such chain or its first payment was
// not taken, and those of Charge.
func (m Merchant) Recur(ctx context.Context, r RecurRequest) (*Result, error) {
	return create(ctx, m, "Recur", r, madePayment, (*Client).Recur)
}

// Retry retries a later payment of a chain that was declined softly (s2s_card.md, RETRY). If the payment is taken now
// and names a schedule that still exists, its chain moves to that schedule. Errors: ErrNoPayment, ErrRetry, ErrBusy.
func (m Merchant) Retry(ctx context.Context, f FollowUp) (*Result, error) {
	return create(ctx, m, "Retry", f, madePayment, (*Client).Retry)
}

// Status returns the payments asked for, newest first, each with its first transaction. Errors: ErrNoPayment,
// ErrNoOrder, ErrInvalid naming size, and ErrNoMID if the protocol is switched off. That is Checkout, or for a caller
// without a proof the protocol of a payment (decision bq).
func (m Merchant) Status(ctx context.Context, l Lookup) ([]Result, error) {
	return m.client(ctx).Status(ctx, l)
}

// CreateSession checks a session request and stores the session. It checks the signature, if there is one, and that a
// MID can take the request. A refused request stores nothing. Errors: ErrInvalid with every field that failed,
// ErrDuplicate within 15 seconds of the same order number, and the routing errors.
func (m Merchant) CreateSession(ctx context.Context, r SessionRequest) (*Session, error) {
	return create(ctx, m, "CreateSession", r, madePage, (*Client).CreateSession)
}

// CreateSchedule stores a new schedule, with an id and times made here. Error: ErrInvalid naming fields.
func (m Merchant) CreateSchedule(ctx context.Context, s store.Schedule) (*store.Schedule, error) {
	return create(ctx, m, "CreateSchedule", s, madeSchedule, (*Client).CreateSchedule)
}

// UpdateSchedule changes a schedule: change gets the current one and sets the new values. It may run more than once.
// Chains on the schedule use the new dates, counted from their newest payment; the next date is the first one in the
// future (decision bp). Errors: ErrNoSchedule, ErrInvalid naming fields, and those of change.
func (m Merchant) UpdateSchedule(ctx context.Context, id string,
	change func(*store.Schedule) error) (*store.Schedule, error) {
	return m.client(ctx).UpdateSchedule(ctx, id, change)
}

// PauseSchedule pauses a schedule: it charges nothing and begins no chains. Errors: ErrNoSchedule, and ErrSchedule if
// it is already paused.
func (m Merchant) PauseSchedule(ctx context.Context, id string) error {
	return m.client(ctx).PauseSchedule(ctx, id)
}

// RunSchedule resumes a paused schedule. Dates that passed meanwhile are not charged (decision bp). The payments move
// to later dates, so that a chain gets all of them. Errors: ErrNoSchedule, and ErrSchedule if it is not paused.
func (m Merchant) RunSchedule(ctx context.Context, id string) error {
	return m.client(ctx).RunSchedule(ctx, id)
}

// DeleteSchedule deletes a schedule that no chain is on, and that no payment under way moves a chain to. A later
// payment that names it and was declined softly does not block it: when that payment is retried, it leaves its chain
// where it is. Errors: ErrNoSchedule, ErrSchedule.
func (m Merchant) DeleteSchedule(ctx context.Context, id string) error {
	return m.client(ctx).DeleteSchedule(ctx, id)
}

// Schedule returns one of the merchant's schedules. Error: ErrNoSchedule.
func (m Merchant) Schedule(ctx context.Context, id string) (*store.Schedule, error) {
	w, err := m.client(ctx).owner()
	if err != nil {
		return nil, err
	}
	return m.gw.agreements.Schedule(ctx, w, id)
}

// Deschedule takes a chain off its schedule, so that it charges nothing more. Repeating it is no error (decision bz).
// Errors: ErrNoChain, and ErrNoSchedule if the schedule does not exist or the chain is on another.
func (m Merchant) Deschedule(ctx context.Context, token, scheduleID string) error {
	return m.client(ctx).Deschedule(ctx, token, scheduleID)
}

// StopSchedule asks the provider of a settled payment to stop a schedule that the provider runs (s2s_card.md,
// STOP_SCHEDULE). It changes no record and sends no callback. Errors: ErrNoPayment, ErrStop if the provider refuses or
// cannot stop schedules, and ErrInternal if it gives no answer.
func (m Merchant) StopSchedule(ctx context.Context, paymentID string) error {
	return m.client(ctx).StopSchedule(ctx, paymentID)
}

// CreateHosted makes a session for Hosted Payment Fields. It checks like CreateSession, and returns its errors.
func (m Merchant) CreateHosted(ctx context.Context, r SessionRequest) (*HostedSession, error) {
	return create(ctx, m, "CreateHosted", r, madeHosted, (*Client).CreateHosted)
}
