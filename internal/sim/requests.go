package sim

import (
	"context"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// prepare draws a request of a kind, which is the same for all callers of a group.
func (c *clients) prepare(act action) func(context.Context, *instance) {
	w := c.w
	w.actions[act]++
	switch act {
	case actSale, actAuth, actDebit, actCharge, actChain, actSubscribe:
		return c.charge(act)
	case actToken:
		return c.byToken()
	case actAPM:
		return c.apm()
	case actRotate:
		return c.rotate()
	case actPayout:
		return c.payout()
	case actRepoint:
		return c.repoint()
	case actSession:
		return c.session()
	case actHosted:
		return c.hosted()
	case actStatus:
		return c.status()
	case actRecur:
		return c.recur()
	case actPause:
		return c.pause()
	case actLeave:
		return c.leave()
	case actResend:
		return c.resend()
	}
	return c.followUp(act)
}

// newOrder is an order, sometimes a repeated one.
func (c *clients) newOrder() store.Order {
	rng := c.w.rng
	if c.orders == 0 || rng.IntN(6) > 0 {
		c.orders++
	}
	amounts := []string{"10.00", "7.77", "100.00", "0.02"}
	return store.Order{Number: "ORD-" + itoa(c.orders), Amount: amounts[rng.IntN(len(amounts))], Currency: "USD",
		Description: "Important gift"}
}

func (c *clients) key() string { return merchantKeys[c.w.rng.IntN(len(merchantKeys))] }

func (c *clients) charge(act action) func(context.Context, *instance) {
	r := c.request(act)
	request := c.chargeOf(r)
	if r.Protocol != "" || c.w.rng.IntN(3) > 0 {
		return request
	}
	return func(ctx context.Context, inst *instance) {
		c.errand(c.aboutWindow(), request) // once more when the window may be over
		request(ctx, inst)
	}
}

func (c *clients) chargeOf(r charge) func(context.Context, *instance) {
	return func(ctx context.Context, inst *instance) {
		own := r.ChargeRequest
		ownCard := *r.Card
		own.Card = &ownCard
		began := inst.now()
		result, err := inst.gw.Merchant(r.key).Charge(ctx, own)
		c.judgeResult("charge", result, err)
		c.judgeDuplicate(ctx, r.key, r.Order.Number, began, inst, err)
	}
}

// followUp is a capture, refund, void, retry or dispute of an existing payment.
func (c *clients) followUp(act action) func(context.Context, *instance) {
	id, p := c.known()
	switch act {
	case actRetry:
		id, p = c.retryable(id, p)
	case actVoid, actCapture, actRefund:
		id, p = c.suited(act, id, p)
	}
	if p == nil {
		return nil
	}
	f := gateway.FollowUp{PaymentID: id, Amount: c.part(p)}
	return func(ctx context.Context, inst *instance) {
		var result *gateway.Result
		var err error
		asked := c.asks(act, id, f.Amount, inst)
		answered := c.follow(p, act, f.Amount)
		switch act {
		case actCapture:
			result, err = inst.gw.Merchant(keyOf(p)).Capture(ctx, f)
		case actRefund:
			result, err = inst.gw.Merchant(keyOf(p)).CreditVoid(ctx, f)
		case actVoid:
			f.Amount = ""
			result, err = inst.gw.Merchant(keyOf(p)).Void(ctx, f)
		case actRetry:
			f.Amount = ""
			result, err = inst.gw.Merchant(keyOf(p)).Retry(ctx, f)
		case actDispute:
			result, err = inst.gw.Chargeback(ctx, gateway.Dispute{PaymentID: id, Amount: f.Amount, Reason: "Fraud"})
		}
		c.judgeResult(act.String(), result, err)
		asked.judge(err)
		answered(result, err)
	}
}

// operations are the operations of follow-ups.
var operations = map[action][]string{actCapture: {"CAPTURE"}, actRefund: {"REFUND", "REVERSAL"}, actVoid: {"VOID"}}

// suited mostly returns a payment whose status allows a follow-up: one of the newest, or one of a day before.
func (c *clients) suited(act action, id string, p *paymentRecord) (string, *paymentRecord) {
	a, rng := c.w.auditor, c.w.rng
	if rng.IntN(3) == 0 {
		return id, p
	}
	for i := len(a.order) - 1; i >= max(0, len(a.order)-60); i-- {
		other := a.payments[a.order[i]]
		for _, op := range operations[act] {
			if mayBegin(other.Kind, other.Status, op) {
				id, p = other.ID, other
			}
		}
		if id == other.ID && rng.IntN(3) == 0 {
			break
		}
	}
	return id, p
}

// retryable returns the newest declined later payment of a chain, if there is one.
func (c *clients) retryable(id string, p *paymentRecord) (string, *paymentRecord) {
	a := c.w.auditor
	for i := len(a.order) - 1; i >= 0; i-- {
		if other := a.payments[a.order[i]]; other.Status == "DECLINED" && other.InitID != "" && !other.begins() {
			return other.ID, other
		}
	}
	return id, p
}

func keyOf(p *paymentRecord) string { return "key-of-" + p.Merchant }

// known returns a payment to act on: the hot one, one of the newest, or any.
func (c *clients) known() (string, *paymentRecord) {
	a, rng := c.w.auditor, c.w.rng
	if len(a.order) == 0 {
		return "", nil
	}
	if c.w.swarm.hot && rng.IntN(5) > 0 {
		if p := a.payments[c.hot]; p == nil || ended(p.Status) || p.Status == "DECLINED" || p.Status == "REFUND" &&
			p.Refunded == p.Captured {
			c.hot = a.order[len(a.order)-1]
		}
		return c.hot, a.payments[c.hot]
	}
	back := 1 + rng.IntN(min(4, len(a.order)))
	if rng.IntN(4) == 0 {
		back = 1 + rng.IntN(len(a.order))
	}
	id := a.order[len(a.order)-back]
	return id, a.payments[id]
}

// part returns an amount to capture or refund: mostly all, otherwise a part.
func (c *clients) part(p *paymentRecord) string {
	switch c.w.rng.IntN(6) {
	case 0:
		return ""
	case 5:
		return "200.00" // more than there is
	case 1, 2:
		return p.Order.Amount
	case 3:
		return map[string]string{"10.00": "6.00", "7.77": "4.01", "100.00": "33.34", "0.02": "0.01"}[p.Order.Amount]
	}
	return "0.01"
}

func (c *clients) recur() func(context.Context, *instance) {
	a := c.w.auditor
	for i := len(a.order) - 1; i >= 0; i-- {
		p := a.payments[a.order[i]]
		if !p.RecurringInit || p.RecurringToken == "" || c.w.rng.IntN(3) == 0 {
			continue
		}
		order := c.newOrder()
		order.Currency = ""
		r := gateway.RecurRequest{Protocol: store.S2SCard, Action: "RECURRING_SALE", Order: order,
			InitID: p.ID, Token: p.RecurringToken}
		return func(ctx context.Context, inst *instance) {
			result, err := inst.gw.Merchant(keyOf(p)).Recur(ctx, r)
			c.judgeResult("recur", result, err)
		}
	}
	return nil
}

func (c *clients) resend() func(context.Context, *instance) {
	id, p := c.known()
	if p == nil || p.Callbacks == 0 {
		return nil
	}
	number := 1 + c.w.rng.IntN(p.Callbacks)
	name := id + "." + padded(number)
	return func(ctx context.Context, inst *instance) {
		cb, sent := c.w.auditor.callbacks[name], c.w.merchant.tried[name]
		idle := cb.State != "due" && len(cb.Attempts) == sent // no earlier try is still under way
		err := inst.gw.Operator().Resend(ctx, name)
		c.judgeError("resend", err)
		if err == nil && idle {
			c.resent[name] = max(c.resent[name], sent+1)
		}
	}
}

// session is a Checkout session from the request to the payer's return.
func (c *clients) session() func(context.Context, *instance) {
	w := c.w
	minutes, key := 1+w.rng.IntN(30), c.key()
	r := gateway.SessionRequest{
		Operation: "purchase", Order: c.newOrder(), SuccessURL: "https://shop.example/success",
		CancelURL: "https://shop.example/cancel", Customer: gateway.Customer{Name: "John Doe", Email: "doe@example.com"},
		Hold: w.rng.IntN(4) == 0, Expiry: time.Duration(minutes) * time.Minute,
	}
	saved := c.savedFor(key)
	if saved != nil {
		r.Extra.CardTokens = []string{saved.CardToken}
	}
	clicks := w.rng.IntN(4)
	atLast := clicks == 0 || w.rng.IntN(2) == 0
	early := c.earliness()
	return func(ctx context.Context, inst *instance) {
		began := inst.now()
		session, err := inst.gw.Merchant(key).CreateSession(ctx, r)
		c.judgeError("session", err)
		c.judgeDuplicate(ctx, key, r.Order.Number, began, inst, err)
		saved.judge(c, key, err)
		if err != nil {
			return
		}
		c.judgeExpiry(session.ID, minutes)
		token := strings.TrimPrefix(session.RedirectURL, "https://pay.example/auth/")
		c.links = append(c.links, token)
		for range clicks {
			c.pay(token, 3)
		}
		if atLast {
			c.errand(session.ExpiresAt.Sub(inst.now())-early, c.submit(token, saved != nil))
		}
	}
}

// submit is a payer who submits the form at the last moment or just too late.
func (c *clients) submit(token string, saved bool) func(context.Context, *instance) {
	in := gateway.Submission{Card: c.card(), IP: "203.0.113.7"}
	if saved {
		in = gateway.Submission{Saved: 1, IP: "203.0.113.7"}
	}
	return func(ctx context.Context, inst *instance) {
		_, err := inst.gw.PaySession(ctx, token, in)
		c.judgeError("pay", err)
	}
}

// earliness is how long before the end of the session a payer pays: mostly so short that it ends meanwhile.
func (c *clients) earliness() time.Duration {
	rng := c.w.rng
	if rng.IntN(3) > 0 {
		return time.Duration(rng.IntN(16)) * tick
	}
	return between(rng, -3*time.Second, 10*time.Second)
}

// judgeExpiry checks that a session ends at the time its merchant set.
func (c *clients) judgeExpiry(id string, minutes int) {
	s := c.w.auditor.sessions[id]
	if s == nil {
		c.w.fail("D1: session %s is told and not stored", id)
		return
	}
	if want := s.CreatedAt.Add(time.Duration(minutes) * time.Minute); !s.ExpiresAt.Equal(want) {
		c.w.fail("S8: session %s ends at %s, should at %s", id, s.ExpiresAt, want)
	}
}

// pay is a payer at the page of a session, who tries again after a decline.
func (c *clients) pay(token string, left int) {
	c.send(func(ctx context.Context, inst *instance) {
		next, err := inst.gw.NextAction(ctx, token)
		c.judgeError("turn", err)
		if err != nil || next.Kind != gateway.ActionCollect || left == 0 {
			return
		}
		after, err := inst.gw.PaySession(ctx, token,
			gateway.Submission{Attempt: next.Attempt, Card: c.card(), IP: "203.0.113.7"})
		c.judgeError("pay", err)
		if err == nil && after.Kind == gateway.ActionCollect {
			c.w.pause(ctx, atSleep, between(c.w.rng, time.Millisecond, 5*time.Minute))
			c.pay(token, left-1)
		}
	})
}

func (c *clients) leave() func(context.Context, *instance) {
	if len(c.links) == 0 {
		return nil
	}
	token := c.links[len(c.links)-1]
	return func(ctx context.Context, inst *instance) {
		_, err := inst.gw.LeaveSession(ctx, token)
		c.judgeError("leave", err)
	}
}
