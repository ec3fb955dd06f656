package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// wire is the connector to the acquirer: it performs, completes, reads notifications and declares, with every
// possible fault in between.
type wire struct {
	a      *acquirer
	number int
}

// finder is a wire over which the acquirer can be asked.
type finder struct{ *wire }

func connectorName(number int) string { return fmt.Sprintf("c%d", number) }

func (a *acquirer) connector(number int) methods.Connector {
	c := &wire{a, number}
	if a.w.swarm.can[number].find {
		return finder{c}
	}
	return c
}

// Capabilities implements methods.Declarer.
func (c *wire) Capabilities() methods.Capabilities {
	return c.a.w.declared(c.a.w.swarm.can[c.number].Capabilities)
}

// Perform implements methods.Connector.
func (c *wire) Perform(ctx context.Context, op methods.Operation) (answer methods.Answer) {
	w := c.a.w
	defer w.panicked(&op, &answer)
	w.distort(c, &op)
	w.judgeConfirmed(ctx, "a call of the acquirer")
	w.step(ctx, atPerform)
	c.a.judgeRequest(&op, c.number)
	can := w.swarm.can[c.number]
	c.a.sends[op.Key]++
	if c.a.sends[op.Key] > 1 && !can.IdempotentByKey {
		w.fail("M7: %s is sent again to an acquirer that would do it twice", op.Key)
	}
	c.judgeAgain(&op, &can)
	answer, final := c.transport(ctx, &op)
	if !final {
		e := c.reach(&op)
		answer = c.answer(e, &op)
		if w.chance(callDuplicate) && can.IdempotentByKey {
			answer = c.answer(c.reach(&op), &op)
		}
		if w.chance(noteEarly) && op.NotificationURL != "" {
			c.a.notify(e, 0, string(e.state))
		}
		answer = c.spoil(ctx, &op, answer)
	}
	w.step(ctx, atPerformed)
	return w.twist(c, op, answer)
}

// judgeAgain checks a resend by the acquirer's capabilities and its earlier answers.
func (c *wire) judgeAgain(op *methods.Operation, can *capability) {
	w, coded := c.a.w, op.Card != nil && op.Card.Code.Digits() != ""
	again := c.a.sends[op.Key] > 1
	charge := op.ParentKey == "" && op.Kind != store.OpCredit
	if again && charge && !coded && !can.ResendWithoutCode {
		w.fail("M7: charge %s is sent again without a security code, which the acquirer does not take", op.Key)
	}
	if e := c.a.rows[op.Key]; e != nil && e.forgotten {
		w.fail("M7: %s is sent again, though the acquirer had accepted it", op.Key)
	}
	if coded && c.a.coded[op.Key] {
		w.fail("%s is sent again with a security code", op.Key)
	}
	c.a.coded[op.Key] = c.a.coded[op.Key] || coded
}

// reach is the request arriving. A known key returns its row, whatever its state.
func (c *wire) reach(op *methods.Operation) *entry {
	e := c.a.look(op.Key)
	if e == nil || !c.a.w.swarm.can[c.number].IdempotentByKey {
		return c.a.begin(op, c.number)
	}
	if e.state == coming {
		c.a.decide(e)
	}
	return e
}

// transport draws what happens to a request before the acquirer has it. final means that there is no other answer.
func (c *wire) transport(ctx context.Context, op *methods.Operation) (answer methods.Answer, final bool) {
	w := c.a.w
	known := c.a.rows[op.Key] != nil
	switch {
	case ctx.Err() != nil:
		return methods.NotSent(*op, "too late to begin"), true
	case known && w.chance(callRefusedAgain), w.chance(callRefused):
		return methods.NotSent(*op, "connection refused"), true
	case w.chance(callLost):
		c.wait(ctx)
		return methods.Unknown(*op, "timeout"), true
	case w.chance(callError):
		return methods.Unknown(*op, "502"), true
	case w.chance(callPanic):
		panic("sim: a connector panics before its effect")
	case !known && w.chance(callLate):
		deadline := w.now().Add(time.Until(deadlineOf(ctx)))
		c.a.late(op, c.number, deadline.Add(w.lateness(c.number)))
		c.wait(ctx)
		return methods.Unknown(*op, "timeout"), true
	}
	return methods.Answer{}, false
}

// spoil draws what happens to an answer on its way back.
func (c *wire) spoil(ctx context.Context, op *methods.Operation, answer methods.Answer) methods.Answer {
	w := c.a.w
	switch {
	case w.chance(callUnheard):
		c.wait(ctx)
		return methods.Unknown(*op, "timeout")
	case w.chance(callErrorDone):
		return methods.Unknown(*op, "504")
	case w.chance(callPanicDone):
		w.step(ctx, atPerformed)
		panic("sim: a connector panics after its effect")
	case w.chance(callHangs):
		w.pause(context.WithoutCancel(ctx), atHang, time.Until(deadlineOf(ctx))+between(w.rng, time.Millisecond, time.Hour))
	case w.chance(callWrong):
		wrong := answer
		c.a.misled[op.TransactionID] = true
		switch w.rng.IntN(3) {
		case 0:
			wrong.Amount = wrong.Amount.Add(store.MustAmount("0.01"))
		case 1:
			wrong.Currency = "XTS"
		case 2:
			wrong.Key += "0" // the answer to another request
			if wrong.Result == methods.ResultApproved {
				wrong.Result, wrong.Reason = methods.ResultDeclined, "Stolen card"
			}
		}
		return wrong
	}
	return answer
}

// wait waits until the deadline of the call.
func (c *wire) wait(ctx context.Context) {
	c.a.w.pause(ctx, atHang, time.Until(deadlineOf(ctx)))
}

func deadlineOf(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		panic("sim: a connector is called without a deadline")
	}
	return deadline
}

// answer returns the acquirer's answer for a row.
func (c *wire) answer(e *entry, op *methods.Operation) methods.Answer {
	about := *op
	about.Amount, about.Currency = store.MustAmount(e.text), e.currency
	switch e.state {
	case approved:
		return methods.Approved(about, "ref-"+e.key)
	case declined:
		a := methods.Declined(about, e.reason)
		a.Soft = e.soft
		return a
	case away:
		threeDS := len(e.proof)%2 == 0 && op.MethodKind == methods.KindCard
		return methods.Redirected(about, store.Redirect{ThreeDS: threeDS, URL: "https://acs.example/" + e.key,
			Method: "GET"}, c.continuation(e.step))
	}
	if e.later { // the payer is where they were
		return methods.Pending(about, nil)
	}
	return methods.Pending(about, c.continuation("case-"+e.key))
}

// continuation is what an answer carries for the next call.
func (c *wire) continuation(text string) []byte {
	if c.a.w.swarm.back.bare {
		return nil
	}
	return []byte(text)
}

// stepOf is the payer's step that a call is about.
func (c *wire) stepOf(e *entry, op *methods.Operation) string {
	if c.a.w.swarm.back.bare {
		return e.step
	}
	return string(op.Continuation)
}

// Find implements methods.Finder.
func (f finder) Find(ctx context.Context, op methods.Operation) methods.Answer {
	c, w := f.wire, f.a.w
	w.distort(c, &op)
	w.judgeConfirmed(ctx, "a question to the acquirer")
	w.step(ctx, atFind)
	c.a.judgeRequest(&op, c.number)
	switch {
	case w.chance(findError):
		return methods.Unknown(op, "502")
	case w.chance(findPanic):
		panic("sim: a question panics")
	case w.chance(findSlow):
		c.wait(ctx)
		return methods.Unknown(op, "timeout")
	}
	e := c.a.look(op.Key)
	var answer methods.Answer
	switch {
	case e == nil || e.state == coming || c.a.forgets(e, &op):
		answer = methods.NotFound(op)
		c.a.unseen[op.TransactionID] = true
	case e.state == away && !w.draws(w.swarm.back.shows), w.chance(findStale) && c.a.visit(e):
		answer = methods.Pending(op, nil)
	default:
		answer = c.answer(e, &op)
	}
	late := w.chance(findLate) && ctx.Err() == nil
	if late {
		w.pause(context.WithoutCancel(ctx), atHang, time.Until(deadlineOf(ctx))+between(w.rng, 3*time.Second, time.Minute))
	}
	w.step(ctx, atFound)
	c.a.returnsOf(op.Key).told(procOf(ctx).id, w.steps, answer.Result, late)
	return w.twistFound(c, op, answer)
}

// forgets draws whether an accepted row can no longer be found.
func (a *acquirer) forgets(e *entry, op *methods.Operation) bool {
	accepted := (e.state == pending || e.state == away) && (len(op.Continuation) > 0 || e.returned)
	if !e.forgotten && accepted && a.w.chance(findForgets) {
		e.forgotten = true
	}
	return e.forgotten
}

// visit bounds how often a stale answer is given about one row.
func (a *acquirer) visit(e *entry) bool {
	e.visits++
	return e.visits < 4 && e.op.ReturnURL != ""
}

// lateness is how long after its deadline a request takes effect: never longer than declared. Clock differences
// between instances reduce it.
func (w *World) lateness(number int) time.Duration {
	most := w.swarm.can[number].slack
	if w.swarm.odds[clockSkew] > 0 {
		most -= 2*w.swarm.skew + time.Second
	}
	return between(w.rng, 0, max(most, 1))
}
