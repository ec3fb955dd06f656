package s2s

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// followUp is a call of the kernel on an existing payment.
type followUp func(*gateway.Client, context.Context, gateway.FollowUp) (*gateway.Result, error)

// follow runs a follow-up that answers with its outcome.
func follow(do followUp) func(context.Context, *call) (body, error) {
	return func(ctx context.Context, c *call) (body, error) {
		result, err := do(c.client, ctx, c.followUp())
		if err != nil {
			return nil, err
		}
		return c.outcome(result), nil
	}
}

// accept runs a follow-up whose outcome is reported by callback.
func accept(do followUp) func(context.Context, *call) (body, error) {
	return func(ctx context.Context, c *call) (body, error) {
		result, err := do(c.client, ctx, c.followUp())
		if err != nil {
			return nil, err
		}
		return &reply{c, result, accepted, c.answers[accepted]}, nil
	}
}

func (c *call) followUp() gateway.FollowUp {
	return gateway.FollowUp{
		Protocol: c.protocol, PaymentID: c.payment.ID, Amount: c.own("amount"),
	}
}

// recur charges a chain again. A chain of sales accepts sales, one of debits accepts debits.
func recur(ctx context.Context, c *call) (body, error) {
	kind := store.Purchase
	if c.action == "RECURRING_DEBIT" {
		kind = store.Debit
	}
	if c.payment.Kind != kind {
		return nil, errChain
	}
	result, err := c.client.Recur(ctx, gateway.RecurRequest{
		Proof: c.proof, Protocol: c.protocol, Action: c.action, Hold: c.holds(),
		Order: store.Order{Number: c.text("order_id"), Amount: c.text("order_amount"),
			Description: c.text("order_description")},
		InitID: c.text("recurring_first_trans_id"), Token: c.text("recurring_token"), ScheduleID: c.text("schedule_id"),
		CustomData: c.object("custom_data"), CallbackURL: c.text("callback_url"),
	})
	if err != nil {
		return nil, err
	}
	return c.outcome(result), nil
}

// stopSchedule asks the provider to stop a schedule that the provider runs (s2s_card.md, STOP_SCHEDULE).
func stopSchedule(ctx context.Context, c *call) (body, error) {
	if err := c.client.StopSchedule(ctx, c.payment.ID); err != nil {
		return nil, err
	}
	return c.done(), nil
}
