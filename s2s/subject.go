package s2s

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// subject is what an action is about and how a request names it.
type subject int

// The subjects.
const (
	noSubject   subject = iota // something new
	byTransID                  // the payment trans_id names
	byOrderID                  // the newest payment of order_id
	byChain                    // the chain recurring_first_trans_id and recurring_token name
	byRecurring                // the declined payment of a chain trans_id names: RETRY
	bySchedule                 // the schedule schedule_id names
)

// load reads the subject into the call. found is false when this client has no such thing; an unknown client has
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

func isAbsent(err error) bool {
	return errors.Is(err, gateway.ErrNoPayment) || errors.Is(err, gateway.ErrNoOrder) ||
		errors.Is(err, gateway.ErrNoChain) || errors.Is(err, gateway.ErrNoSchedule)
}

// standIn is what the digests are computed over where there is no payment: the work has to look alike.
var standIn = store.Payment{
	Payer: store.Payer{Email: "somebody@example.com"}, Card: &store.CardFacts{Mask: "411111******1111"},
}
