package sim

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// version is an amount that a hosted session may have: when its update began and was accepted, in steps.
type version struct {
	amount      string
	began, done int
}

// hosted is a session of Hosted Payment Fields whose backend updates and pays it at once (S7).
func (c *clients) hosted() func(context.Context, *instance) {
	w := c.w
	r := gateway.SessionRequest{
		MerchantKey: c.key(), Operation: "purchase", Order: c.newOrder(), ReturnURL: "https://shop.example/back",
		Customer: gateway.Customer{Name: "John Doe", Email: "doe@example.com"},
	}
	minutes := 1 + w.rng.IntN(30)
	r.Expiry = &minutes
	updates, pays := w.rng.IntN(3), w.rng.IntN(3)
	early := c.earliness()
	return func(ctx context.Context, inst *instance) {
		session, err := inst.gw.CreateHosted(ctx, r)
		c.judgeError("hosted", err)
		if err != nil {
			return
		}
		if err := inst.gw.CollectHosted(ctx, session.Token, c.card()); err != nil {
			return
		}
		history := &[]version{{amount: r.Order.Amount}}
		for n := range updates {
			c.send(c.update(session.Token, itoa(n+1)+".50", history))
		}
		for range pays {
			c.send(c.payHosted(session.Token, session.ID, history))
		}
		if pays == 0 {
			c.errand(session.ExpiresAt.Sub(inst.now())-early, c.payHosted(session.Token, session.ID, history))
		}
		c.w.pause(ctx, atSleep, between(c.w.rng, time.Millisecond, time.Minute))
		c.send(c.update(session.Token, "9.99", history)) // after the payment, most likely
	}
}

func (c *clients) update(token, amount string, history *[]version) func(context.Context, *instance) {
	return func(ctx context.Context, inst *instance) {
		v := version{amount: amount, began: c.w.steps}
		err := inst.gw.UpdateHosted(ctx, token, gateway.HostedUpdate{Amount: &amount})
		c.judgeError("update", err)
		if err == nil {
			v.done = c.w.steps
			*history = append(*history, v)
		}
	}
}

// payHosted pays, and holds what was charged against what was accepted before.
func (c *clients) payHosted(token, sessionID string, history *[]version) func(context.Context, *instance) {
	return func(ctx context.Context, inst *instance) {
		began := c.w.steps
		result, err := inst.gw.PayHosted(ctx, token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
		c.judgeResult("pay", result, err)
		if err != nil {
			return
		}
		stored := c.w.auditor.began[result.Payment.ID]
		for _, v := range *history {
			if v.began > stored && v.began > 0 {
				c.w.fail("S7: an update of session %s began after its payment and was accepted", sessionID)
			}
		}
		for _, charged := range *history {
			if charged.amount == result.Payment.Order.Amount {
				for _, later := range *history {
					if later.began > charged.done && later.done < began && later.done > 0 {
						c.w.fail("S7: session %s is charged %s after it was updated to %s", sessionID, charged.amount, later.amount)
					}
				}
			}
		}
	}
}
