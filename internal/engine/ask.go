package engine

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// ask calls a connector and never fails: a panic, or no answer by the deadline, is an answer too. What a
// connector says after that goes to late, where it is wanted: it is evidence all the same. A connector
// that ignores its deadline keeps its goroutine until it returns, and Close waits for that.
func (a *acquirers) ask(ctx context.Context, t *store.Transaction, ask func(context.Context) methods.Answer,
	late func(methods.Answer)) methods.Answer {
	timed, cancel := context.WithTimeout(ctx, t.DeadlineAt.Sub(a.Now()))
	answers, gone := make(chan methods.Answer), make(chan struct{})
	a.Gate.Add(1) // within the call that was counted in: never the first
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

// graceAfterDeadline is how long a connector may take to come back once its context has ended.
const graceAfterDeadline = 2 * time.Second

func guarded(ctx context.Context, t *store.Transaction,
	ask func(context.Context) methods.Answer) (answer methods.Answer) {
	defer func() {
		if recover() != nil { // the value may hold card data: it is not looked at
			answer = unknown(t, "the connector panicked")
		}
	}()
	return ask(ctx)
}

func unknown(t *store.Transaction, cause string) methods.Answer {
	return methods.Unknown(repeatedPart(t), cause)
}

// repeatedPart is as much of an operation as an answer repeats.
func repeatedPart(t *store.Transaction) methods.Operation {
	return methods.Operation{Key: key(t.ID), Amount: t.Amount, Currency: t.Currency}
}

// unchanged is an answer that leaves a transaction as open as it is.
func unchanged(t *store.Transaction, why string) methods.Answer {
	if t.Outcome == store.Waiting {
		return methods.Pending(repeatedPart(t), nil)
	}
	return unknown(t, why)
}

// markLife is how long a mark holds others off: longer than the call that it is for.
func (a *acquirers) markLife(connector string) time.Duration {
	return a.timeout(connector) + 2*graceAfterDeadline
}
