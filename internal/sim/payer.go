package sim

import (
	"context"
	"fmt"
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
	back := methods.Return{Method: "GET", Params: map[string][]string{"proof": {e.proof}}}
	forged := methods.Return{Method: "GET", Params: map[string][]string{"proof": {"forged"}}}
	w.spawn(nil, wait, func(context.Context) {
		if a.look(e.key); e.state == away {
			e.verdict = confirms // the payer's decision; it is not asked about before the return
			e.at = w.now().Add(between(w.rng, time.Minute, 40*time.Minute))
		}
		for range visits {
			w.clients.comeBack(token, back, w.chance(payerForged), forged)
		}
		a.sendNote(e)
	})
}

// Complete implements methods.Completer.
func (c *wire) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	w := c.a.w
	w.distort(c, &op)
	w.step(ctx, atComplete)
	c.a.judgeRequest(&op, c.number)
	e := c.a.look(op.Key)
	proof := back.Params["proof"]
	switch {
	case e == nil || len(proof) != 1 || proof[0] != e.proof || string(op.Continuation) != e.proof:
		return w.twist(c, op, methods.Unverified(op, "another proof"))
	}
	if again := c.completedAgain(e, &op); again {
		return w.twist(c, op, methods.Declined(op, "completed before"))
	}
	if w.chance(completeError) {
		return methods.Unknown(op, "502")
	}
	if e.state == away {
		c.a.decide(e)
	}
	answer := c.spoil(ctx, &op, c.answer(e, &op))
	w.step(ctx, atCompleted)
	return w.twist(c, op, answer)
}

// completedAgain counts completions: a second one is allowed only if it has no second effect (M7).
func (c *wire) completedAgain(e *entry, op *methods.Operation) bool {
	e.completed++
	if e.completed == 1 || c.a.w.swarm.can[c.number].IdempotentByKey {
		return false
	}
	c.a.w.fail("M7: %s is completed again at an acquirer that would do it twice", op.Key)
	return true
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
