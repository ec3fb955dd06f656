package sim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway"
)

// ending is the end of a call, as its caller knows it.
type ending int

const (
	unanswered ending = iota // the call may have had its effect, or have it later
	refused                  // because of the object's state
	accepted                 // and pending, if there is something to decide
	succeeded
	lapsed // accepted, and declined afterwards
)

func (e ending) String() string {
	return [...]string{"unanswered", "refused", "accepted", "succeeded", "lapsed"}[e]
}

// noEffect reports whether an error means that a call has changed nothing: a fault of the caller.
func noEffect(err error) bool {
	var known *gateway.Error
	return errors.As(err, &known) && known.Status() < 500
}

// sessionCall is an update of a hosted session, or its payment.
type sessionCall struct {
	pays   bool
	amount string // requested by an update, charged by a payment
	ending ending
}

// sessionState is a hosted session as a merchant sees it.
type sessionState struct {
	amount string
	paid   bool // a payment was begun, even if it was declined
}

// after is the model: updates are accepted until a payment is begun, and refused afterwards; a payment is of the
// current amount.
func (s sessionState) after(c sessionCall) (sessionState, bool) {
	switch {
	case c.ending == refused:
		return s, s.paid
	case c.pays:
		known := c.ending != unanswered
		return sessionState{s.amount, true}, !known || c.amount == s.amount
	default:
		return sessionState{c.amount, s.paid}, !s.paid
	}
}

// hostedHistory is what callers did with one hosted session (S7).
type hostedHistory struct {
	history[sessionCall]
	start sessionState
}

// updated adds the answer to an update.
func (h *hostedHistory) updated(c *call[sessionCall], err error) {
	op := c.op
	switch {
	case err == nil:
		op.ending = accepted
	case errors.Is(err, gateway.ErrNoUpdate):
		op.ending = refused
	case noEffect(err):
		h.drop(c)
		return
	default:
		return // it may have been accepted
	}
	h.respond(c, op)
}

// paid adds the answer to a payment.
func (h *hostedHistory) paid(c *call[sessionCall], r *gateway.Result, err error) {
	op := c.op
	switch {
	case err == nil:
		op.ending, op.amount = accepted, r.Payment.Order.Amount
	case errors.Is(err, gateway.ErrSessionOver):
		op.ending = refused
	case noEffect(err):
		h.drop(c)
		return
	default:
		return
	}
	h.respond(c, op)
}

// explained reports whether the results can have happened one after another.
func (h *hostedHistory) explained() bool {
	return h.full || linearizable(h.start, h.calls, sessionState.after)
}

// String returns the history, call by call.
func (h *hostedHistory) String() string {
	lines := []string{"at first " + h.start.amount}
	for _, c := range h.calls {
		what := "update"
		if c.op.pays {
			what = "pay"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s [%d,%d]", what, c.op.amount, c.op.ending, c.began, c.done))
	}
	return strings.Join(lines, "; ")
}
