package engine

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Charge begins a payment and performs its first operation. A nil error means that the outcome in the result is stored,
// whatever it is. An error that IsFull reports leaves nothing behind: the operation may be drafted for another MID.
func (e *Engine) Charge(ctx context.Context, op *Operation) (*Result, error) {
	if err := e.calls.createIntent(ctx, op.Transaction.ID, func(tx store.Tx) error { return begin(tx, op) }); err != nil {
		return nil, err
	}
	return e.calls.charge(ctx, op)
}

// Intent is a transaction as step one stores it.
func (e *Engine) Intent(p *store.Payment, op store.Operation, amount store.Amount,
	mid *store.MID) (store.Transaction, error) {
	id, err := e.NewID()
	now := e.Now()
	deadline := now.Add(e.calls.timeout(mid.Connector))
	return store.Transaction{
		ID: id, PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, DeadlineAt: deadline, Due: deadline.Add(graceAfterDeadline + time.Second),
	}, err
}

// Ask puts a question about a transaction to its connector, which changes no record. It never fails: a panic, or no
// answer in time, is an answer too.
func (e *Engine) Ask(ctx context.Context, m Merchant, p *store.Payment, t *store.Transaction,
	question func(context.Context, methods.Operation) methods.Answer,
) methods.Answer {
	try := *t
	try.DeadlineAt = e.Now().Add(e.calls.timeout(t.Connector))
	op := e.calls.operation(p, &try, m)
	return e.calls.ask(context.WithoutCancel(ctx), &try,
		func(ctx context.Context) methods.Answer { return question(ctx, op) }, nil)
}
