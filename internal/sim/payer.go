package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// Payers who are redirected and return, and notifications of the acquirer.

// sendPayer makes the payer of a row act and return, as the seed draws it.
func (a *acquirer) sendPayer(e *entry, confirms bool) {
	w := a.w
	if w.chance(payerGone) {
		return // the case closes by itself
	}
	wait := between(w.rng, 10*time.Millisecond, 50*time.Second)
	if w.chance(payerLate) {
		wait = e.at.Sub(w.now()) + between(w.rng, time.Second, time.Hour)
	}
	token, _ := strings.CutPrefix(e.op.ReturnURL, "https://pay.example/return/")
	visits := 1
	if w.chance(payerTwice) {
		visits = 2
	}
	step, proof := e.step, e.proof
	w.spawn(nil, wait, func(context.Context) {
		if a.look(e.key); e.state == away && e.step == step {
			e.verdict = confirms // the payer's decision; it is not asked about before the return
			e.at = w.now().Add(between(w.rng, time.Minute, 40*time.Minute))
		}
		for range visits {
			if w.chance(payerForged) {
				w.clients.forge(token)
			}
			w.clients.comeBack(token, returnOf(proof, 0), func() { a.judgeHeard(e, step) })
		}
		if w.chance(payerOther) {
			a.otherTabs(token, proof)
		}
		a.sendNote(e)
	})
}

// judgeHeard checks that without faults a return reaches the acquirer that waits for it (L1).
func (a *acquirer) judgeHeard(e *entry, step string) {
	w := a.w
	if w.swarm.calm && !w.ended() && e.state == away && e.step == step && !a.returnsOf(e.key).during(step) {
		w.fail("L1: the payer of %s came back, and the acquirer still waits for them", e.key)
	}
}

// returnOf is a return of the payer with the proof of a step: by the issuer's page, by its form, or from another tab.
func returnOf(proof string, tab int) methods.Return {
	back := methods.Return{Method: "GET", Params: map[string][]string{"proof": {proof}}}
	switch {
	case tab == 1:
		back.Method = "POST"
	case tab > 1:
		back.Params["tab"] = []string{itoa(tab)}
	}
	return back
}

// otherTabs makes a payer come back several times more, at once or after a while, with the same return or others.
func (a *acquirer) otherTabs(token, proof string) {
	w := a.w
	longest := [...]time.Duration{50 * time.Millisecond, time.Minute, 5 * time.Minute}[w.rng.IntN(3)]
	for range 1 + w.rng.IntN(5) {
		back := returnOf(proof, w.rng.IntN(4))
		w.spawn(nil, between(w.rng, time.Microsecond, longest), func(context.Context) {
			w.clients.comeBack(token, back, func() {})
		})
	}
}

// Complete implements methods.Completer.
func (c *wire) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	w := c.a.w
	w.distort(c, &op)
	w.judgeConfirmed(ctx, "a return to the acquirer")
	w.step(ctx, atComplete)
	c.a.judgeRequest(&op, c.number)
	e := c.a.look(op.Key)
	if e == nil || !e.sent(c.stepOf(e, &op), back) {
		return w.twist(c, op, methods.Unverified(op, "another proof"))
	}
	e.returned = true
	sent := c.judgeReturn(ctx, &op, back)
	defer func() { sent.ended = true }()
	answer, final := c.transportReturn(ctx, &op)
	if !final {
		answer = c.spoil(ctx, &op, c.complete(e, &op))
		w.step(ctx, atCompleted)
	}
	sent.answered(answer, op)
	if w.verbose {
		w.log("    it is answered %q, next %s", answer.Result, answer.Continuation)
	}
	return w.twist(c, op, answer)
}

// sent reports whether a return proves that the payer was where the acquirer had sent them, in this step or before.
func (e *entry) sent(step string, back methods.Return) bool {
	proof := back.Params["proof"]
	return (step == e.step || slices.Contains(e.passed, step)) && e.proof != "" && len(proof) == 1 &&
		proof[0] == proofOf(step)
}

// transportReturn draws what happens to a return before the acquirer has it. final means that there is no other answer.
func (c *wire) transportReturn(ctx context.Context, op *methods.Operation) (answer methods.Answer, final bool) {
	w := c.a.w
	switch {
	case w.swarm.back.punctual && ctx.Err() != nil:
		return methods.Unknown(*op, "too late to begin"), true
	case w.chance(completeRefused):
		return methods.NotSent(*op, "connection refused"), true
	case w.chance(completeError):
		return methods.Unknown(*op, "502"), true
	case w.chance(completeLost):
		c.wait(ctx)
		return methods.Unknown(*op, "timeout"), true
	case w.chance(completeLate):
		c.completeLate(ctx, *op)
		c.wait(ctx)
		return methods.Unknown(*op, "timeout"), true
	}
	return methods.Answer{}, false
}

// completeLate lets a return arrive after the deadline of its call, unless the acquirer has got another one by then.
func (c *wire) completeLate(ctx context.Context, op methods.Operation) {
	longest := [...]time.Duration{time.Minute, time.Hour}[c.a.w.rng.IntN(2)]
	wait := time.Until(deadlineOf(ctx)) + between(c.a.w.rng, time.Millisecond, longest)
	c.a.w.spawn(nil, wait, func(context.Context) {
		if e := c.a.look(op.Key); e.state == away {
			c.complete(e, &op)
		}
	})
}

// complete is a return arriving: the acquirer decides, or decides later, or sends the payer to another page. A strict
// one declines what comes after that, a decline of the return and not of the payment; others answer what they know.
func (c *wire) complete(e *entry, op *methods.Operation) methods.Answer {
	w := c.a.w
	can := w.swarm.can[c.number]
	again := e.taken || c.stepOf(e, op) != e.step
	switch {
	case again && can.strict && !can.IdempotentByKey:
		return methods.Declined(*op, "completed before")
	case again || e.state != away:
		return c.answer(e, op)
	case len(e.passed) < 3 && w.draws(w.swarm.back.steps):
		c.a.sendOn(e)
		return c.answer(e, op)
	case w.draws(w.swarm.back.later):
		e.later, e.state, e.at = true, pending, w.now().Add(between(w.rng, time.Second, 2*time.Hour))
	default:
		c.a.decide(e)
	}
	e.taken = true
	return c.answer(e, op)
}

// draws draws what is no fault. It takes nothing from the seed if the odds are zero.
func (w *World) draws(odds float64) bool { return odds > 0 && fraction(w.rng) < odds }

// sendOn sends a payer to another page. They bring the same proof again, or another one.
func (a *acquirer) sendOn(e *entry) {
	w := a.w
	e.passed = append(e.passed, e.step)
	if w.rng.IntN(2) == 0 {
		e.proof = fmt.Sprintf("proof-%d", w.rng.Uint64())
	}
	e.step = e.proof + "/" + itoa(len(e.passed))
	e.at = w.now().Add(between(w.rng, time.Minute, 2*time.Hour))
	confirms := e.verdict
	e.verdict = false
	a.sendPayer(e, confirms)
}

// proofOf is the proof of a step.
func proofOf(step string) string {
	proof, _, _ := strings.Cut(step, "/")
	return proof
}

// judgeReturn judges a call by what methods.Completer says (M7).
func (c *wire) judgeReturn(ctx context.Context, op *methods.Operation, back methods.Return) *sentReturn {
	w, all := c.a.w, c.a.returnsOf(op.Key)
	s := &sentReturn{by: procOf(ctx).id, evidence: fmt.Sprint(back.Method, back.Params), during: string(op.Continuation),
		begun: w.steps, until: deadlineOf(ctx)}
	if w.verbose {
		w.log("    return %s is sent for %s in step %s", s.evidence, op.Key, s.during)
	}
	if fault := all.fault(s); fault != "" && !w.swarm.can[c.number].IdempotentByKey {
		w.fail("M7: %s is completed again at an acquirer that would do it twice: %s", op.Key, fault)
	}
	if all.atOnce(s, time.Now()) && w.swarm.skew == 0 {
		w.fail("M7: %s is completed twice at once for one return", op.Key)
	}
	all.list = append(all.list, s)
	return s
}

// sendNote sometimes notifies the gateway of a row once it is final.
func (a *acquirer) sendNote(e *entry) {
	if e.op.NotificationURL == "" {
		return
	}
	w := a.w
	wait := max(0, e.at.Sub(w.now())) + between(w.rng, 0, time.Minute)
	state := ""
	if w.chance(noteStale) {
		state = string(pending)
	}
	a.notify(e, wait, state)
	if w.chance(noteTwice) {
		a.notify(e, wait+between(w.rng, 0, time.Minute), "")
	}
}

// notify sends one notification; an empty state means the current one.
func (a *acquirer) notify(e *entry, wait time.Duration, state string) {
	w := a.w
	token, _ := strings.CutPrefix(e.op.NotificationURL, "https://pay.example/notify/")
	w.spawn(nil, wait, func(context.Context) {
		told := state
		if a.look(e.key); told == "" {
			told = string(e.state)
		}
		seal := "sealed"
		if w.chance(noteForged) {
			told, seal = string(approved), "forged"
		}
		if w.chance(noteNobody) {
			token = "AAAA" + token[4:]
		}
		w.clients.note(token, methods.Note{Method: "POST", Body: []byte(fmt.Sprintf("%s|%s|%s", seal, told, e.key))})
	})
}

// forge sends a forged notification that a payment is paid.
func (a *acquirer) forge(e *entry) {
	token, _ := strings.CutPrefix(e.op.NotificationURL, "https://pay.example/notify/")
	a.w.spawn(nil, between(a.w.rng, time.Millisecond, time.Minute), func(context.Context) {
		a.w.clients.note(token, methods.Note{Method: "POST", Body: []byte("forged|approved|" + e.key)})
	})
}

// Notification implements methods.Notified.
func (c *wire) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	w := c.a.w
	w.distort(c, &op)
	w.step(ctx, atNote)
	parts := strings.Split(string(note.Body), "|")
	if parts[0] != "sealed" && w.defect != noteUnchecked || parts[2] != op.Key {
		return methods.Unverified(op, "another seal")
	}
	e := c.a.look(op.Key)
	said := *e
	said.state = entryState(parts[1])
	answer := c.answer(&said, &op)
	if said.state == away || said.state == coming {
		answer = methods.Pending(op, nil)
	}
	w.step(ctx, atNoted)
	return w.twist(c, op, answer)
}
