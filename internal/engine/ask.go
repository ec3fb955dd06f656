package engine

import (
	"context"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Ask puts a question about a transaction to its connector, which changes no record. It never fails: a panic, or no
// answer in time, is an answer too.
func (e *Engine) Ask(ctx context.Context, m Merchant, p *store.Payment, t *store.Transaction,
	question func(context.Context, methods.Operation) methods.Answer,
) methods.Answer {
	try := *t
	try.DeadlineAt = e.Now().Add(e.Timeout(t.Connector))
	op := e.operation(p, &try, m)
	return e.call(context.WithoutCancel(ctx), &try, func(ctx context.Context) methods.Answer { return question(ctx, op) }, nil)
}
