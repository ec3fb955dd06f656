package s2s

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// subject is the record that an action is about, by how a request names it.
type subject int

// The subjects.
const (
	noSubject   subject = iota // a new record
	byTransID                  // the payment of trans_id
	byOrderID                  // the newest payment of order_id
	byChain                    // the chain of recurring_first_trans_id and recurring_token
	byRecurring                // the declined payment of a chain, of trans_id: RETRY
	bySchedule                 // the schedule of schedule_id
)

// load reads the subject into the call. found is false when this client has no such record; an unknown client has
// none.
func (s subject) load(ctx context.Context, c *call) (found bool, err error) {
	switch s {
	case byTransID, byRecurring:
		c.payment, err = c.client.Payment(ctx, c.key("trans_id"))
	case byOrderID:
		c.payment, err = c.client.Newest(ctx, c.text("order_id"))
	case byChain:
		c.payment, err = c.client.Chain(ctx, c.key("recurring_first_trans_id"), c.key("recurring_token"))
	case bySchedule:
		c.schedule, err = c.client.Schedule(ctx, c.key("schedule_id"))
	}
	if isAbsent(err) {
		return false, nil
	}
	return err == nil, err
}

// signs reports whether values of the subject are signed, so that without it there is no signature to check: e-mail and
// card of a payment. What signs an action on a schedule is all in the request.
func (s subject) signs() bool { return s != noSubject && s != bySchedule }

func isAbsent(err error) bool {
	return errors.Is(err, gateway.ErrNoPayment) || errors.Is(err, gateway.ErrNoOrder) ||
		errors.Is(err, gateway.ErrNoChain) || errors.Is(err, gateway.ErrNoSchedule)
}

// noPayment is the payment for which digests are computed when there is none, so that the work is the same.
var noPayment = store.Payment{
	Payer: store.Payer{Email: "somebody@example.com"}, Card: &store.CardFacts{Mask: "411111******1111"},
}
