package sim

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// hosted is a session of Hosted Payment Fields whose backend updates and pays it at once (S7).
func (c *clients) hosted() func(context.Context, *instance) {
	w := c.w
	key := c.key()
	r := gateway.SessionRequest{
		Operation: "purchase", Order: c.newOrder(), ReturnURL: "https://shop.example/back",
		Customer: gateway.Customer{Name: "John Doe", Email: "doe@example.com"},
	}
	minutes := 1 + w.rng.IntN(30)
	r.Expiry = time.Duration(minutes) * time.Minute
	updates, pays := w.rng.IntN(3), w.rng.IntN(3)
	early := c.earliness()
	return func(ctx context.Context, inst *instance) {
		session, err := inst.gw.Merchant(key).CreateHosted(ctx, r)
		c.judgeError("hosted", err)
		if err != nil {
			return
		}
		if err := inst.gw.HostedFields().Collect(ctx, session.Token, c.card()); err != nil {
			return
		}
		h := &hostedHistory{start: sessionState{amount: r.Order.Amount}}
		for n := range updates {
			c.send(c.update(session, itoa(n+1)+".50", h))
		}
		for range pays {
			c.send(c.payHosted(session, h))
		}
		if pays == 0 {
			c.errand(session.ExpiresAt.Sub(inst.now())-early, c.payHosted(session, h))
		}
		c.w.pause(ctx, atSleep, between(c.w.rng, time.Millisecond, time.Minute))
		c.send(c.update(session, "9.99", h)) // after the payment, most likely
	}
}

func (c *clients) update(session *gateway.HostedSession, amount string, h *hostedHistory) func(context.Context,
	*instance) {
	return func(ctx context.Context, inst *instance) {
		call := h.invoke(sessionCall{amount: amount})
		err := inst.gw.HostedFields().Update(ctx, session.Token, gateway.HostedUpdate{Amount: &amount})
		c.judgeError("update", err)
		h.updated(call, err)
		c.judgeHosted(session, h)
	}
}

func (c *clients) payHosted(session *gateway.HostedSession, h *hostedHistory) func(context.Context, *instance) {
	return func(ctx context.Context, inst *instance) {
		call := h.invoke(sessionCall{pays: true})
		result, err := inst.gw.HostedFields().Pay(ctx, session.Token,
			gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
		c.judgeResult("pay", result, err)
		h.paid(call, result, err)
		c.judgeHosted(session, h)
	}
}

// judgeHosted checks that updates and payments of a session look as if they had come one after another (S7).
func (c *clients) judgeHosted(session *gateway.HostedSession, h *hostedHistory) {
	if !h.explained() {
		c.w.fail("S7: the calls on session %s cannot have come one after another: %s", session.ID, h)
	}
}
