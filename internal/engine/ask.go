package engine

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/deadline"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// inquiry is one call of a connector: about which transaction, and for what.
type inquiry struct {
	p    *records.Payment
	t    *records.Transaction
	call observe.Call
}

// ask is reach, told to observers.
func (a *acquirers) ask(ctx context.Context, q inquiry, ask func(context.Context) methods.Answer,
	late func(methods.Answer)) methods.Answer {
	if !a.Watch.Listens(ctx) {
		return a.reach(ctx, q.t, ask, late)
	}
	began := a.Now()
	answer := a.reach(ctx, q.t, ask, late)
	now := a.Now()
	a.Watch.Tell(ctx, observe.ConnectorCalled{
		Subject: about(q.p, q.t), Call: q.call, Result: answer.Result, Took: now.Sub(began), At: now})
	return answer
}

// reach calls a connector and never fails: a panic or a missed deadline is an answer too. What the connector
// returns after the deadline goes to late, if late is set, because it is still evidence. A connector that
// ignores its deadline keeps its goroutine until it returns, and Close waits for that. One that answers in process
// needs no goroutine. After the deadline no connector is called: other instances treat the call as ended.
func (a *acquirers) reach(ctx context.Context, t *records.Transaction, ask func(context.Context) methods.Answer,
	late func(methods.Answer)) methods.Answer {
	left := t.DeadlineAt.Sub(a.Now())
	if left <= 0 {
		return a.tooLate(t)
	}
	if methods.CapabilitiesOf(a.Connectors[t.Connector]).InProcess {
		timed := deadline.New(ctx, left)
		defer timed.End()
		return guarded(timed, t, ask)
	}
	timed, cancel := context.WithTimeout(ctx, left)
	answers, gone := make(chan methods.Answer), make(chan struct{})
	a.Gate.Add(1) // inside a call that the gate already counts, so never the first
	go func() {
		defer a.Gate.Leave()
		defer cancel()
		answer := guarded(timed, t, ask)
		select {
		case answers <- answer:
		case <-gone:
			if late != nil {
				late(answer)
			}
		}
	}()
	select {
	case answer := <-answers:
		return answer
	case <-timed.Done():
	}
	select {
	case answer := <-answers:
		return answer
	case <-time.After(graceAfterDeadline):
		close(gone)
		return unknown(t, "no answer by the deadline")
	}
}

// graceAfterDeadline is how long a connector may take to return once its context has ended.
const graceAfterDeadline = 2 * time.Second

func guarded(ctx context.Context, t *records.Transaction,
	ask func(context.Context) methods.Answer) (answer methods.Answer) {
	defer func() {
		if recover() != nil { // the value may hold card data, so it is not read
			answer = unknown(t, "the connector panicked")
		}
	}()
	return ask(ctx)
}

func unknown(t *records.Transaction, cause string) methods.Answer {
	return methods.Unknown(repeatedPart(t), cause)
}

// tooLate answers a call whose deadline passed before it began. Nothing was sent. What recovery can send by itself is
// left to it, so that a process that stood still for a while loses no payment.
func (a *acquirers) tooLate(t *records.Transaction) methods.Answer {
	const why = "the deadline passed before the call"
	can := methods.CapabilitiesOf(a.Connectors[t.Connector])
	if t.Outcome == store.Sent && can.IdempotentByKey && can.ResendWithoutCode {
		return unknown(t, why)
	}
	return methods.NotSent(repeatedPart(t), why)
}

// repeatedPart returns the part of an operation that an answer repeats.
func repeatedPart(t *records.Transaction) methods.Operation {
	return methods.Operation{Key: key(t.ID), Amount: t.Amount, Currency: t.Currency}
}

// unchanged returns an answer that leaves the transaction open.
func unchanged(t *records.Transaction, why string) methods.Answer {
	if t.Outcome == store.Waiting {
		return methods.Pending(repeatedPart(t), nil)
	}
	return unknown(t, why)
}

// markLife is how long a mark blocks other calls: longer than the call that it marks.
func (a *acquirers) markLife(connector string) time.Duration {
	return a.timeout(connector) + 2*graceAfterDeadline
}
